// Folders -> checks and their cases.
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { TiphysError } from '../../errors.ts';
import { type Check, createCheck, kindOfFolder } from '../../health/health-check.ts';
import type { Manifest } from '../../health/manifests.ts';
import { CASES, readCases, type Test } from '../../health/test-checks.ts';
import { quote } from '../../model/names.ts';
import { readSource } from '../input/read-source.ts';
import type { Io } from '../io.ts';

const SCRIPT = 'health.lua';
/** GROUP/KIND, and everything above them. */
const DEPTH_MAX = 8;

/** The checks that come with the program, unless another folder is named. */
export function checksFolder(io: Io, folder: string | undefined): string {
  return folder ?? io.shipped('health');
}

export function readChecks(io: Io, folder: string): Check[] {
  const folders = foldersWithScripts(io, folder, DEPTH_MAX);
  if (folders.length === 0) throw noChecks(folder);
  return folders.map((one) => readCheck(io, one));
}

/** With their cases. One that cannot be read fails alone. */
export function readTests(io: Io, folder: string): Promise<Test[]> {
  const tests = readChecks(io, folder).map(async (check) => {
    const place = dirname(check.file);
    const read = (path: string) => {
      const file = join(place, path);
      if (io.exists(file)) refuseOutside(io, place, file);
      // Whole, since a relative one might be `-`, which is standard input.
      return readSource(io, resolve(file), path === CASES ? HINT : INPUT_HINT).text;
    };
    return { check, cases: await readCases(read, io.lua) };
  });
  return Promise.all(tests);
}

const HINT = `Write the cases of the check to ${CASES} next to it.`;
const INPUT_HINT = 'Set inputPath to a file in the folder of the check.';

/** What a case reads may be printed, so it must not be any file of this machine: neither by its path nor by a link. */
function refuseOutside(io: Io, folder: string, file: string): void {
  const path = relative(io.realPath(folder), io.realPath(file));
  if (!isAbsolute(path) && path.split(sep)[0] !== '..') return;
  const message = `${quote(file)} is outside the folder of its check.`;
  const hint = 'Copy the file into the testdata folder of the check.';
  throw new TiphysError([{ code: 'file-unreadable', message, hint, file }]);
}

function readCheck(io: Io, folder: string): Check {
  const { file, text } = readSource(io, join(folder, SCRIPT), HINT);
  return createCheck(kindOfFolder(resolve(folder)), file, text);
}

function foldersWithScripts(io: Io, folder: string, depth: number): string[] {
  const entries = listed(io, folder);
  const own = entries.some(({ name, isFolder }) => name === SCRIPT && !isFolder) ? [folder] : [];
  if (depth === 0) return own;
  const inside = entries.filter(({ isFolder }) => isFolder);
  return [
    ...own,
    ...inside.flatMap(({ name }) => foldersWithScripts(io, join(folder, name), depth - 1)),
  ];
}

function listed(io: Io, folder: string) {
  try {
    return io.listFolder(folder);
  } catch (cause) {
    const message = `Cannot read the folder: ${(cause as Error).message}.`;
    const hint = 'Use a folder that contains GROUP/KIND/health.lua.';
    throw new TiphysError([{ code: 'file-unreadable', message, hint, file: folder }], { cause });
  }
}

function noChecks(folder: string): TiphysError {
  const message = `No health check found in ${quote(folder)}.`;
  const hint = 'Use a folder that contains GROUP/KIND/health.lua.';
  return new TiphysError([{ code: 'health-check-missing', message, hint }]);
}

/** Every YAML and JSON file; the first folder on the way to it is taken for its Application. */
export function readManifests(io: Io, folder: string): Manifest[] {
  const visit = (place: string, application: string, depth: number): Manifest[] =>
    listed(io, place).flatMap(({ name, isFolder }) => {
      const path = join(place, name);
      if (isFolder) return depth === 0 ? [] : visit(path, application || name, depth - 1);
      if (!/\.(?:ya?ml|json)$/.test(name)) return [];
      const { file, text } = readSource(io, path, 'Use a folder that contains manifests.');
      return [{ application: application || name, file, text }];
    });
  return visit(folder, '', DEPTH_MAX);
}
