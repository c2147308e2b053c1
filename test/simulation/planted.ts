// Bugs that the simulation must catch, one at a time: it is worth what it catches.
import type { Bug } from './bugs/bug.ts';
import { BUGS } from './bugs/bugs.ts';
import { bundle } from './bundle.ts';
import type { Answer, SeedOptions, Task } from './worker.ts';
import { work } from './workers.ts';

export interface PlantedRequest {
  readonly processes: number;
  readonly mean: number;
  readonly only?: string | undefined;
  readonly print: (line: string) => void;
}

export interface Catch {
  readonly bug: Bug;
  /** Undefined: not caught. */
  readonly by: string | undefined;
  readonly seeds: number;
  readonly message: string;
}

const MOST_SEEDS = 400;

/** True: all were caught. */
export async function runPlanted({
  processes,
  mean,
  only,
  print,
}: PlantedRequest): Promise<boolean> {
  const bugs = BUGS.filter(({ name }) => only === undefined || name === only);
  const begun = performance.now();
  const catches: Catch[] = [];
  for (const bug of bugs) {
    const caught = await hunt(bug, { mean, processes });
    catches.push(caught);
    print(rowOf(caught));
  }
  const seconds = Math.round((performance.now() - begun) / 1000);
  const found = catches.filter(({ by }) => by !== undefined).length;
  print(`${found} of ${bugs.length} planted bugs caught, in ${seconds} s`);
  return found === bugs.length && bugs.length > 0;
}

/** A row of the table in docs/simulation.md. */
function rowOf({ bug, by, seeds, message }: Catch): string {
  return `| ${bug.name} | ${bug.what} | ${by ?? '**not caught**'} | ${seeds} |${by ? '' : ` ${message}`}`;
}

export async function hunt(
  bug: Bug,
  { mean, processes }: { readonly mean: number; readonly processes: number },
): Promise<Catch> {
  const file = await bundle(bug.patches);
  let seeds = 0;
  let caught: { readonly by: string; readonly seed: number; readonly message: string } | undefined;
  await work({
    ...{ bundle: file, processes, tasks: tasks(mean, bug.mission ?? 'deploy') },
    heard: ({ task, result, without }: Answer) => {
      seeds++;
      const [first] = [...result.violations, ...(without?.violations ?? [])];
      if (!first || task.kind !== 'seed') return undefined;
      if (!caught || task.seed < caught.seed)
        caught = { by: first.invariant, seed: task.seed, message: first.message };
      return false;
    },
    silent: (task) => {
      if (task.kind === 'seed') caught ??= { by: 'L2', seed: task.seed, message: 'it hangs' };
      return false;
    },
  });
  return { bug, by: caught?.by, seeds: caught?.seed ?? seeds, message: caught?.message ?? '' };
}

function* tasks(mean: number, mission: SeedOptions['mission']): Generator<Task> {
  for (let seed = 1; seed <= MOST_SEEDS; seed++)
    yield { kind: 'seed', seed, options: { mean, mission } };
}
