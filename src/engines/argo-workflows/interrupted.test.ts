// What the processes of a Workflow say of the cluster when they are told to leave.
import { expect, test } from 'vitest';
import { failure } from '../../../test/fakes/failure.ts';
import { planOf, World } from '../../../test/fakes/run-world.ts';
import { beginRun } from './begin.ts';
import { runNode } from './node-pod.ts';
import type { PodRequest } from './pod.ts';

const PLAN = planOf('a:');

function place() {
  const world = new World({ a: { automated: true, sync: 100 } });
  const { target, clock, stop } = world;
  const never = new AbortController().signal;
  const request: PodRequest = {
    ...{ plan: PLAN, whole: PLAN, basis: PLAN.hash, workflow: 'argo/wf/uid', target, clock },
    ...{ listen: () => {}, signal: never },
  };
  return { world, request, leaving: { ...request, signal: stop.signal } };
}

test('a beginning that has put its hold up does not say that nothing was changed', async () => {
  const { world, leaving } = place();
  const leave = () => world.held().length > 0 && world.stop.abort();
  void world.clock.sleep(1_000).then(leave);
  const error = await world.clock.until(failure(beginRun({ ...leaving, runId: 'r1' })));
  expect(error).toMatchObject({
    diagnostics: [
      {
        code: 'interrupted',
        message:
          'Interrupted. No Application was synced or deleted; applications on hold stay on hold.',
      },
    ],
  });
  expect([world.held(), world.order()]).toEqual([['a'], '']);
});

test('nor does a node that has begun something', async () => {
  const { world, request, leaving } = place();
  const { clock } = world;
  const run = await clock.until(beginRun({ ...request, runId: 'r1' }));
  const times = { runStartedAt: clock.now(), runTimeout: 600 };
  const node = { ...leaving, ...times, id: 'app:a', run, layered: false };
  void clock.sleep(20_000).then(() => world.stop.abort());
  expect(await clock.until(failure(runNode(node)))).toMatchObject({
    diagnostics: [
      {
        code: 'interrupted',
        message:
          'Interrupted. Operations in progress continue; another process of the run resumes them.',
      },
    ],
  });
  expect(world.order()).toBe('a');
});
