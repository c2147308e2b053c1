// The agent of a Workflow: what it does with the tasks that it is given, and with those that are taken back.
import { expect, test } from 'vitest';
import { VirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { TiphysError } from '../../errors.ts';
import type { TaskResult, TaskSets, TaskSetView } from '../../ports/argo-workflows.ts';
import { type AgentTask, serveTasks } from './agent.ts';
import { AgentRun } from './agent-run.ts';

const GOOD: TaskResult = { phase: 'Succeeded', message: '', outputs: {} };
const task = (action: string, node = '') => ({ action, node, run: 'r1', started: '' });

class Place {
  readonly clock = new VirtualClock();
  readonly tasks = new Map<string, Readonly<Record<string, string>> | undefined>();
  readonly told = new Map<string, TaskResult>();
  readonly log: string[] = [];
  readonly abort = new AbortController();
  isOver = false;
  reports = 0;
  /** What the next reports are answered. */
  readonly answers: Awaited<ReturnType<TaskSets['report']>>[] = [];
  readonly troubles: Error[] = [];
  /** What a reader gets that began to read before the last change. */
  stale: TaskSetView | undefined;
  changed: () => void = () => {};

  get view(): TaskSetView {
    const { isOver, tasks, told } = this;
    return { isOver, tasks: new Map(tasks), reported: new Set(told.keys()) };
  }

  readonly taskSets: TaskSets = {
    get: async () => {
      const trouble = this.troubles.shift();
      if (trouble) throw trouble;
      const given = this.stale ?? this.view;
      this.stale = undefined;
      return given;
    },
    report: async (_, __, results) => {
      this.reports++;
      const answer = this.answers.shift();
      if (answer) return answer;
      for (const [id, result] of results) if (this.tasks.has(id)) this.told.set(id, result);
      return { kind: 'done' };
    },
    watch: async (_, __, changed) => {
      this.changed = changed;
      return true;
    },
  };

  give(id: string, values: Readonly<Record<string, string>> | undefined): void {
    this.tasks.set(id, values);
    this.changed();
  }

  take(id: string): void {
    this.tasks.delete(id);
    this.told.delete(id);
    this.changed();
  }

  /** Each task takes ten seconds, and one more to let go. */
  serve(concurrency = 20, perform = this.#slowly): Promise<void> {
    const { clock, taskSets, abort } = this;
    return serveTasks({
      ...{ clock, taskSets, concurrency, perform, signal: abort.signal },
      ...{ namespace: 'argo', workflow: 'wf', warn: (message) => this.log.push(message) },
    });
  }

  #slowly = async ({ action, node }: AgentTask, signal: AbortSignal): Promise<TaskResult> => {
    const name = node || action;
    this.log.push(`+${name}`);
    await this.clock.sleep(10_000, signal);
    if (signal.aborted) await this.clock.sleep(1_000);
    this.log.push(`-${name}`);
    return GOOD;
  };
}

test('serves what it is given, tells what came of it, and ends with the Workflow', async () => {
  const place = new Place();
  place.give('1', task('begin'));
  place.give('2', undefined);
  const serving = place.serve();
  await place.clock.advance(11_000);
  expect([place.log, [...place.told]]).toEqual([['+begin', '-begin'], [['1', GOOD]]]);
  place.take('1');
  place.give('3', task('node', 'a'));
  place.give('4', task('node', 'b'));
  await place.clock.advance(11_000);
  expect([...place.told.keys()]).toEqual(['3', '4']);
  place.isOver = true;
  place.changed();
  await place.clock.until(serving);
});

test('nodes in work at once are no more than may be', async () => {
  const place = new Place();
  for (const name of ['a', 'b', 'c']) place.give(name, task('node', name));
  void place.serve(2);
  await place.clock.advance(5_000);
  expect(place.log).toEqual(['+a', '+b']);
  // One that waits and is taken back takes no place from the others.
  place.give('d', task('node', 'd'));
  await place.clock.advance(1_000);
  place.take('c');
  await place.clock.advance(10_000);
  expect(place.log).toEqual(['+a', '+b', '-a', '+d', '-b']);
});

test('a task that is taken back is left, and nothing is told of it', async () => {
  const place = new Place();
  place.give('1', task('node', 'a'));
  void place.serve();
  await place.clock.advance(5_000);
  place.take('1');
  await place.clock.advance(10_000);
  expect([place.log, place.reports]).toEqual([['+a', '-a'], 0]);
});

test('a node that is given again is begun when the first has let go of it, the end after all', async () => {
  const place = new Place();
  place.give('1', task('node', 'a'));
  place.give('2', task('node', 'b'));
  void place.serve();
  await place.clock.advance(5_000);
  place.tasks.delete('1');
  place.give('3', task('node', 'a'));
  await place.clock.advance(500);
  expect(place.log).toEqual(['+a', '+b']);
  await place.clock.advance(1_000);
  expect(place.log).toEqual(['+a', '+b', '-a', '+a']);
  for (const id of ['2', '3']) place.tasks.delete(id);
  place.give('4', task('end'));
  await place.clock.advance(2_000);
  expect(place.log.slice(4)).toEqual(['-b', '-a', '+end']);
});

test('what was told is not begun again by whoever has read it before', async () => {
  const place = new Place();
  place.give('1', task('node', 'a'));
  void place.serve();
  await place.clock.advance(9_000);
  const before = place.view;
  await place.clock.advance(2_000);
  expect([...place.told.keys()]).toEqual(['1']);
  place.stale = before;
  place.changed();
  await place.clock.advance(20_000);
  expect(place.log).toEqual(['+a', '-a']);
});

test('one that is started again begins what has no result, and nothing else', async () => {
  const place = new Place();
  place.give('1', task('node', 'a'));
  place.give('2', task('node', 'b'));
  place.told.set('1', GOOD);
  void place.serve();
  await place.clock.advance(11_000);
  expect(place.log).toEqual(['+b', '-b']);
});

test('a result is told until it is taken, and a task set that cannot be read is waited for', async () => {
  const place = new Place();
  place.answers.push({ kind: 'refused', reason: 'conflict', message: 'changed' });
  place.answers.push({ kind: 'unknown', message: 'no answer' });
  place.troubles.push(
    new TiphysError([{ code: 'cluster-unreachable', message: 'down', hint: '' }]),
  );
  place.give('1', task('node', 'a'));
  void place.serve();
  await place.clock.advance(20_000);
  expect([...place.told.keys()]).toEqual(['1']);
  expect(place.log).toEqual(['down', '+a', '-a', 'the results of 1 cannot be written: no answer']);
});

test('asked to abort, it tells nothing of what it had in work', async () => {
  const place = new Place();
  place.give('1', task('node', 'a'));
  const serving = place.serve();
  await place.clock.advance(5_000);
  place.abort.abort();
  await place.clock.until(serving);
  expect([place.log, place.reports]).toEqual([['+a', '-a'], 0]);
});

test('what is wrong before anything can be done is told as the result of the task', async () => {
  const message = 'The files give plan x, not y.';
  const error = new TiphysError([{ code: 'variable-invalid', message, hint: '' }]);
  const complaints: unknown[] = [];
  const run = new AgentRun({
    ...{ layered: false, begin: async () => '', end: async () => {} },
    ...{ clock: new VirtualClock(), limits: { run: 60, begin: 60, end: 60 } },
    request: () => Promise.reject(error),
    complain: (one) => complaints.push(one),
  });
  const begin = { action: 'begin', node: '', run: '', started: '' } as const;
  expect(await run.perform(begin, new AbortController().signal)).toEqual({
    ...{ phase: 'Failed', message: `Error (exit code 3): ${message}`, outputs: {} },
  });
  expect(complaints).toEqual([error]);
  await run.close();
});
