// Links that lead out of a folder: a program that renders what is in it follows them, and what it finds there is in its output.
import { isAbsolute, join, relative, sep } from 'node:path';
import type { Io } from '../io.ts';

type Follows = Pick<Io, 'listFolder' | 'realPath'>;

/** Both without links in them. */
export function isOutside(root: string, path: string): boolean {
  const place = relative(root, path);
  return isAbsolute(place) || place.split(sep)[0] === '..';
}

/** The first one at or below the path that can be followed; undefined: there is none. */
export function linkOut(io: Follows, root: string, path: string): string | undefined {
  const real = io.realPath(root);
  const seen = new Set<string>();
  const lookAt = (place: string): string | undefined => {
    const target = targetOf(io, place);
    if (target === undefined || seen.has(target)) return undefined;
    seen.add(target);
    if (isOutside(real, target)) return relative(real, place);
    for (const { name } of entriesOf(io, target)) {
      const found = lookAt(join(target, name));
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return lookAt(join(real, path));
}

/** Undefined for one that leads nowhere. */
function targetOf({ realPath }: Follows, path: string): string | undefined {
  try {
    return realPath(path);
  } catch {
    return undefined;
  }
}

/** None of a file. */
function entriesOf({ listFolder }: Follows, path: string): ReturnType<Io['listFolder']> {
  try {
    return listFolder(path);
  } catch {
    return [];
  }
}
