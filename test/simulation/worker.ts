// A process that simulates what it is told to, and tells what came of it.
import { byWorkflow } from './by-workflow.ts';
import { counting, crashAt, type Variant } from './crash.ts';
import { referenceWorld } from './reference-world.ts';
import { type WorldOptions, worldOf } from './seeded-world.ts';
import { type Result, simulate } from './simulate.ts';
import { deployedWorldOf, teardown } from './teardown.ts';

export interface SeedOptions extends WorldOptions {
  /**
   * The platform is to be deployed, by this process, with gates that ask for approval or have a probe, or by a Workflow; or it is there, and is to be
   * torn down.
   */
  readonly mission: 'deploy' | 'approvals' | 'probes' | 'workflow' | 'teardown';
}

export type Task =
  | { readonly kind: 'seed'; readonly seed: number; readonly options: SeedOptions }
  | { readonly kind: 'crash'; readonly write: number; readonly variant: Variant }
  | { readonly kind: 'count' };

export interface Answer {
  readonly task: Task;
  readonly result: Result;
  /** Seconds of a processor. */
  readonly processor: number;
  /** Of `count`. */
  readonly written: readonly string[];
  /** Of the same seed with nothing going wrong, for some seeds. */
  readonly without: Result | undefined;
}

/** One seed of so many is run without its faults, too. */
const COMPARED = 100;
const CRASH_SEED = 1;

async function answer(task: Task): Promise<Answer> {
  const before = process.cpuUsage();
  const given = await resultOf(task);
  const { user, system } = process.cpuUsage(before);
  return { ...given, processor: (user + system) / 1e6 };
}

async function resultOf(task: Task): Promise<Omit<Answer, 'processor'>> {
  const written: string[] = [];
  const given = { task, written, without: undefined };
  if (task.kind === 'count') {
    return {
      ...given,
      result: await simulate(referenceWorld(CRASH_SEED), { intercept: counting(written) }),
    };
  }
  if (task.kind === 'crash') {
    const intercept = crashAt(task.write, task.variant);
    return { ...given, result: await simulate(referenceWorld(CRASH_SEED), { intercept }) };
  }
  const { seed, options } = task;
  const result = await simulateSeed(seed, options);
  if (seed % COMPARED !== 0) return { ...given, result };
  const without = await simulateSeed(seed, { ...options, faultless: true });
  return { ...given, result, without };
}

function simulateSeed(
  seed: number,
  options: SeedOptions,
  trace?: (line: string) => void,
): Promise<Result> {
  const heard = trace ? { trace } : {};
  if (options.mission === 'teardown')
    return simulate(deployedWorldOf(seed, options), { ...heard, mission: teardown });
  const mission = options.mission === 'workflow' ? { mission: byWorkflow } : {};
  const asking = options.mission === 'approvals';
  const probing = options.mission === 'probes';
  return simulate(worldOf(seed, { ...options, asking, probing }), { ...heard, ...mission });
}

if (process.send) {
  // Errors are thrown by the thousand, and a seed that goes wrong is run alone to see where.
  Error.stackTraceLimit = 0;
  // Nobody is left to tell.
  process.on('disconnect', () => process.exit());
  process.on('message', (task: Task) => {
    void answer(task).then((given) => process.send?.(given));
  });
} else {
  const [seed = '1', mean = '', mission = 'deploy', size = 'small'] = process.argv.slice(2);
  const options = { mean: Number(mean), mission, size } as SeedOptions;
  const { violations } = await simulateSeed(Number(seed), options, (line) => console.log(line));
  for (const { invariant, at, message } of violations)
    console.log(`${invariant} at ${at.toFixed(3)} s: ${message}`);
}
