// What a run tells of its Lease, and what it leaves on it.
import { expect, test } from 'vitest';
import { beginRun } from '../../src/engines/argo-workflows/begin.ts';
import { endRun } from '../../src/engines/argo-workflows/end.ts';
import { runNode } from '../../src/engines/argo-workflows/node-pod.ts';
import type { Target } from '../../src/ports/target.ts';
import type { RunEvent } from '../../src/run/events.ts';
import { planOf, World } from '../fakes/run-world.ts';
import { MiniController } from '../fakes/workflow-controller.ts';

test('each time that the Lease cannot be renewed is told, not only the first', async () => {
  const world = new World({ a: { sync: 200 } });
  const running = world.start(planOf('a:'));
  while (world.argocd.syncs.length === 0) await world.clock.advance(100);
  const isIt = (one: RunEvent) => one.type === 'run.warning' && one.message.includes('lease');
  const told = () => world.events.filter(isIt).length;
  const after: number[] = [];
  for (const down of [true, false, true, false]) {
    world.argocd.leases.down = down ? new Error('restarting') : undefined;
    await world.clock.advance(30_000);
    after.push(told());
  }
  expect([after, (await world.clock.until(running)).exitStatus]).toEqual([[1, 1, 2, 2], 0]);
});

test('a Lease that is given back names no AppProject that is held', async () => {
  const world = new World({ a: { automated: true } });
  const marks = () => world.argocd.leases.peek('tiphys-shop')?.annotations.get('tiphys.dev/holds');
  const running = new MiniController(world, planOf('a:')).run();
  while (world.argocd.syncs.length === 0) await world.clock.advance(100);
  expect(marks()).toBe('default');
  const { report } = await world.clock.until(running);
  expect([report?.exitStatus, marks()]).toEqual([0, undefined]);
});

/** A Workflow of `a` and `b` that is at its end, whose first process takes four seconds to read an AppProject. */
async function atItsEnd() {
  const world = new World({ a: { automated: true }, b: { automated: true } });
  const { clock, target, events } = world;
  const plan = planOf('a:', 'b:');
  const listen = (event: RunEvent) => void events.push(event);
  const base = { plan, whole: plan, basis: plan.hash, workflow: 'argo/wf/uid', clock, listen };
  const request = { ...base, target, signal: new AbortController().signal };
  const run = await clock.until(beginRun({ ...request, runId: 'r1' }));
  const times = { runStartedAt: clock.now(), runTimeout: 600 };
  const nodeOf = (id: string) => runNode({ ...request, ...times, id, run, layered: false });
  await clock.until(nodeOf('app:a'));
  const { projects } = target;
  const writes: string[] = [];
  const slowly = (name: string): Target => ({
    ...target,
    projects: {
      get: async (project) => {
        await clock.sleep(4_000);
        return await projects.get(project);
      },
      update: async (...given) => {
        writes.push(name);
        return await projects.update(...given);
      },
    },
  });
  const endOf = (ender: string) =>
    endRun({ ...request, ...times, target: slowly(ender), keepHold: false, ender });
  return { world, nodeOf, endOf, writes };
}

test('of two ends only the later one hands over, also where the first is still at work', async () => {
  const { world, endOf, writes } = await atItsEnd();
  const old = endOf('old').catch((error: Error) => error.message);
  await world.clock.advance(5_000);
  const report = await world.clock.until(endOf('new'));
  expect([report?.held, await world.clock.until(old), writes]).toEqual([
    ...[['app:b'], expect.stringContaining('could not write its hold'), ['new']],
  ]);
});

test('a node that is late starts nothing once the run is brought to its end', async () => {
  const { world, nodeOf, endOf } = await atItsEnd();
  const ended = endOf('end');
  await world.clock.advance(2_000);
  await expect(world.clock.until(nodeOf('app:b'))).rejects.toThrow('another process completes it');
  expect([(await world.clock.until(ended))?.held, world.order()]).toEqual([['app:b'], 'a']);
});
