// How much of it the order's checker notices when the hold is taken away: in nearly all worlds in which Argo CD would break the order then.
import { BUGS } from './bugs/bugs.ts';
import { bundle } from './bundle.ts';
import { Summary } from './summary.ts';
import type { Task } from './worker.ts';
import { work } from './workers.ts';

export interface WithoutHoldRequest {
  readonly from: number;
  readonly count: number;
  readonly mean: number;
  readonly processes: number;
  readonly print: (line: string) => void;
}

const BUG = 'hold-removed';
const LEAST = 0.95;

/** True: the checkers can be relied on. */
export async function runWithoutHold(request: WithoutHoldRequest): Promise<boolean> {
  const { processes, print } = request;
  const file = await bundle(BUGS.find(({ name }) => name === BUG)?.patches ?? []);
  const summary = new Summary();
  await work({
    ...{ bundle: file, processes, tasks: tasks(request) },
    heard: (answer) => {
      summary.add(answer);
      const { result, task } = answer;
      if (result.isBreakable && result.violations.length === 0 && task.kind === 'seed')
        print(`seed ${task.seed}: nothing was noticed`);
      return undefined;
    },
    silent: () => undefined,
  });
  const { breakable, broken, seen } = summary.order;
  const share = (count: number) =>
    `${count} of ${breakable} (${((100 * count) / breakable).toFixed(1)} %)`;
  print(
    `without the hold, worlds in which Argo CD breaks the order: ${share(broken)} fail, ${share(seen)} by the order itself`,
  );
  return breakable > 0 && broken >= LEAST * breakable;
}

function* tasks({ from, count, mean }: WithoutHoldRequest): Generator<Task> {
  for (let seed = from; seed < from + count; seed++)
    yield { kind: 'seed', seed, options: { mean, mission: 'deploy' } };
}
