// A folder as pure code sees it. Paths are relative to it, with slashes, and sorted.
import type { ReadProblem } from '../material.ts';

export interface FolderFiles {
  readonly paths: readonly string[];
  /** Undefined where it cannot be read; the reason is among the problems. */
  readonly read: (path: string) => string | undefined;
  /** Grows while files are read. */
  readonly problems: readonly ReadProblem[];
}

export const isManifest = (path: string): boolean => /\.(?:ya?ml|json)$/.test(path);

/** Without slashes and dots around it; '' is the folder itself. */
export function plainPath(path: string): string {
  return path
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/');
}

/** Where it is, or would be: paths are sorted. */
function placeOf({ paths }: FolderFiles, path: string): number {
  let [low, high] = [0, paths.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((paths[middle] ?? '') < path) low = middle + 1;
    else high = middle;
  }
  return low;
}

export const hasFile = (files: FolderFiles, path: string): boolean =>
  files.paths[placeOf(files, path)] === path;

/** Right in a folder, or at any depth below it. */
export function pathsIn(files: FolderFiles, folder: string, recurse: boolean): readonly string[] {
  const start = folder === '' ? '' : `${folder}/`;
  const found: string[] = [];
  for (let at = placeOf(files, start); at < files.paths.length; at++) {
    const path = files.paths[at] ?? '';
    if (!path.startsWith(start)) break;
    if (recurse || !path.includes('/', start.length)) found.push(path);
  }
  return found;
}

export const hasFolder = (files: FolderFiles, folder: string): boolean =>
  folder === '' || (files.paths[placeOf(files, `${folder}/`)] ?? '').startsWith(`${folder}/`);

/** Every folder with something in it, at any depth. */
export function foldersOf({ paths }: FolderFiles): readonly string[] {
  const folders = new Set<string>();
  for (const path of paths) {
    const parts = path.split('/').slice(0, -1);
    for (let depth = 1; depth <= parts.length; depth++)
      folders.add(parts.slice(0, depth).join('/'));
  }
  return [...folders].sort();
}

/** A glob of paths, as Argo CD takes it: `*` within a folder, `**` across folders, `?` for one character. */
export function matchesPath(glob: string, path: string): boolean {
  return matchesParts(plainPath(glob).split('/'), path.split('/'));
}

function matchesParts(globs: readonly string[], parts: readonly string[]): boolean {
  // Which of the patterns so far can have matched what was seen: no path is looked at twice.
  let open = new Set([0]);
  const skip = (all: Set<number>) => {
    for (const at of all) if (globs[at] === '**') all.add(at + 1);
    return all;
  };
  open = skip(open);
  for (const part of parts) {
    const next = new Set<number>();
    for (const at of open) {
      const glob = globs[at];
      if (glob === '**') next.add(at);
      else if (glob !== undefined && matchesPart(glob, part)) next.add(at + 1);
    }
    open = skip(next);
  }
  return open.has(globs.length);
}

function matchesPart(glob: string, part: string): boolean {
  let open = new Set([0]);
  const skip = (all: Set<number>) => {
    for (const at of all) if (glob[at] === '*') all.add(at + 1);
    return all;
  };
  open = skip(open);
  for (const letter of part) {
    const next = new Set<number>();
    for (const at of open) {
      if (glob[at] === '*') next.add(at);
      else if (glob[at] === '?' || glob[at] === letter) next.add(at + 1);
    }
    open = skip(next);
  }
  return open.has(glob.length);
}
