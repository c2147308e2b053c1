// Many seeds, and what came of them.
import type { Size } from './realistic.ts';
import { Summary } from './summary.ts';
import type { Answer, SeedOptions, Task } from './worker.ts';
import { work } from './workers.ts';

/** Applications of a world, on average: as many as let twenty thousand seeds fit into ten minutes on two cores. */
export const MEAN = 4;

export interface SeedsRequest {
  readonly bundle: string;
  readonly from: number;
  readonly count: number;
  readonly mean: number;
  readonly size: Size;
  readonly processes: number;
  readonly mission: SeedOptions['mission'];
  readonly print: (line: string) => void;
  /** Classes of faults that must have an effect; if nothing is said, those that are in many of the worlds. */
  readonly classes?: readonly string[];
}

/** Worlds with a class of faults, of which at least one must be struck. */
const MANY = 25;

/** True: nothing is wrong. */
export async function runSeeds(request: SeedsRequest): Promise<boolean> {
  const { bundle, processes, print } = request;
  const summary = new Summary();
  const begun = performance.now();
  let silent = 0;
  await work({
    ...{ bundle, processes, tasks: tasks(request) },
    heard: (answer) => {
      summary.add(answer);
      for (const line of complaints(answer, request)) print(line);
      return undefined;
    },
    silent: (task) => {
      silent++;
      print(`${nameOf(task)}: no answer; it hangs`);
    },
  });
  for (const line of summary.lines((performance.now() - begun) / 1000)) print(line);
  const idle = request.classes ? summary.missing(request.classes) : summary.idle(MANY);
  for (const name of idle) print(`no world was struck by ${name}: what is it for?`);
  const isGood = summary.violations === 0 && summary.unfinished === 0 && silent === 0;
  return isGood && idle.length === 0;
}

function* tasks({ from, count, mean, mission, size }: SeedsRequest): Generator<Task> {
  for (let seed = from; seed < from + count; seed++)
    yield { kind: 'seed', seed, options: { mean, mission, size } };
}

const nameOf = (task: Task): string => (task.kind === 'seed' ? `seed ${task.seed}` : task.kind);

/** Each with the command that shows it again. */
function complaints({ task, result, without }: Answer, request: SeedsRequest): string[] {
  const { mean, mission, size } = request;
  const name = nameOf(task);
  const all = [...result.violations, ...(without?.violations ?? [])];
  const lines = all.map(
    ({ invariant, at, message }) => `${name} at ${at.toFixed(3)} s: ${invariant}: ${message}`,
  );
  if (lines.length === 0 && result.finished) return [];
  const again = `npm run simulate -- --seed ${'seed' in task ? task.seed : ''} --size ${size} --apps ${mean}${mission === 'deploy' ? '' : ` --${mission}`}`;
  return [...lines, ...(result.finished ? [] : [`${name}: unfinished`]), `  again: ${again}`];
}
