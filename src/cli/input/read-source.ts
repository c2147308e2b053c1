// Files -> sources: what is too large, what is not UTF-8 is refused, both before any parsing.
import { basename, dirname, join } from 'node:path';
import { type ErrorCode, TiphysError, together } from '../../errors.ts';
import { BYTES_MAX } from '../../model/limits.ts';
import type { Source } from '../../model/source.ts';
import type { Io } from '../io.ts';

export interface FileOptions {
  readonly file: string;
  readonly environment?: string | undefined;
}

const PLATFORM_FILE = 'platform.yaml';
const ENVIRONMENT_FILE = 'environment.yaml';

/** The platform file, and the environment file: the one that was named, else the one beside the platform file. */
export function readSources(io: Io, options: FileOptions): [Source, Source | undefined] {
  const folder = options.file === '-' ? '.' : dirname(options.file);
  const beside = join(folder, ENVIRONMENT_FILE);
  const isBeside = io.exists(beside);
  const environment = options.environment ?? (isBeside ? beside : undefined);
  // It writes both files under their usual names, and overwrites none.
  const fitsInit = basename(options.file) === PLATFORM_FILE && !isBeside;
  const init = `tiphys init${folder === '.' ? '' : ` ${folder}`}`;
  const hint = fitsInit
    ? `Set another path with -f, or create the file with \`${init}\`.`
    : 'Set another path with -f.';
  return together(
    () => readSource(io, options.file, hint),
    () =>
      environment === undefined
        ? undefined
        : readSource(io, environment, 'Set another path with -e.'),
  );
}

/** `hint`: what to do where there is no such file. */
export function readSource(io: Io, path: string, hint: string): Source {
  const file = path === '-' ? '<stdin>' : path;
  const bytes = readBytes(io, path, file, hint);
  if (bytes.length > BYTES_MAX) throw tooLarge(file);
  try {
    return { file, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch (cause) {
    throw fileError(
      'file-not-utf8',
      file,
      'The file is not UTF-8 text.',
      'Save it as UTF-8.',
      cause,
    );
  }
}

const READ_ERRORS: Readonly<Record<string, readonly [string, string]>> = {
  ENOENT: ['no such file', ''],
  EISDIR: ['it is a directory', 'Set the path of a file in it.'],
  EACCES: ['permission denied', 'Grant this user read access to the file.'],
};

function readBytes(io: Io, path: string, file: string, missing: string): Uint8Array {
  try {
    return io.readFile(path, BYTES_MAX + 1);
  } catch (cause) {
    const [reason, hint] = READ_ERRORS[(cause as NodeJS.ErrnoException).code ?? ''] ?? [
      (cause as Error).message,
      'Check the path.',
    ];
    const advice = hint || missing;
    throw fileError('file-unreadable', file, `Cannot read the file: ${reason}.`, advice, cause);
  }
}

function tooLarge(file: string): TiphysError {
  const message = `The file has more than ${BYTES_MAX} bytes.`;
  return fileError('file-too-large', file, message, 'Split the platform.');
}

function fileError(code: ErrorCode, file: string, message: string, hint?: string, cause?: unknown) {
  return new TiphysError([{ code, message, hint, file }], { cause });
}
