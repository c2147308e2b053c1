// Run again after an interruption: the next run goes on where the last one stopped.
import { expect, test } from 'vitest';
import { app, outcomes, planFrom, planOf, stackOf, World } from '../../../test/fakes/run-world.ts';
import { release } from '../../session/hold/release-hold.ts';

test('Git that moved between two runs is synced at the parent before its members', async () => {
  const world = new World({ parent: { sync: 1 }, a: { sync: 1 }, b: { sync: 60 } });
  const plan = stackOf('parent', [app('a'), app('b', ['a'])]);
  const first = world.start(plan);
  await world.clock.advance(25_000);
  world.leaveNow();
  await world.clock.until(first);
  const before = world.argocd.syncs.length;
  world.argocd.revision = 'rev-2';
  for (const name of ['parent', 'a']) {
    world.argocd.change(name, { sync: { status: 'OutOfSync', revisions: ['rev-2'] } });
  }
  await world.clock.advance(100_000);
  await world.runAgain(plan);
  expect(world.argocd.syncs[before]?.name).toBe('parent');
});

test('what failed before the interruption is tried again by the next run', async () => {
  const phases = ['Failed', 'Failed', 'Failed', 'Succeeded'] as const;
  const world = new World({ bad: { phases, sync: 1 }, slow: { sync: 250 } });
  const plan = planOf('bad:', 'slow:');
  const first = world.start(plan);
  await world.clock.advance(60_000);
  world.leaveNow();
  expect(outcomes(await world.clock.until(first))).toMatchObject({ bad: 'failed' });
  world.argocd.revision = 'rev-2';
  await world.clock.advance(200_000);
  expect(outcomes(await world.runAgain(plan))).toMatchObject({ bad: 'healthy' });
});

test('a release leaves the run of another plan as unfinished as it was', async () => {
  const world = new World({ a: {} });
  world.argocd.leases.put({
    name: 'tiphys-shop',
    holder: '',
    durationSeconds: 15,
    renewTime: '',
    transitions: 0,
    annotations: new Map([
      ['tiphys.dev/run', 'scoped-run'],
      ['tiphys.dev/plan', 'sha256:scoped'],
      ['tiphys.dev/finished', 'false'],
    ]),
  });
  const { target, clock } = world;
  const { signal } = new AbortController();
  const who = { runId: 'release', holder: 'laptop', warn: () => {} };
  await clock.until(
    release({ plan: planOf('a:'), applications: [], target, clock, ...who, signal }),
  );
  const annotations = world.argocd.leases.peek('tiphys-shop')?.annotations;
  expect(annotations?.get('tiphys.dev/run')).toBe('scoped-run');
  expect(annotations?.get('tiphys.dev/finished')).toBe('false');
});

test('an operation that a dead run has left counts as one in work', async () => {
  const world = new World({ a: { sync: 1 }, b: {}, c: {}, long: { sync: 100 } });
  // With `c` behind it, `b` has more to go than `long`.
  const plan = planOf('a:', 'b:a', 'c:b', 'long:');
  const running = world.start(plan, { concurrency: 2 });
  await world.clock.advance(8_000);
  world.leaveNow();
  await world.clock.until(running);
  expect(world.order()).toBe('a long');
  const never = new AbortController().signal;
  const again = world.start(plan, { concurrency: 1, stop: never, abort: never, holder: 'second' });
  await world.clock.advance(80_000);
  expect(world.argocd.view('long').operation).toBeDefined();
  expect(world.order()).toBe('a long');
  const healthy = { a: 'healthy', b: 'healthy', c: 'healthy', long: 'healthy' };
  expect(outcomes(await world.clock.until(again))).toEqual(healthy);
  expect(world.order()).toBe('a long b c');
});

test('so does that of an Application of a generated member', async () => {
  const world = new World({ a: { sync: 1 }, b: {}, c: {}, 'shop-1': { sync: 100 } });
  world.argocd.change('shop-1', { labels: new Map([['team', 'shop']]) });
  const selector = { selector: { matchLabels: { team: 'shop' } }, names: 'shop-*' };
  const apps = [app('a'), app('b', ['a']), app('c', ['b']), app('shop', [], selector)];
  const plan = planFrom({ stacks: [{ name: 's', applications: apps }] });
  const running = world.start(plan, { concurrency: 2 });
  await world.clock.advance(8_000);
  world.leaveNow();
  await world.clock.until(running);
  expect(world.order()).toBe('a shop-1');
  const never = new AbortController().signal;
  const again = world.start(plan, { concurrency: 1, stop: never, abort: never, holder: 'second' });
  await world.clock.advance(60_000);
  expect(world.argocd.view('shop-1').operation).toBeDefined();
  expect(world.order()).toBe('a shop-1');
  const healthy = { a: 'healthy', b: 'healthy', c: 'healthy', shop: 'healthy' };
  expect(outcomes(await world.clock.until(again))).toMatchObject(healthy);
  expect(world.order()).toBe('a shop-1 b c');
});
