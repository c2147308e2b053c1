// One run at a time, so many nodes at once, for so long: what a Workflow leaves to the process that is asked.
import { describe, expect, test } from 'vitest';
import { AgentRun } from '../../../src/engines/argo-workflows/agent-run.ts';
import { beginRun } from '../../../src/engines/argo-workflows/begin.ts';
import { endRun } from '../../../src/engines/argo-workflows/end.ts';
import { runNode } from '../../../src/engines/argo-workflows/node-pod.ts';
import type { PodRequest } from '../../../src/engines/argo-workflows/pod.ts';
import { app, planFrom, planOf, World } from '../../fakes/run-world.ts';
import { MiniController } from '../../fakes/workflow-controller.ts';

const PLAN = planOf('a:');

/** A Workflow that was begun again after its end, with all of its steps: the second run is under way. */
async function begunTwice() {
  const world = new World({ a: {} });
  const { clock, target } = world;
  const request: PodRequest = {
    ...{ plan: PLAN, whole: PLAN, basis: PLAN.hash, workflow: 'argo/wf/uid', target, clock },
    ...{ listen: () => {}, signal: new AbortController().signal },
  };
  const times = { runStartedAt: clock.now(), runTimeout: 600 };
  const old = await clock.until(beginRun({ ...request, runId: 'old' }));
  await clock.until(runNode({ ...request, ...times, id: 'app:a', run: old, layered: false }));
  await clock.until(endRun({ ...request, ...times, keepHold: false, ender: 'end' }));
  world.argocd.change('a', { sync: { status: 'OutOfSync', revisions: ['rev-1'] } });
  const now = await clock.until(beginRun({ ...request, runId: 'new' }));
  expect([old, now, world.order()]).toEqual(['old', 'new', 'a']);
  return { world, request, times };
}

describe('what a process of a run that has ended is asked for is not done under the next one', () => {
  test('by a pod', async () => {
    const { world, request, times } = await begunTwice();
    const node = { ...request, ...times, id: 'app:a', layered: false };
    const late = world.clock.until(runNode({ ...node, run: 'old' }));
    await expect(late).rejects.toThrow('no longer owns platform "shop"');
    expect(world.order()).toBe('a');
    const { outcome } = await world.clock.until(runNode({ ...node, run: 'new' }));
    expect([outcome, world.order()]).toEqual(['healthy', 'a a']);
  });

  test('by the agent', async () => {
    const { world, request, times } = await begunTwice();
    const run = new AgentRun({
      ...{ layered: false, begin: async () => '', end: async () => {}, complain: () => {} },
      ...{ clock: world.clock, limits: { run: 600, begin: 60, end: 60 } },
      request: async () => request,
    });
    const started = new Date(times.runStartedAt).toISOString();
    const asked = (id: string) =>
      world.clock.until(
        run.perform({ action: 'node', node: 'app:a', run: id, started }, request.signal),
      );
    expect(await asked('old')).toMatchObject({
      ...{ phase: 'Failed', message: expect.stringContaining('no longer owns platform "shop"') },
    });
    expect(world.order()).toBe('a');
    expect([(await asked('new')).phase, world.order()]).toEqual(['Succeeded', 'a a']);
    await world.clock.until(run.close());
  });
});

test('an agent says of what it had to give up that the run’s time was up', async () => {
  const world = new World({ a: { sync: 200 } });
  const stacks = [{ name: 's', applications: [app('a')] }];
  const plan = planFrom({ timeouts: { run: '1m' }, stacks });
  const { report, messages } = await world.clock.until(
    new MiniController(world, plan, 'wf-1', 'agent').run(),
  );
  expect(report?.exitStatus).toBe(4);
  expect(messages).toEqual(['Error (exit code 4): the run timed out']);
});

test.each(['pods', 'agent'] as const)(
  'by %s, no more nodes are in work than the platform allows',
  async (shape) => {
    const names = ['a', 'b', 'c', 'd'];
    const world = new World(Object.fromEntries(names.map((name) => [name, {}])));
    const applications = names.map((name) => app(name));
    const plan = planFrom({ concurrency: 2, stacks: [{ name: 's', applications }] });
    await world.clock.until(new MiniController(world, plan, 'wf-1', shape).run());
    let inWork = 0;
    let most = 0;
    for (const { type } of world.events) {
      if (type === 'node.started') most = Math.max(most, ++inWork);
      if (type === 'node.finished') inWork--;
    }
    expect([world.argocd.syncs.length, most]).toEqual([4, 2]);
  },
);
