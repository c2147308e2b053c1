// Files that a command leaves behind.
import { TiphysError } from '../../errors.ts';
import type { Io } from '../io.ts';

/** `hint`: what to do instead. */
export function refusePresent(
  io: Io,
  files: readonly { readonly path: string }[],
  hint: string,
): void {
  const present = files.filter(({ path }) => io.exists(path));
  if (present.length > 0) throw new TiphysError(present.map(({ path }) => isThere(path, hint)));
}

const isThere = (path: string, hint: string) => ({
  code: 'file-exists' as const,
  message: `${path} already exists; nothing was written.`,
  hint,
});

export function writeOut(io: Io, path: string, text: string): void {
  try {
    io.writeFile(path, text);
  } catch (cause) {
    throw unwritable(path, cause);
  }
}

/** Also if the file was created after the check. */
export function writeNew(io: Io, path: string, text: string, hint: string): void {
  try {
    io.writeFile(path, text, { isNew: true });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST')
      throw new TiphysError([isThere(path, hint)], { cause });
    throw unwritable(path, cause);
  }
}

function unwritable(path: string, cause: unknown): TiphysError {
  const message = `Cannot write ${path}: ${(cause as Error).message}.`;
  const hint = 'Choose a folder that you can write to.';
  return new TiphysError([{ code: 'file-unwritable', message, hint }], { cause });
}
