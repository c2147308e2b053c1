// Folders -> checks and their cases.
import { join, resolve } from 'node:path';
import { type Diagnostic, TiphysError } from '../../errors.ts';
import { type Check, createCheck, kindOfFolder } from '../../health/check.ts';
import type { Manifest } from '../../health/manifests.ts';
import { type Case, parseCases } from '../../health/test-checks.ts';
import { quote } from '../../model/names.ts';
import { readSource } from '../input/read-source.ts';
import type { Io } from '../io.ts';

const SCRIPT = 'health.lua';
const CASES = 'health_test.yaml';
/** GROUP/KIND, and whatever lies above them. */
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

/** With their cases; everything that is wrong with files is said at once. */
export function readTests(io: Io, folder: string): { check: Check; cases: Case[] }[] {
  const problems: Diagnostic[] = [];
  const tests = readChecks(io, folder).flatMap((check) => {
    const place = join(check.file, '..');
    try {
      const source = readSource(io, join(place, CASES), HINT);
      const read = (path: string) => readSource(io, join(place, path), HINT);
      return [{ check, cases: parseCases(source, read) }];
    } catch (error) {
      if (!(error instanceof TiphysError)) throw error;
      problems.push(...error.diagnostics);
      return [];
    }
  });
  if (problems.length > 0) throw new TiphysError(problems);
  return tests;
}

const HINT = 'Every check has its cases in health_test.yaml beside it.';

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
    const message = `The folder cannot be read: ${(cause as Error).message}.`;
    const hint = 'Name a folder with GROUP/KIND/health.lua in it.';
    throw new TiphysError([{ code: 'file-unreadable', message, hint, file: folder }], { cause });
  }
}

function noChecks(folder: string): TiphysError {
  const message = `There is no health check in ${quote(folder)}.`;
  const hint = 'Name a folder with GROUP/KIND/health.lua in it.';
  return new TiphysError([{ code: 'health-check-missing', message, hint }]);
}

/** Every YAML and JSON file; the first folder on the way to it is taken for its Application. */
export function readManifests(io: Io, folder: string): Manifest[] {
  const visit = (place: string, application: string, depth: number): Manifest[] =>
    listed(io, place).flatMap(({ name, isFolder }) => {
      const path = join(place, name);
      if (isFolder) return depth === 0 ? [] : visit(path, application || name, depth - 1);
      if (!/\.(?:ya?ml|json)$/.test(name)) return [];
      const { file, text } = readSource(io, path, 'Name a folder with manifests.');
      return [{ application: application || name, file, text }];
    });
  return visit(folder, '', DEPTH_MAX);
}
