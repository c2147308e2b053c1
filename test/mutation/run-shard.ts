// One vitest process for its share of the test files, started again each time a mutant makes it hang or ends it.
import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { FOLDER_VARIABLE } from './scope.ts';
import { Current, LineLog } from './shard-files.ts';

/** A mutant that blocks the thread cannot tell of itself. */
const HANGS_AFTER_MS = 45_000;
const POLL_MS = 250;

/** Which test files, and which of their tests: the quick ones, or the others. */
export interface Share {
  readonly shard: number;
  readonly of: number;
  readonly pass: 1 | 2;
}

export async function runShard(folder: string, { shard, of, pass }: Share): Promise<void> {
  for (;;) {
    const current = new Current(folder, String(shard));
    current.clear();
    const child = spawn(
      process.execPath,
      [
        'node_modules/vitest/vitest.mjs',
        'run',
        '--config',
        'test/mutation/vitest.config.ts',
        `--shard=${shard}/${of}`,
      ],
      {
        env: {
          ...process.env,
          [FOLDER_VARIABLE]: folder,
          [`${FOLDER_VARIABLE}_SHARD`]: String(shard),
          [`${FOLDER_VARIABLE}_PASS`]: String(pass),
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text: Buffer) => {
        output = (output + text.toString()).slice(-20_000);
      });
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    const hung = await Promise.race([ended.then(() => undefined), watch(current, ended)]);
    if (hung === undefined) {
      const status = await ended;
      if (status === 0) return;
      // A mutant may take all memory, or call for an exit.
      const last = current.get()?.mutant;
      if (!last) throw new Error(`vitest ended with ${status}:\n${output}`);
      new LineLog(folder, 'killed').add([last]);
      continue;
    }
    child.kill('SIGKILL');
    await ended;
    new LineLog(folder, 'killed').add([hung]);
    new LineLog(folder, 'timed-out').add([hung]);
  }
}

/** The mutant that hangs. */
async function watch(current: Current, ended: Promise<unknown>): Promise<string | undefined> {
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  while (!isOver) {
    await sleep(POLL_MS);
    const now = current.get();
    if (now && (now.hangs || Date.now() - now.since > HANGS_AFTER_MS)) return now.mutant;
  }
  return undefined;
}
