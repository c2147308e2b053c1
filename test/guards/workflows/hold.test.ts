// The hold, as the processes of a Workflow's nodes see it: one that is gone ends the run, whoever notices first, and is never
// put up again as if nothing had happened.
import { describe, expect, test } from 'vitest';
import { holdOf, holdWindow } from '../../../src/run/hold.ts';
import { causeOf, outcomes, planOf, World } from '../../fakes/run-world.ts';
import { MiniController } from '../../fakes/workflow-controller.ts';

const LOST = expect.stringContaining('lost its hold on the AppProject "default"');

const takeAway = (world: World) => world.edit({ windows: [], annotations: new Map() });

/** Somebody edits the window: these are left in it. */
function leaveOnly(world: World, ...names: string[]): void {
  world.edit({ windows: [holdWindow(names)] });
  const project = world.argocd.projects.peek('default');
  expect(project && holdOf(project, 'shop')?.names).toEqual(names);
}

describe.each(['pods', 'agent'] as const)('a Workflow by %s', (shape) => {
  const start = (world: World, ...lines: string[]) =>
    new MiniController(world, planOf(...lines), 'wf-1', shape).run();

  test('a node that finds it gone says so, and not that a dependency fell', async () => {
    const world = new World({ a: { automated: true }, b: { automated: true } });
    const running = start(world, 'a:', 'b: a');
    const isDone = () => world.events.some((one) => one.type === 'node.finished');
    while (!isDone()) await world.clock.advance(100);
    takeAway(world);
    world.argocd.turn('a', 'Degraded');
    const { report } = await world.clock.until(running);
    expect(report && outcomes(report)).toEqual({ a: 'healthy', b: 'failed' });
    expect([report?.reason, report && causeOf(report, 'app:b')?.node]).toEqual([LOST, 'run']);
  });

  test('one that goes between the first look and the first request is not put up again', async () => {
    const world = new World({ a: { automated: true } });
    const { api } = world.argocd.projects;
    let looks = 0;
    const get: typeof api.get = async (name) => {
      const seen = await api.get(name);
      const isNode = world.events.some(({ type }) => type === 'node.started');
      if (isNode && looks++ === 0) takeAway(world);
      return seen;
    };
    world.part.projects = { ...api, get };
    const { report } = await world.clock.until(start(world, 'a:'));
    expect([report && outcomes(report), report?.reason]).toEqual([{ a: 'failed' }, LOST]);
    expect([world.argocd.syncs, world.held()]).toEqual([[], []]);
  });

  test('what Argo CD deployed after somebody took its name out does not count as good', async () => {
    const world = new World({ a: { automated: true, sync: 30 }, b: { automated: true } });
    const running = start(world, 'a:', 'b: a');
    while (world.argocd.syncs.length === 0) await world.clock.advance(100);
    leaveOnly(world, 'a');
    world.settle('b');
    const { report } = await world.clock.until(running);
    expect([report && outcomes(report).b, report?.reason]).toEqual(['failed', LOST]);
  });

  test('one that somebody made smaller between two attempts is not completed again', async () => {
    const phases = ['Failed', 'Succeeded'] as const;
    const world = new World({ a: { automated: true, phases }, b: { automated: true, sync: 100 } });
    const running = start(world, 'a:', 'b:');
    while (!world.argocd.syncs.some(({ name }) => name === 'a')) await world.clock.advance(100);
    leaveOnly(world, 'b');
    const { report } = await world.clock.until(running);
    expect([report && outcomes(report).a, report?.reason]).toEqual(['failed', LOST]);
    expect(world.argocd.syncs.filter(({ name }) => name === 'a')).toHaveLength(1);
  });
});
