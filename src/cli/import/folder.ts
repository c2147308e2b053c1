// A folder on disk, with bounds: how many files, how large, how deep; and no way out of it through links.
import { join } from 'node:path';
import { TiphysError } from '../../errors.ts';
import type { FolderFiles } from '../../import/git/folder-files.ts';
import type { ReadProblem } from '../../import/material.ts';
import { compareText } from '../../model/names.ts';
import type { Io } from '../io.ts';
import { isOutside } from './links.ts';

const FILES_MAX = 50_000;
const DEPTH_MAX = 32;
const FILE_BYTES_MAX = 6_000_000;
const SKIPPED: ReadonlySet<string> = new Set(['.git', 'node_modules']);

type Reads = Pick<Io, 'listFolder' | 'readFile' | 'realPath'>;

/** Throws where the folder itself cannot be read. */
export function openFolder(io: Reads, root: string): FolderFiles {
  const problems: ReadProblem[] = [];
  const paths = pathsBelow(io, root, problems);
  const place = { root, real: io.realPath(root) };
  // Not kept: most files are looked at once, and a repository can be large.
  return { paths, problems, read: (path) => readText(io, place, path, problems) };
}

function pathsBelow(io: Reads, root: string, problems: ReadProblem[]): readonly string[] {
  const paths: string[] = [];
  const visit = (folder: string, depth: number) => {
    for (const { name, isFolder, isSpecial = false } of entriesOf(io, root, folder, problems)) {
      const path = folder === '' ? name : `${folder}/${name}`;
      if (isFolder && SKIPPED.has(name)) continue;
      if (isFolder && depth >= DEPTH_MAX) {
        problems.push({
          subject: path,
          message: `It is deeper than ${DEPTH_MAX} folders. It is left out.`,
        });
      } else if (isFolder) visit(path, depth + 1);
      else if (!isSpecial && paths.length <= FILES_MAX) paths.push(path);
    }
  };
  visit('', 0);
  const sorted = paths.sort(compareText);
  if (sorted.length > FILES_MAX) {
    const message = `The folder has more than ${FILES_MAX} files. The others are left out.`;
    problems.push({ subject: root, message });
  }
  return sorted.slice(0, FILES_MAX);
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'there is no such folder'],
  ['ENOTDIR', 'it is a file'],
  ['EACCES', 'permission denied'],
]);

function entriesOf(io: Reads, root: string, folder: string, problems: ReadProblem[]) {
  try {
    return io.listFolder(join(root, folder));
  } catch (cause) {
    const { code = '', message: said } = cause as NodeJS.ErrnoException;
    const reason = REASONS.get(code) ?? said;
    if (folder !== '') {
      problems.push({ subject: folder, message: `The folder cannot be read: ${reason}.` });
      return [];
    }
    const hint = 'Name a folder that is there, and that this user may read.';
    const message = `The folder cannot be read: ${reason}.`;
    throw new TiphysError([{ code: 'file-unreadable', message, hint, file: root }], { cause });
  }
}

function readText(
  io: Reads,
  place: Root,
  path: string,
  problems: ReadProblem[],
): string | undefined {
  const problem = (message: string) => {
    problems.push({ subject: path, message });
    return undefined;
  };
  try {
    if (isOutside(place.real, io.realPath(join(place.root, path))))
      return problem('It is a link that leads out of the folder. It is left out.');
    const bytes = io.readFile(join(place.root, path), FILE_BYTES_MAX + 1);
    if (bytes.length > FILE_BYTES_MAX)
      return problem(`It is larger than ${FILE_BYTES_MAX} bytes. It is left out.`);
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // A link to a folder: what is in it is read where it lies.
    if (code === 'EISDIR') return undefined;
    return problem(
      error instanceof TypeError ? 'It is not UTF-8 text.' : `It cannot be read: ${code}.`,
    );
  }
}

interface Root {
  readonly root: string;
  /** Without links. */
  readonly real: string;
}
