// The Application of a stack: what it makes, what it must not take away, and what its failure is.
import { expect, test } from 'vitest';
import { resource } from '../../../test/fakes/application.ts';
import { app, causeOf, outcomes, planFrom, stackOf, World } from '../../../test/fakes/run-world.ts';

const A_MEMBER = stackOf('parent', [app('a')]);

test('Git that loses a child during the run makes no sync that prunes it', async () => {
  const world = new World({ parent: { automated: true, sync: 1 }, a: {} });
  world.argocd.change('parent', { automated: { prune: true, selfHeal: false } });
  const pruned: boolean[] = [];
  world.applications.requestSync = async (address, request) => {
    if (address.name === 'parent') pruned.push(request.prune);
    return await world.honest.requestSync(address, request);
  };
  const running = world.start(A_MEMBER);
  await world.clock.advance(8_000);
  world.argocd.revision = 'rev-2';
  const old = resource({ group: 'argoproj.io', kind: 'Application', name: 'old' });
  world.argocd.change('parent', {
    sync: { status: 'OutOfSync', revisions: ['rev-2'] },
    resources: [{ ...old, status: 'OutOfSync', requiresPruning: true }],
  });
  await world.clock.advance(60_000);
  world.leaveNow();
  await world.clock.until(running);
  expect(pruned).toEqual([false]);
});

test('a newer commit is synced also where a child that nobody expects is OutOfSync', async () => {
  const world = new World({ parent: { sync: 1 }, a: {}, other: {} });
  world.argocd.change('other', { trackedBy: 'parent' });
  const running = world.start(A_MEMBER);
  await world.clock.advance(8_000);
  world.argocd.revision = 'rev-2';
  const other = resource({ group: 'argoproj.io', kind: 'Application', name: 'other' });
  world.argocd.change('parent', {
    sync: { status: 'OutOfSync', revisions: ['rev-2'] },
    resources: [{ ...other, status: 'OutOfSync' }],
  });
  const report = await world.clock.until(running);
  expect(world.order()).toBe('parent a a parent');
  expect(report.exitStatus).toBe(0);
});

test('a parent that was opened does not count as something that became Healthy', async () => {
  const world = new World({ parent: { sync: 1 }, a: { phases: ['Failed'] } });
  expect((await world.run(A_MEMBER)).exitStatus).toBe(1);
});

const isMade = (world: World) => () =>
  world.argocd.view('parent').operationState?.phase === 'Succeeded';

test('the operation of a parent that fails after it began is tried again, and its members wait', async () => {
  const world = new World({ parent: { sync: 1, phases: ['Failed', 'Succeeded'] }, a: {} });
  world.hide('a', isMade(world));
  const report = await world.run(A_MEMBER);
  expect(outcomes(report)).toMatchObject({ a: 'healthy', 'close:stack:s': 'healthy' });
  expect(world.order()).toBe('parent parent a');
});

test('members that never appear have the failure of their parent as their cause', async () => {
  const world = new World({ parent: { sync: 20, phases: ['Failed'] }, a: {}, b: {} });
  world.hide('a', isMade(world));
  const report = await world.run(stackOf('parent', [app('a'), app('b', ['a'])]));
  expect(world.order()).toBe('parent parent parent');
  expect(outcomes(report)).toEqual({
    'open:stack:s': 'failed',
    'close:stack:s': 'skipped',
    a: 'skipped',
    b: 'skipped',
  });
  for (const id of ['app:a', 'app:b', 'close:stack:s']) {
    expect(causeOf(report, id)).toMatchObject({
      node: 'open:stack:s',
      message: expect.stringContaining('ended as Failed'),
    });
  }
  expect(world.clock.monotonic()).toBeLessThan(120_000);
});

test('members start while the operation of their parent is running, and need no slot of its', async () => {
  const world = new World({ parent: { sync: 100 }, a: {} });
  const report = await world.run(A_MEMBER, { concurrency: 1 });
  expect(report.exitStatus).toBe(0);
  expect(world.argocd.syncs.find(({ name }) => name === 'a')?.at).toBeLessThan(10_000);
});

test('a member that appears while another one is in work waits for its slot', async () => {
  const world = new World({ parent: { sync: 4 }, a: {}, b: {} });
  world.hide('a', isMade(world));
  // What takes longer is started first.
  const a = app('a', [], { expectedDuration: '1h' });
  const report = await world.run(stackOf('parent', [a, app('b')]), { concurrency: 1 });
  expect(report.exitStatus).toBe(0);
  const happened = world.events.flatMap((event) =>
    event.type === 'node.sync-requested' || event.type === 'node.finished'
      ? [`${event.type} ${event.node}`]
      : [],
  );
  const [asked, ended] = ['node.sync-requested app:a', 'node.finished app:b'];
  expect(happened).toEqual(expect.arrayContaining([asked, ended]));
  expect(happened.indexOf(asked)).toBeGreaterThan(happened.indexOf(ended));
});

test('an operation that waits for a child that failed does not keep the run from its end', async () => {
  const world = new World({ parent: { sync: 7_000 }, a: { phases: ['Failed'] } });
  const report = await world.run(A_MEMBER);
  expect(outcomes(report)).toMatchObject({ a: 'failed', 'close:stack:s': 'skipped' });
  expect(world.clock.monotonic()).toBeLessThan(300_000);
});

test('a member that comes only after one that failed is given up after its sync timeout', async () => {
  const world = new World({ parent: { sync: 7_000 }, a: { phases: ['Failed'] }, late: {} });
  world.hide('late', isMade(world));
  const report = await world.run(stackOf('parent', [app('a'), app('late')]));
  expect(outcomes(report)).toMatchObject({ a: 'failed', late: 'failed' });
  expect(world.clock.monotonic()).toBeLessThan(1_000_000);
});

const CROSSED = stackOf('parent', [app('early', ['late']), app('late')]);

test('a member that is made only after one that waits for it is told as what it is', async () => {
  const world = new World({ parent: { sync: 7_000 }, early: {}, late: {} });
  world.hide('late', () => world.argocd.view('early').health.status === 'Healthy');
  const report = await world.run(CROSSED);
  expect(outcomes(report)).toMatchObject({ early: 'skipped', late: 'failed' });
  const { message } = causeOf(report, 'app:late') ?? {};
  expect(message).toContain('in a later sync wave than "early", which depends on it');
  expect(message).toContain('contradict the graph');
  expect(world.clock.monotonic()).toBeLessThan(400_000);
});

test('so is one that is made only after Applications of a generated member that waits for it', async () => {
  const world = new World({ parent: { sync: 7_000 }, 'shop-1': {}, late: {} });
  world.argocd.change('shop-1', { labels: new Map([['team', 'shop']]) });
  world.hide('late', () => world.argocd.view('shop-1').health.status === 'Healthy');
  const selector = { selector: { matchLabels: { team: 'shop' } }, names: 'shop-*' };
  const report = await world.run(stackOf('parent', [app('shop', ['late'], selector), app('late')]));
  expect(outcomes(report)).toMatchObject({ shop: 'skipped', late: 'failed' });
  expect(causeOf(report, 'app:late')?.message).toContain('contradict the graph');
});

test.each([
  ['the one before it is Healthy without it', true, []],
  ['somebody is at work', false, [app('slow')]],
])('and is waited for where %s', async (_, settled, others) => {
  const world = new World({ parent: { sync: 400 }, early: {}, late: {}, slow: { sync: 345 } });
  if (settled) world.settle('early');
  world.hide('late', () => world.clock.monotonic() > 330_000);
  void world.clock.sleep(331_000).then(() => world.argocd.change('late', {}));
  const late = app('late', [], { timeouts: { sync: '5m', health: '5m' } });
  const long = { timeouts: { sync: '20m', health: '20m' } };
  const plan = stackOf('parent', [app('early', ['late']), late, ...others], long);
  expect((await world.run(plan)).exitStatus).toBe(0);
});

/** A run for one member, told to stop before its parent has made it. */
async function stoppedBeforeLate(world: World) {
  world.hide('late', isMade(world));
  const stacks = [{ name: 's', application: 'parent', applications: [app('late')] }];
  const running = world.start(
    planFrom({ stacks }, { scope: ['app:late'], withDependencies: true }),
  );
  await world.clock.advance(5_000);
  world.stop.abort();
  return await world.clock.until(running);
}

test('told to stop, a run does not wait longer for a member that only a whole platform would bring', async () => {
  const world = new World({ parent: { sync: 7_000 }, late: {} });
  expect(outcomes(await stoppedBeforeLate(world))).toMatchObject({ late: 'failed' });
  expect(world.clock.monotonic()).toBeLessThan(1_000_000);
});

test('told to stop, a run does not wait for the operation of a parent', async () => {
  const world = new World({ parent: { sync: 7_000 }, a: {}, b: {} });
  const running = world.start(stackOf('parent', [app('a'), app('b', ['a'])]));
  await world.clock.advance(5_000);
  world.stop.abort();
  const report = await world.clock.until(running);
  expect(outcomes(report)).toMatchObject({ a: 'healthy', b: 'skipped' });
  expect(world.clock.monotonic()).toBeLessThan(100_000);
});

const child = (name: string, status: string) => ({
  ...resource({ group: 'argoproj.io', kind: 'Application', namespace: 'argocd', name }),
  health: { status, message: '' },
});

test('a close names the child that keeps it shut and is not in the platform file', async () => {
  const world = new World({ parent: {}, a: {}, old: {} });
  world.argocd.change('old', { trackedBy: 'parent' });
  world.settle('a');
  const resources = [child('a', 'Healthy'), child('old', 'Degraded')];
  const health = { status: 'Degraded', message: '', lastTransition: 't1' };
  world.settle('parent', { resources, health });
  const report = await world.run(A_MEMBER);
  expect(causeOf(report, 'close:stack:s')?.message).toContain(
    'Application "old", which is not in the platform file, is Degraded',
  );
});

test('a part of the platform does not wait for the operation of a parent that it does not close', async () => {
  const world = new World({ parent: { sync: 7_000 }, a: {}, b: {} });
  const stacks = [{ name: 's', application: 'parent', applications: [app('a'), app('b')] }];
  const plan = planFrom({ stacks }, { scope: ['app:a'], withDependencies: true });
  world.argocd.change('b', { trackedBy: 'parent' });
  const report = await world.run(plan);
  expect(outcomes(report)).toEqual({ 'open:stack:s': 'healthy', a: 'healthy' });
  expect(report.warnings).toEqual([]);
  expect(world.clock.monotonic()).toBeLessThan(60_000);
});

test('told to stop, a part of the platform keeps a parent held whose sync it has not seen to its end', async () => {
  const world = new World({ parent: { sync: 30_000, automated: true }, late: {} });
  await stoppedBeforeLate(world);
  expect(world.held()).toContain('parent');
});
