// Runs each test once as it is, to see which mutants it reaches, and then once with each of them that no test has noticed yet.
// Modules are loaded once for all mutants, which makes a run many times as fast as one process for each mutant.
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunnerTestSuite as Suite, RunnerTestCase as Test } from 'vitest';
import { VitestTestRunner } from 'vitest/runners';
import { getFn, getHooks } from 'vitest/suite';
import { FOLDER_VARIABLE } from './scope.ts';
import { Current, LineLog } from './shard-files.ts';

/** The names are the instrumenter's. */
interface Switch {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  hitCount?: number | undefined;
  hitLimit?: number | undefined;
  mutantCoverage?: {
    static: Record<string, number>;
    perTest: Record<string, Record<string, number>>;
  };
}

/** A loop that runs this many times as often as without the mutant does not end. */
const HITS_FACTOR = 100;
const LEAST_HITS = 1_000;
/** Far beyond what any of these tests takes, also on a busy machine. */
const LEAST_TIMEOUT_MS = 5_000;
const TIMEOUT_FACTOR = 20;
/** A test that takes longer waits for the second pass: what the quick ones notice, it need not try. */
const QUICK_MS = 100;

const folder = process.env[FOLDER_VARIABLE] ?? '';
const shard = process.env[`${FOLDER_VARIABLE}_SHARD`] ?? '';
const isFirstPass = process.env[`${FOLDER_VARIABLE}_PASS`] === '1';
const killed = new LineLog(folder, 'killed');
const covered = new LineLog(folder, 'covered');
const timedOut = new LineLog(folder, 'timed-out');
const loaded = new LineLog(folder, 'loaded');
/** Active from the start, where only loading a module reaches it. */
const fromStart = process.env[`${FOLDER_VARIABLE}_MUTANT`];
const done = new LineLog(folder, `done-${shard}`);
const current = new Current(folder, shard);
const doneBefore = new Set(done.read());

const globals = globalThis as { __stryker__?: Switch };
globals.__stryker__ ??= {};
const mutants: Switch = globals.__stryker__;
mutants.activeMutant = fromStart;

// biome-ignore lint/style/noDefaultExport: vitest loads the default export of a runner.
export default class MutatingRunner extends VitestTestRunner {
  async runTask(test: Test): Promise<void> {
    if (fromStart !== undefined) return await getFn(test)();
    tellLoaded();
    if (doneBefore.has(test.id)) return;
    const { hits, duration } = await this.#plain(test);
    if (isFirstPass && duration > QUICK_MS) return;
    covered.add(Object.keys(hits));
    const dead = new Set(killed.read());
    for (const mutant of Object.keys(hits))
      if (!dead.has(mutant)) await tryMutant(test, mutant, hits[mutant] ?? 0, duration);
    current.clear();
    done.add([test.id]);
  }

  async #plain(test: Test) {
    mutants.currentTestId = test.id;
    const began = performance.now();
    // vitest has run the hooks before the test for this first time.
    await getFn(test)();
    mutants.currentTestId = undefined;
    const hits = mutants.mutantCoverage?.perTest[test.id] ?? {};
    return { hits, duration: performance.now() - began };
  }
}

let told = 0;

/** What loading modules has reached since it was told last. */
function tellLoaded(): void {
  const all = Object.keys(mutants.mutantCoverage?.static ?? {});
  if (all.length === told) return;
  told = all.length;
  loaded.add(all);
}

async function tryMutant(test: Test, mutant: string, hits: number, duration: number) {
  current.set(mutant);
  mutants.activeMutant = mutant;
  mutants.hitCount = 0;
  mutants.hitLimit = Math.max(hits * HITS_FACTOR, LEAST_HITS);
  const state = test.result;
  const limit = Math.max(LEAST_TIMEOUT_MS, duration * TIMEOUT_FACTOR);
  const outcome = await Promise.race([once(test), sleep(limit, 'late' as const, { ref: false })]);
  // A soft assertion fails the test without an exception.
  const isNoticed = outcome === 'failed' || test.result?.state === 'fail';
  if (state) test.result = { ...state, state: 'run', errors: [] };
  mutants.activeMutant = undefined;
  mutants.hitCount = undefined;
  if (outcome === 'late') {
    timedOut.add([mutant]);
    if (await isBusy()) {
      current.set(mutant, true);
      await new Promise(() => {});
    }
  }
  if (isNoticed || outcome === 'late') killed.add([mutant]);
}

/** With the hooks around it, as a test that stands alone. */
async function once(test: Test): Promise<'passed' | 'failed'> {
  const suites = suitesOf(test);
  try {
    for (const suite of suites)
      for (const hook of getHooks(suite).beforeEach) await hook(test.context, suite);
    await getFn(test)();
    if ((mutants.hitCount ?? 0) > (mutants.hitLimit ?? Number.POSITIVE_INFINITY)) return 'failed';
    return 'passed';
  } catch {
    return 'failed';
  } finally {
    for (const suite of suites.toReversed())
      for (const hook of getHooks(suite).afterEach) await hook(test.context, suite);
  }
}

/** From the file inwards. */
function suitesOf(test: Test): Suite[] {
  const suites: Suite[] = [];
  for (
    let suite: Suite | undefined = test.suite ?? test.file;
    suite;
    suite = suite.suite ?? undefined
  )
    suites.unshift(suite);
  if (suites[0] !== test.file) suites.unshift(test.file);
  return suites;
}

/** Something that goes on without end would slow down or change what comes after it. */
async function isBusy(): Promise<boolean> {
  const before = performance.eventLoopUtilization();
  await sleep(300);
  return performance.eventLoopUtilization(before).utilization > 0.3;
}
