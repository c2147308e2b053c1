// An Argo CD that has more to do than it can is waited for, and not given more to do.
import { expect, test } from 'vitest';
import { app, causeOf, oneStack, outcomes, World } from '../fakes/run-world.ts';
import { Rehearsed } from './rehearsed.ts';

const timeouts = { sync: '30m', health: '30m' };
const applications = [{ name: 'a' }, { name: 'b', dependsOn: ['a'] }];
const SPEC = { timeouts, stacks: [{ name: 's', applications }] };

const overloaded = (by: string) => `argocd overloaded by ${by} at 4m`;

test.each(['20s', '1m', '3m'])(
  'comparisons that are late by %s: what is Healthy stays untouched',
  async (by) => {
    const world = new Rehearsed({ spec: SPEC, faults: [overloaded(by)], isDeployed: true });
    const report = await world.deploy();
    expect(outcomes(report)).toEqual({ a: 'unchanged', b: 'unchanged' });
    expect(world.syncs).toEqual([]);
    expect(new Set(world.refreshes)).toEqual(new Set(['normal']));
    expect(world.waits('app:a')).toEqual(['Argo CD has not compared it again']);
  },
);

test.each(['20s', '1m'])('comparisons that are late by %s: each is synced once', async (by) => {
  const world = new Rehearsed({ spec: SPEC, faults: [`argocd overloaded by ${by}`] });
  const report = await world.deploy();
  expect(outcomes(report)).toEqual({ a: 'healthy', b: 'healthy' });
  expect(world.syncs).toEqual(['a', 'b']);
  expect(new Set(world.refreshes)).toEqual(new Set(['normal']));
});

test('it is waited for as long as the timeout says, and what comes of that is a failure, not a sync', async () => {
  const spec = { ...SPEC, timeouts: { sync: '5m', health: '5m' } };
  const world = new Rehearsed({ spec, faults: [overloaded('1h')], isDeployed: true });
  const report = await world.deploy();
  expect(outcomes(report)).toEqual({ a: 'failed', b: 'skipped' });
  expect(causeOf(report, 'app:a')?.message).toContain('Argo CD has not compared it');
  expect(world.syncs).toEqual([]);
});

test('comparisons that leave no trace are no reason for a sync', async () => {
  const world = new World({ a: {} });
  world.settle('a');
  world.applications.refresh = async (address) => {
    await world.clock.sleep(50);
    return await world.honest.get(address);
  };
  const report = await world.run(oneStack(app('a')));
  expect([outcomes(report), world.order()]).toEqual([{ a: 'failed' }, '']);
  expect(causeOf(report, 'app:a')?.message).toBe(
    'Argo CD does not compare it when it is refreshed',
  );
});

test('what an operation left behind in the first comparisons is looked at again at once', async () => {
  const spec = { stacks: [{ name: 's', applications: [{ name: 'a', expectedDuration: '15s' }] }] };
  const world = new Rehearsed({ spec, faults: ['argocd stale by 6s'] });
  const report = await world.deploy();
  expect(outcomes(report)).toEqual({ a: 'healthy' });
  expect(report.nodes[0]?.durations.health).toBeLessThan(40);
});

test('what waits for a comparison that was asked for ahead says so once it has started', async () => {
  const world = new World({ a: {}, b: {} });
  world.settle('b');
  const patient = { timeouts: { sync: '30m', health: '30m' } };
  world.applications.refresh = async (address) => {
    if (address.name !== 'b') return await world.honest.refresh(address);
    const isLate = world.clock.monotonic() < 300_000;
    if (isLate) await world.clock.sleep(15_000);
    world.argocd.change('b', { refreshPending: isLate });
    return isLate ? undefined : await world.honest.refresh(address);
  };
  const report = await world.run(oneStack(app('a'), app('b', ['a'], patient)));
  expect(outcomes(report)).toEqual({ a: 'healthy', b: 'unchanged' });
  const told = world.events.flatMap((event) =>
    'node' in event && event.node === 'app:b' ? [event] : [],
  );
  expect(told.slice(0, 2).map(({ type }) => type)).toEqual(['node.started', 'node.waiting']);
  const [started, waiting] = told.map((event) => world.timeOf(event));
  expect((waiting ?? 0) - (started ?? 0)).toBeLessThan(20_000);
});
