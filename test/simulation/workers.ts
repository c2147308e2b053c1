// Tasks for some processes at once, their answers in the order in which they come.
import { type ChildProcess, fork } from 'node:child_process';
import type { Answer, Task } from './worker.ts';

/** So that whatever a process keeps stays small. */
const TASKS_EACH = 5_000;
/** Nearly everything is short-lived: with more room for what is new, a quarter less is copied about. Each has one core. */
const FLAGS = ['--no-warnings', '--max-semi-space-size=64', '--single-threaded-gc'];
/** Real time for one task. Whoever needs longer hangs. */
const PATIENCE_MS = 120_000;

export interface Work {
  readonly bundle: string;
  readonly processes: number;
  readonly tasks: Iterable<Task>;
  /** False: enough. */
  readonly heard: (answer: Answer) => boolean | undefined;
  /** The process did not answer. False: enough. */
  readonly silent: (task: Task) => boolean | undefined;
}

export async function work({ bundle, processes, tasks, heard, silent }: Work): Promise<void> {
  const queue = tasks[Symbol.iterator]();
  let enough = false;
  const one = async () => {
    let child = start(bundle);
    const again = () => {
      child.kill('SIGKILL');
      child = start(bundle);
    };
    for (let count = 1; ; count++) {
      const next = enough ? undefined : queue.next();
      if (!next || next.done) break;
      const answer = await ask(child, next.value);
      if (answer) enough ||= heard(answer) === false;
      else {
        enough ||= silent(next.value) === false;
        again();
      }
      if (count % TASKS_EACH === 0) again();
    }
    child.kill();
  };
  await Promise.all(Array.from({ length: processes }, one));
}

function start(bundle: string): ChildProcess {
  return fork(bundle, [], { execArgv: FLAGS });
}

function ask(child: ChildProcess, task: Task): Promise<Answer | undefined> {
  return new Promise((resolve) => {
    const done = (answer?: Answer) => {
      clearTimeout(timer);
      child.off('message', done);
      child.off('exit', gone);
      resolve(answer);
    };
    const gone = () => done();
    const timer = setTimeout(gone, PATIENCE_MS);
    child.once('message', done);
    child.once('exit', gone);
    child.send(task);
  });
}
