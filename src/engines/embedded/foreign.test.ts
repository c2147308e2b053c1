// What Argo CD does by itself before a node has begun: waited for, and not done again.
import { expect, test } from 'vitest';
import { operationState, resource } from '../../../test/fakes/application.ts';
import { app, outcomes, planOf, stackOf, World } from '../../../test/fakes/run-world.ts';
import type { ApplicationView } from '../../ports/application-view.ts';

const OF_ITSELF = { infos: new Map<string, string>(), automated: true, username: '' };

class Itself extends World {
  /** An operation of Argo CD itself; `blocked` where a window has caught it. */
  begin(name: string, message = ''): void {
    const state = { ...OF_ITSELF, phase: 'Running' as const, message, finishedAt: undefined };
    this.argocd.change(name, { operation: OF_ITSELF, operationState: operationState(state) });
  }

  end(name: string, part: Partial<ApplicationView> = {}): void {
    const finishedAt = Math.floor(this.clock.now() / 1000);
    const revisions = [this.argocd.revision];
    const state = operationState({ ...OF_ITSELF, finishedAt, revisions });
    this.settle(name, { operation: undefined, operationState: state, ...part });
  }
}

const before = (world: World, name: string) => ({
  sync: { status: 'OutOfSync', revisions: [world.argocd.revision] },
  resources: [resource({ name, status: 'OutOfSync', health: undefined })],
});

test('a comparison with objects from before, just after its operation, leads to no second one', async () => {
  const world = new Itself({ a: { automated: true } });
  world.begin('a');
  let looks = 0;
  world.applications.refresh = async (address) => {
    // The second comparison sees what the operation did.
    if (++looks === 2) world.end('a', { operationState: world.argocd.view('a').operationState });
    return await world.honest.refresh(address);
  };
  const running = world.start(planOf('a:'));
  await world.clock.advance(12_000);
  expect(looks).toBe(0);
  world.end('a', before(world, 'a'));
  expect(outcomes(await world.clock.until(running))).toEqual({ a: 'unchanged' });
  expect(world.argocd.syncs).toEqual([]);
});

test('what is still out of sync at the second comparison is synced', async () => {
  const world = new Itself({ a: { automated: true } });
  world.begin('a');
  const running = world.start(planOf('a:'));
  await world.clock.advance(12_000);
  world.end('a', before(world, 'a'));
  expect(outcomes(await world.clock.until(running))).toEqual({ a: 'healthy' });
  expect(world.argocd.syncs).toHaveLength(1);
});

test('an operation with which Argo CD heals what it has just deployed is waited for as well', async () => {
  const world = new Itself({ a: { automated: true } });
  world.begin('a');
  const running = world.start(planOf('a:'));
  await world.clock.advance(12_000);
  world.end('a', before(world, 'a'));
  // By then the node has seen the end of the first one.
  await world.clock.advance(20);
  world.begin('a');
  await world.clock.advance(10_000);
  world.end('a');
  expect(outcomes(await world.clock.until(running))).toEqual({ a: 'unchanged' });
  expect(world.argocd.syncs).toEqual([]);
});

test('a server that shows it as it was before that operation is not flooded', async () => {
  const world = new Itself({ a: { automated: true } });
  world.end('a', before(world, 'a'));
  const shown = await world.honest.get({ project: 'default', namespace: 'argocd', name: 'a' });
  let requests = 0;
  let isBehind = true;
  world.applications.get = async (address) => {
    requests++;
    return isBehind ? shown : await world.honest.get(address);
  };
  world.applications.refresh = async (address) => {
    requests++;
    if (isBehind) world.begin('a');
    return await world.honest.refresh(address);
  };
  const running = world.start(planOf('a:'));
  await world.clock.advance(60_000);
  expect(requests).toBeGreaterThan(10);
  expect(requests).toBeLessThan(40);
  isBehind = false;
  world.end('a');
  expect(outcomes(await world.clock.until(running))).toEqual({ a: 'unchanged' });
  expect(world.argocd.syncs).toEqual([]);
});

test('operations without end use up the sync timeout, and no more', async () => {
  const world = new Itself({ a: { automated: true } });
  world.begin('a');
  world.applications.refresh = async (address) => {
    world.begin('a');
    return await world.honest.refresh(address);
  };
  const running = world.start(planOf('a:'));
  for (let n = 0; n < 100; n++) {
    await world.clock.advance(10_000);
    world.end('a');
  }
  expect(outcomes(await world.clock.until(running))).toEqual({ a: 'failed' });
});

test('one that froze under the window is let out, and Argo CD is told to look', async () => {
  const world = new Itself({ a: { automated: true }, b: { automated: true, sync: 60 } });
  const looked: boolean[] = [];
  world.applications.refresh = async (address) => {
    if (address.name === 'b') looked.push(world.held().includes('b'));
    return await world.honest.refresh(address);
  };
  const running = world.start(planOf('a:', 'b:'));
  await world.clock.advance(200);
  expect(world.held()).toContain('b');
  world.begin('b', 'Sync operation blocked by sync window');
  await world.clock.advance(5_000);
  expect(looked).toContain(false);
  world.end('b');
  await world.clock.until(running);
});

test('one of a parent that waits for its children, who wait for the run, is let go on beside them', async () => {
  const world = new Itself({ parent: { automated: true }, a: { automated: true } });
  world.begin('parent', 'waiting for healthy state of argoproj.io/Application/a');
  const running = world.start(stackOf('parent', [app('a')]));
  await world.clock.advance(30_000);
  expect(world.order()).toBe('a');
  expect(world.argocd.view('a').health.status).toBe('Healthy');
  world.end('parent');
  const report = await world.clock.until(running);
  expect(outcomes(report)).toMatchObject({ a: 'healthy', 'close:stack:s': 'unchanged' });
  expect(world.order()).toBe('a');
});

test('where it did not do what is wanted, the parent is synced after it', async () => {
  const world = new Itself({ parent: { automated: true }, a: { sync: 100 } });
  world.begin('parent');
  const running = world.start(stackOf('parent', [app('a')]));
  await world.clock.advance(30_000);
  world.end('parent', before(world, 'parent'));
  const report = await world.clock.until(running);
  expect(report.exitStatus).toBe(0);
  expect(world.order()).toBe('a parent');
});

test("an operation that stood in the request's way and did what was wanted is not made again", async () => {
  const world = new Itself({ a: {} });
  const { requestSync } = world.honest;
  world.applications.requestSync = async (address, request) => {
    const isFirst = !world.argocd.view('a').operationState;
    if (isFirst) world.begin('a');
    return await requestSync(address, request);
  };
  const running = world.start(planOf('a:'));
  await world.clock.advance(20_000);
  expect(world.argocd.view('a').operation).toBeDefined();
  world.end('a');
  expect(outcomes(await world.clock.until(running))).toEqual({ a: 'healthy' });
  expect(world.argocd.syncs).toEqual([]);
});

test('an operation that stands in the way, and that reads do not show yet, is not asked about in a race', async () => {
  const world = new World({ a: {} });
  const message = 'another operation is already in progress';
  const refusal = { kind: 'refused', reason: 'operation-in-progress', message } as const;
  world.argocd.answers.push(...Array.from({ length: 6 }, () => refusal));
  const report = await world.run(planOf('a:'));
  expect(outcomes(report)).toEqual({ a: 'healthy' });
  const asked = world.events.filter(({ type }) => type === 'node.sync-requested');
  const times = asked.map((event) => world.timeOf(event));
  expect(asked.length).toBe(7);
  expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(30_000);
});
