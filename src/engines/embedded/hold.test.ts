// What syncs by itself is held in time, freezes nobody's operation, and is let go.
import { expect, test } from 'vitest';
import { operationState, resource } from '../../../test/fakes/application.ts';
import { projectNamed } from '../../../test/fakes/cluster.ts';
import { app, oneStack, outcomes, planOf, stackOf, World } from '../../../test/fakes/run-world.ts';
import { HOLD_ANNOTATION, holdWindow } from '../../run/hold.ts';

const OF_ITSELF = { infos: new Map<string, string>(), automated: true, username: '' };
const AUTOMATED = { automated: true };
const inFlight = (message = '') => ({
  operation: OF_ITSELF,
  operationState: operationState({
    ...OF_ITSELF,
    phase: 'Running',
    message,
    finishedAt: undefined,
  }),
});

function slowProjects(world: World, ms: number): void {
  const { projects } = world.argocd.target;
  world.part.projects = {
    ...projects,
    update: async (...change) => {
      await world.clock.sleep(ms);
      return await projects.update(...change);
    },
  };
}

/** Something that the first comparison of an Application brings to light. */
function atFirstRefresh(world: World, name: string, change: () => void): void {
  let first = true;
  world.applications.refresh = async (address) => {
    await world.honest.refresh(address);
    if (address.name !== name || !first) return;
    first = false;
    change();
  };
}

/** `moved` turns out to be changed, `still` does not. */
function oneMoved(): World {
  const world = new World({ moved: AUTOMATED, still: AUTOMATED });
  world.settle('moved');
  world.settle('still');
  atFirstRefresh(world, 'moved', () =>
    world.argocd.change('moved', {
      sync: { status: 'OutOfSync', revisions: [world.argocd.revision] },
      resources: [resource({ name: 'moved', status: 'OutOfSync' })],
    }),
  );
  return world;
}

test('one that turns out unchanged while the hold is written does not stay held', async () => {
  const world = oneMoved();
  slowProjects(world, 2_000);
  const report = await world.run(planOf('moved:', 'still:'));
  expect(outcomes(report)).toEqual({ moved: 'healthy', still: 'unchanged' });
  expect([report.held, world.held()]).toEqual([[], []]);
});

test('one that turns out unchanged while the hold is prepared is not held afterwards', async () => {
  const world = oneMoved();
  world.watches.projects = async () => {
    await world.clock.sleep(10_000);
    return false;
  };
  const report = await world.run(planOf('moved:', 'still:'));
  expect(outcomes(report)).toEqual({ moved: 'healthy', still: 'unchanged' });
  expect([report.held, world.held()]).toEqual([[], []]);
});

test('after its end a run neither terminates nor freezes an operation of Argo CD itself', async () => {
  const world = new World({ a: AUTOMATED, busy: AUTOMATED });
  world.argocd.change('busy', { operation: OF_ITSELF });
  let terminated = 0;
  world.applications.terminate = async (address) => {
    terminated++;
    return await world.honest.terminate(address);
  };
  const running = world.start(planOf('a:', 'busy:'));
  await world.clock.advance(5_000);
  world.leaveNow();
  await world.clock.until(running);
  expect(world.clock.sleepers).toBe(0);
  await world.clock.advance(400_000);
  expect(terminated).toBe(0);
  expect(world.held()).not.toContain('busy');
});

test('an operation of Argo CD itself has ended before its Application is held', async () => {
  const world = new World({ slow: { automated: true, sync: 200 }, busy: AUTOMATED });
  world.argocd.change('busy', inFlight());
  let endedAt = Infinity;
  const end = async () => {
    await world.clock.sleep(8_000);
    endedAt = world.clock.monotonic();
    const state = operationState({ phase: 'Failed', infos: new Map() });
    world.argocd.change('busy', { operation: undefined, operationState: state });
  };
  world.applications.terminate = async () => {
    void end();
    return { kind: 'done' };
  };
  await world.run(oneStack(app('slow'), app('busy', [], { timeouts: { sync: '1m' } })));
  const held = world.events.find((e) => e.type === 'hold.changed' && e.held.includes('busy'));
  expect(endedAt).toBeLessThan(80_000);
  expect(held && world.timeOf(held)).toBeGreaterThanOrEqual(endedAt);
});

test('an operation of Argo CD itself that begins under the window is let out again', async () => {
  const world = new World({ a: AUTOMATED, b: AUTOMATED });
  slowProjects(world, 500);
  const running = world.start(planOf('a:', 'b: a'));
  await world.clock.advance(200);
  world.argocd.change('b', inFlight('Sync operation blocked by sync window'));
  await world.clock.advance(5_000);
  const held = world.events.flatMap((e) => (e.type === 'hold.changed' ? [e.held.join(' ')] : []));
  expect(held).toEqual(['a b', 'a']);
  world.argocd.change('b', { operation: undefined });
  await world.clock.advance(2_000);
  expect(world.held()).toEqual(['a', 'b']);
  await world.clock.until(running);
});

test('one that froze under the window of a run that died is let out by the next one', async () => {
  const world = new World({ a: AUTOMATED, busy: AUTOMATED });
  const hold = holdWindow(['a', 'busy']);
  world.edit({ windows: [hold], annotations: new Map([[HOLD_ANNOTATION, 'shop/dead']]) });
  world.argocd.change('busy', inFlight('Sync operation blocked by sync window'));
  const running = world.start(planOf('a:', 'busy: a'));
  await world.clock.advance(5_000);
  expect(world.held()).not.toContain('busy');
  world.settle('busy', { operation: undefined });
  expect((await world.clock.until(running)).exitStatus).toBe(0);
  expect(world.held()).toEqual([]);
});

test('a Healthy platform with something Suspended that may be so gets no write', async () => {
  const world = new World({ a: AUTOMATED, b: AUTOMATED });
  world.settle('a');
  world.settle('b', { health: { status: 'Suspended', message: '', lastTransition: 't' } });
  await world.run(oneStack(app('a'), app('b', [], { gate: { allowSuspended: true } })));
  expect(world.argocd.projects.writes).toBe(0);
});

test('one that is in sync but not Healthy puts up the hold for what is behind it', async () => {
  const world = new World({ base: AUTOMATED, top: AUTOMATED });
  world.settle('base');
  world.settle('top');
  atFirstRefresh(world, 'base', () => world.argocd.turn('base', 'Progressing'));
  const report = await world.run(planOf('base:', 'top: base'));
  expect(outcomes(report)).toEqual({ base: 'failed', top: 'skipped' });
  expect(world.held()).toContain('top');
});

test('an application that gets automated sync during the run is held', async () => {
  const world = new World({ base: { sync: 30 }, top: {} });
  const running = world.start(planOf('base:', 'top: base'));
  await world.clock.advance(5_000);
  world.argocd.change('top', { automated: { prune: false, selfHeal: true } });
  await world.clock.advance(20_000);
  expect(world.held()).toContain('top');
  await world.clock.until(running);
});

test('a project with windows in Git is taken where its Application leaves windows alone', async () => {
  const world = new World({ parent: {}, a: {} });
  const applied = '{"spec":{"syncWindows":[]}}';
  const annotations = new Map([['kubectl.kubernetes.io/last-applied-configuration', applied]]);
  world.argocd.projects.put(projectNamed('default', { trackedBy: 'parent', annotations }));
  world.settle('a');
  world.settle('parent', { leavesWindows: true });
  expect((await world.run(stackOf('parent', [app('a')]))).exitStatus).toBe(0);
  world.settle('parent', { leavesWindows: false });
  await expect(world.run(stackOf('parent', [app('a')]))).rejects.toThrow(/syncWindows|windows/);
});
