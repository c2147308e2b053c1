// What keeps a Workflow from beginning, and its nodes from going on: a scope whose outside is not Healthy, a Lease that is lost.
import { describe, expect, test } from 'vitest';
import { app, outcomes, planFrom, planOf, World } from '../../fakes/run-world.ts';
import { MiniController } from '../../fakes/workflow-controller.ts';

const SPEC = {
  stacks: [
    { name: 'data', applications: [app('base')] },
    { name: 'web', dependsOn: ['stack:data'], applications: [app('shop')] },
  ],
};
const WHOLE = planFrom(SPEC);
const WEB = planFrom(SPEC, { scope: ['stack:web'] });

describe.each(['pods', 'agent'] as const)('a Workflow by %s', (shape) => {
  const webOf = ({ clock, target, events }: World) =>
    new MiniController({ clock, target, events, whole: WHOLE }, WEB, 'wf-1', shape).run();

  test('does not begin where what its scope depends on is not Healthy', async () => {
    const world = new World({ base: { automated: true }, shop: { automated: true } });
    const { phases, messages } = await world.clock.until(webOf(world));
    expect([phases.get('begin'), phases.get('nodes')]).toEqual(['Failed', 'Omitted']);
    expect(messages.join()).toContain('The scope depends on "base", which is not Healthy');
    expect([world.argocd.syncs, world.held(), world.argocd.leases.writes]).toEqual([[], [], 0]);
  });

  test('skips what depends on an Application outside of its scope that fell after its beginning', async () => {
    const world = new World({ base: {}, shop: {} });
    world.settle('base');
    const running = webOf(world);
    while (!world.events.some(({ type }) => type === 'run.started')) await world.clock.advance(100);
    world.argocd.turn('base', 'Degraded');
    const { report } = await world.clock.until(running);
    expect([report && outcomes(report), world.argocd.syncs]).toEqual([{ shop: 'skipped' }, []]);
    expect(report?.nodes.find(({ id }) => id === 'app:shop')?.cause?.node).toBe('app:base');
  });

  test('does not begin where another run takes the Lease before everything is held', async () => {
    const world = new World({ a: {} });
    const { watches } = world.argocd.target;
    const applications: typeof watches.applications = async (namespaces, signal) => {
      const lease = world.argocd.leases.peek('tiphys-shop');
      if (!lease) throw new Error('no lease');
      world.argocd.leases.put({ ...lease, holder: 'somebody' });
      await world.clock.sleep(6_000);
      return await watches.applications(namespaces, signal);
    };
    world.part.watches = { ...watches, applications };
    const controller = new MiniController(world, planOf('a:'), 'wf-1', shape);
    const { phases, messages } = await world.clock.until(controller.run());
    expect([phases.get('begin'), phases.get('nodes')]).toEqual(['Failed', 'Omitted']);
    expect(messages.join()).toContain('"somebody" took it over');
  });
});
