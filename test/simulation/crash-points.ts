// A crash at every write of a deployment of the reference platform, in three variants: each must resume and finish, and nothing is done twice.
import { VARIANTS } from './crash.ts';
import type { Answer, Task } from './worker.ts';
import { work } from './workers.ts';

export interface CrashRequest {
  readonly bundle: string;
  readonly processes: number;
  /** Every so-manieth boundary; 1: all. */
  readonly step: number;
  readonly print: (line: string) => void;
}

/** How far it is, now and then. */
const SHOWN = 100;

/** True: nothing is wrong. */
export async function runCrashPoints(request: CrashRequest): Promise<boolean> {
  const { bundle, processes, step, print } = request;
  const begun = performance.now();
  const written = await countWrites(bundle);
  const all = points(written.length);
  const chosen = all.filter((_, at) => at % step === 0);
  let [covered, wrong] = [0, 0];
  const complain = (task: Task, what: string) => {
    if (task.kind !== 'crash') return;
    wrong++;
    print(`write ${task.write} (${written[task.write - 1]}), killed ${task.variant}: ${what}`);
  };
  await work({
    ...{ bundle, processes, tasks: chosen },
    heard: ({ task, result }) => {
      covered++;
      if (covered % SHOWN === 0) print(`${covered} of ${chosen.length}`);
      for (const { invariant, message } of result.violations)
        complain(task, `${invariant}: ${message}`);
      if (!result.finished) complain(task, 'not finished');
      // After the last answer it was done.
      else if (result.lives < 2 && !isLast(task, written.length))
        complain(task, 'it was not killed');
      return undefined;
    },
    silent: (task) => {
      complain(task, 'no answer; it hangs');
      return undefined;
    },
  });
  const seconds = Math.round((performance.now() - begun) / 1000);
  print(renderCrashPoints({ writes: written.length, covered, all: all.length, seconds, wrong }));
  return wrong === 0 && covered === chosen.length;
}

/** The last line. `.ci/count.mjs` reads it. */
export function renderCrashPoints(
  count: {
    readonly [name in 'writes' | 'covered' | 'all' | 'seconds' | 'wrong']: number;
  },
): string {
  const { writes, covered, all, seconds, wrong } = count;
  const share = ((100 * covered) / all).toFixed(covered === all ? 0 : 1);
  return `${writes} writes, ${covered} of ${all} crash points (${share} %) in ${seconds} s: ${wrong} wrong`;
}

const isLast = (task: Task, writes: number): boolean =>
  task.kind === 'crash' && task.write === writes && task.variant === VARIANTS.at(-1);

function points(writes: number): Task[] {
  return Array.from({ length: writes }, (_, at) => at + 1).flatMap((write) =>
    VARIANTS.map((variant) => ({ kind: 'crash', write, variant }) as const),
  );
}

async function countWrites(bundle: string): Promise<readonly string[]> {
  let found: Answer | undefined;
  await work({
    ...{ bundle, processes: 1, tasks: [{ kind: 'count' }] as const },
    heard: (answer) => {
      found = answer;
      return undefined;
    },
    silent: () => {},
  });
  if (!found?.result.finished) throw new Error('the reference platform does not come up');
  return found.written;
}
