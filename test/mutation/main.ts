// npm run mutate: changes the code that guards users in thousands of small ways, and counts the changes that no test notices.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setInterval } from 'node:timers';
import { refusedByCompiler } from './compiled.ts';
import { instrument, type Mutant } from './mutants.ts';
import { type Fate, isEnough, type Judged, renderRow, renderSurvivor, rows } from './report.ts';
import { runShard } from './run-shard.ts';
import { EXCLUDED_MUTATIONS } from './scope.ts';
import { LineLog } from './shard-files.ts';
import { tryStatic } from './try-static.ts';

const PROGRESS_MS = 30_000;
const HELP = `Usage: npm run mutate [-- PATH...]

Changes the code that guards users in small ways (mutants) and counts those that no test notices.
Prints the survivors and the score of each part; exit status 1 if one is too low.
PATH limits it to files whose path begins so: npm run mutate -- src/node/removal.ts src/gate/
Not mutated: ${EXCLUDED_MUTATIONS.join(', ')}.`;

async function main(args: readonly string[]): Promise<number> {
  if (args.some((arg) => arg.startsWith('-'))) {
    process.stdout.write(`${HELP}\n`);
    return args[0] === '--help' ? 0 : 1;
  }
  const folder = mkdtempSync(join(tmpdir(), 'tiphys-mutation-'));
  try {
    return await mutate(folder, args);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function mutate(folder: string, paths: readonly string[]): Promise<number> {
  const { code, mutants } = await instrument(paths);
  if (code.size === 0)
    throw new Error(`No file that is mutated begins with ${paths.join(' or ')}.`);
  writeFileSync(join(folder, 'code.json'), JSON.stringify([...code]));
  const shards = availableParallelism();
  process.stderr.write(`${mutants.length} mutants in ${code.size} files, ${shards} processes\n`);
  const progress = setInterval(() => tell(folder, mutants), PROGRESS_MS);
  const numbers = Array.from({ length: shards }, (_, n) => n + 1);
  for (const pass of [1, 2] as const)
    await Promise.all(numbers.map((shard) => runShard(folder, { shard, of: shards, pass })));
  const left = onlyLoaded(folder, mutants);
  process.stderr.write(`${left.length} mutants are reached only when their module is loaded\n`);
  await Promise.all(numbers.map(() => tryStatic(folder, left)));
  clearInterval(progress);
  const judged = judge(folder, mutants);
  const survivors = judged.filter(({ fate }) => fate === 'survived' || fate === 'not covered');
  for (const survivor of survivors) process.stdout.write(`${renderSurvivor(survivor)}\n`);
  const table = rows(judged);
  for (const row of table) process.stdout.write(`${renderRow(row)}\n`);
  return table.every(isEnough) ? 0 : 1;
}

function onlyLoaded(folder: string, mutants: readonly Mutant[]): Mutant[] {
  const loaded = new Set(new LineLog(folder, 'loaded').read());
  const covered = new Set(new LineLog(folder, 'covered').read());
  return mutants.filter(
    ({ id, ignored }) => ignored === undefined && loaded.has(id) && !covered.has(id),
  );
}

function tell(folder: string, mutants: readonly Mutant[]): void {
  const killed = new Set(new LineLog(folder, 'killed').read()).size;
  const covered = new Set(new LineLog(folder, 'covered').read()).size;
  process.stderr.write(
    `${killed} killed of ${covered} reached by tests so far, ${mutants.length} in all\n`,
  );
}

function judge(folder: string, mutants: readonly Mutant[]): readonly Judged[] {
  const ids = (name: string) => new Set(new LineLog(folder, name).read());
  const [killed, covered, timedOut] = [ids('killed'), ids('covered'), ids('timed-out')];
  const alive = mutants.filter(({ id, ignored }) => ignored === undefined && !killed.has(id));
  const refused = refusedByCompiler(alive);
  const fateOf = ({ id, ignored }: Mutant): Fate => {
    if (ignored !== undefined) return 'ignored';
    if (timedOut.has(id)) return 'timed out';
    if (killed.has(id)) return 'killed';
    if (refused.has(id)) return 'not compiled';
    return covered.has(id) ? 'survived' : 'not covered';
  };
  return mutants.map((mutant) => ({ ...mutant, fate: fateOf(mutant) }));
}

process.exitCode = await main(process.argv.slice(2));
