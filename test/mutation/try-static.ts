// Mutants of code that runs once, when its module is loaded: a test cannot reach them later, so each has a process of its own,
// in which it is active from the start.
import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Mutant } from './mutants.ts';
import { FOLDER_VARIABLE } from './scope.ts';
import { LineLog } from './shard-files.ts';

/** Several times what all tests take. */
const LIMIT_MS = 10 * 60_000;

/** Tries one after the other; several callers share the list. */
export async function tryStatic(folder: string, left: Mutant[]): Promise<void> {
  for (let mutant = left.shift(); mutant; mutant = left.shift()) {
    const outcome = await tests(folder, mutant);
    new LineLog(folder, 'covered').add([mutant.id]);
    if (outcome !== 'passed') new LineLog(folder, 'killed').add([mutant.id]);
    if (outcome === 'late') new LineLog(folder, 'timed-out').add([mutant.id]);
  }
}

/** All tests that load its file, up to the first one that fails. */
async function tests(folder: string, { id, file }: Mutant): Promise<'passed' | 'failed' | 'late'> {
  const end = new AbortController();
  const child = spawn(
    process.execPath,
    [
      'node_modules/vitest/vitest.mjs',
      'related',
      file,
      '--run',
      '--bail=1',
      '--config',
      'test/mutation/vitest.config.ts',
    ],
    {
      env: { ...process.env, [FOLDER_VARIABLE]: folder, [`${FOLDER_VARIABLE}_MUTANT`]: id },
      stdio: 'ignore',
    },
  );
  const ended = new Promise<'passed' | 'failed'>((resolve) =>
    child.once('exit', (status) => resolve(status === 0 ? 'passed' : 'failed')),
  );
  const late = sleep(LIMIT_MS, 'late' as const, { signal: end.signal }).catch(
    () => 'late' as const,
  );
  const outcome = await Promise.race([ended, late]);
  end.abort();
  if (outcome === 'late') child.kill('SIGKILL');
  await ended;
  return outcome;
}
