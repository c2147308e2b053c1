// Bugs that the simulation must catch, one at a time: it is worth what it catches.
import type { Bug } from './bugs/bug.ts';
import { BUGS } from './bugs/bugs.ts';
import { CATCHES, type Caught } from './bugs/catches.ts';
import { bundle } from './bundle.ts';
import type { Violation } from './witness.ts';
import type { Answer, SeedOptions, Task } from './worker.ts';
import { work } from './workers.ts';

export interface PlantedRequest {
  readonly processes: number;
  readonly mean: number;
  readonly only?: string | undefined;
  readonly print: (line: string) => void;
}

interface Hunt {
  readonly mean: number;
  readonly processes: number;
}

const MOST_SEEDS = 400;

/** Looks for the first seed that shows each. True: all were caught. */
export async function runPlanted(request: PlantedRequest): Promise<boolean> {
  const { only, print } = request;
  const bugs = BUGS.filter(({ name }) => only === undefined || name === only);
  const begun = performance.now();
  let found = 0;
  for (const bug of bugs) {
    const caught = await hunt(bug, request);
    if (caught) found++;
    print(rowOf(bug, caught));
  }
  const seconds = Math.round((performance.now() - begun) / 1000);
  print(`${found} of ${bugs.length} planted bugs caught, in ${seconds} s`);
  return found === bugs.length && bugs.length > 0;
}

/** A row of the table in docs/simulation.md. */
export function rowOf({ name, what }: Bug, caught: Caught | undefined = CATCHES[name]): string {
  return `| ${name} | ${what} | ${caught?.by ?? '**not caught**'} | ${caught?.seed ?? '-'} |`;
}

async function hunt(bug: Bug, { mean, processes }: Hunt): Promise<Caught | undefined> {
  const file = await bundle(bug.patches);
  let caught: Caught | undefined;
  await work({
    ...{ bundle: file, processes, tasks: tasks(mean, bug) },
    heard: (answer) => {
      const [first] = violationsIn(answer);
      if (!first || answer.task.kind !== 'seed') return undefined;
      const { seed } = answer.task;
      if (!caught || seed < caught.seed) caught = { by: first.invariant, seed };
      return false;
    },
    // One that hangs is looked for in other seeds: that says nothing about what is broken.
    silent: () => undefined,
  });
  return caught;
}

/** What the bug breaks in the seed that is known to show it. */
export async function brokenBy(bug: Bug, seed: number, mean: number): Promise<readonly string[]> {
  const file = await bundle(bug.patches);
  const broken = new Set<string>();
  const [task] = tasks(mean, bug, seed);
  await work({
    ...{ bundle: file, processes: 1, tasks: task ? [task] : [] },
    heard: (answer) => {
      for (const { invariant } of violationsIn(answer)) broken.add(invariant);
      return undefined;
    },
    silent: () => {
      broken.add('it hangs');
      return undefined;
    },
  });
  return [...broken];
}

const violationsIn = ({ result, without }: Answer): readonly Violation[] => [
  ...result.violations,
  ...(without?.violations ?? []),
];

function* tasks(mean: number, bug: Bug, from = 1): Generator<Task> {
  const { mission = 'deploy', size = 'small' } = bug;
  const options: SeedOptions = { mean, mission, size };
  for (let seed = from; seed < from + MOST_SEEDS; seed++) yield { kind: 'seed', seed, options };
}
