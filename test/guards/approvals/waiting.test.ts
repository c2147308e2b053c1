// While somebody is asked: time, slots, hold, kills and requests, in every engine.
import { describe, expect, test } from 'vitest';
import { renderReport } from '../../../src/view/report-text.ts';
import { ASKS, askedFor, decide } from '../../fakes/approvals.ts';
import { app, outcomes, planFrom, World } from '../../fakes/run-world.ts';
import { ENGINES, ended, HOUR, MINUTE, made, PLAN, spec, unreachable, WHILE } from './engines.ts';

describe.each(ENGINES)('%s', (_, start) => {
  test('the timeouts of a node stand still while it waits', async () => {
    const world = made();
    const plan = planFrom(spec({ timeouts: { health: '1m', sync: '1m' } }));
    const run = start(world, plan);
    await world.clock.advance(HOUR);
    decide(world, plan, 'vault');
    expect((await ended(world, run)).exitStatus).toBe(0);
  });

  test("the run's own time goes on; the next run goes on with what was approved meanwhile", async () => {
    const world = made();
    const plan = planFrom(spec({}, { timeouts: { run: '10m' } }));
    const report = await ended(world, start(world, plan));
    expect([report.exitStatus, outcomes(report).api]).toEqual([4, 'skipped']);
    expect(report.reason).toBe('the run timed out');
    expect(renderReport(report)).toContain(
      'vault not finished: not approved: Unseal Vault; the run',
    );
    expect(renderReport(report)).toMatch(
      /next: run `tiphys approve vault`, .* raise `timeouts.run`/,
    );
    decide(world, plan, 'vault');
    const next = await ended(world, start(world, plan, 'wf-2'));
    expect(next.exitStatus).toBe(0);
    expect(world.argocd.syncs.filter(({ name }) => name === 'vault')).toHaveLength(1);
    expect(askedFor(world)).toEqual(['app:vault']);
  });

  test('a run that is killed while it waits goes on waiting, with no second operation', async () => {
    const world = made();
    const first = start(world, PLAN);
    await world.clock.advance(WHILE);
    const second = await first.kill();
    await world.clock.advance(WHILE);
    expect(askedFor(world)).toEqual(['app:vault', 'app:vault']);
    decide(world, PLAN, 'vault');
    expect((await ended(world, second)).exitStatus).toBe(0);
    expect(world.argocd.syncs.filter(({ name }) => name === 'vault')).toHaveLength(1);
  });

  test('Argo CD is not asked for anything while somebody is', async () => {
    const world = made();
    let refreshes = 0;
    world.applications.refresh = (address) => {
      refreshes++;
      return world.honest.refresh(address);
    };
    const run = start(world, PLAN);
    await world.clock.advance(WHILE);
    const before = refreshes;
    await world.clock.advance(20 * MINUTE);
    expect(refreshes).toBe(before);
    decide(world, PLAN, 'vault');
    expect((await ended(world, run)).exitStatus).toBe(0);
  });

  test('a cluster that cannot be reached for a while is no decision', async () => {
    const world = made();
    const plan = planFrom(spec({ timeouts: { health: '1m' } }));
    const run = start(world, plan);
    await world.clock.advance(WHILE);
    const { api } = world.argocd.store;
    const { list } = api;
    Object.assign(api, { list: () => Promise.reject(unreachable()) });
    await world.clock.advance(2 * MINUTE);
    Object.assign(api, { list });
    decide(world, plan, 'vault');
    expect((await ended(world, run)).exitStatus).toBe(0);
  });

  test('whatever syncs by itself stays held while it waits', async () => {
    const world = new World({ vault: {}, api: { automated: true }, other: {} });
    world.settle('vault');
    world.settle('other');
    const run = start(world, PLAN);
    await world.clock.advance(WHILE);
    expect(askedFor(world)).toEqual(['app:vault']);
    expect(world.held()).toContain('api');
    decide(world, PLAN, 'vault');
    const report = await ended(world, run);
    expect([report.exitStatus, report.held, world.order()]).toEqual([0, [], 'api']);
  });
});

describe.each(ENGINES.filter(([name]) => !name.includes('pods')))('%s', (_, start) => {
  const others = { timeouts: { run: '10h', health: '1h' }, concurrency: 1 };
  const platform = planFrom({
    ...others,
    stacks: [{ name: 's', applications: [app('vault', [], ASKS), app('other'), app('zoo')] }],
  });
  const synced = (world: World) => world.order().split(' ').sort().join(' ');

  test('who waits for people leaves its place to others', async () => {
    const world = new World({ vault: {}, other: {}, zoo: {} });
    const run = start(world, platform);
    await world.clock.advance(WHILE);
    expect(synced(world)).toBe('other vault zoo');
    decide(world, platform, 'vault');
    expect((await ended(world, run)).exitStatus).toBe(0);
  });

  test('and waits for one where it has to be synced again', async () => {
    const world = new World({ vault: {}, other: {}, zoo: { health: 1800 } });
    const syncs = () => world.argocd.syncs.filter(({ name }) => name === 'vault').length;
    const run = start(world, platform);
    await world.clock.advance(WHILE);
    expect(synced(world)).toBe('other vault zoo');
    world.argocd.revision = 'rev-2';
    world.argocd.change('vault', { sync: { status: 'OutOfSync', revisions: ['rev-2'] } });
    await world.clock.advance(10 * MINUTE);
    expect(syncs()).toBe(1);
    await world.clock.advance(2 * HOUR);
    expect(syncs()).toBe(2);
    decide(world, platform, 'vault');
    await ended(world, run);
  });

  const applications = [
    app('vault', [], ASKS),
    app('mid', ['vault']),
    app('api', ['vault', 'mid']),
    app('zoo', ['mid']),
  ];
  const behind = planFrom({ ...others, stacks: [{ name: 's', applications }] });

  test.each(['before it begins', 'before its request'])(
    'who finds that a gate before it asks again leaves its place, too: %s',
    async (when) => {
      const world = new World({ vault: {}, mid: { health: 200 }, api: {}, zoo: {} });
      const infos = new Map<string, string>();
      const late = when === 'before its request';
      // Somebody else's, which api waits for before it asks for its own.
      if (late)
        world.argocd.change('api', { operation: { infos, automated: false, username: '' } });
      const run = start(world, behind);
      await world.clock.advance(WHILE);
      decide(world, behind, 'vault');
      await world.clock.advance((late ? 5 : 2) * MINUTE);
      expect(world.order()).toBe('vault mid');
      world.settle('vault', { wanted: 'spec-2', compared: 'spec-2' });
      if (late) world.argocd.change('api', { operation: undefined });
      await world.clock.advance(30 * MINUTE);
      expect(world.order()).toBe('vault mid zoo');
      decide(world, behind, 'vault');
      const report = await ended(world, run);
      expect([report.exitStatus, world.order()]).toEqual([0, 'vault mid zoo api']);
    },
  );
});

test('a run that is told to stop does not wait for people', async () => {
  const world = made();
  const report = world.start(PLAN);
  await world.clock.advance(WHILE);
  world.stop.abort();
  expect((await world.clock.until(report, MINUTE)).reason).toBe('interrupted');
  decide(world, PLAN, 'vault');
  const next = await world.runAgain(PLAN);
  expect([next.exitStatus, world.argocd.syncs.length]).toEqual([0, 3]);
});

test.each(ENGINES)(
  '%s: what is good already is held as well, behind a stack that waits',
  async (_, start) => {
    const world = new World({ parent: {}, a: {}, b: { automated: true } });
    for (const name of ['parent', 'a', 'b']) world.settle(name);
    const stacks = [
      { name: 's', application: 'parent', ...ASKS, applications: [app('a')] },
      { name: 't', dependsOn: ['stack:s'], applications: [app('b')] },
    ];
    const plan = planFrom({ timeouts: { run: '10h' }, stacks });
    const run = start(world, plan);
    await world.clock.advance(WHILE);
    expect(askedFor(world)).toEqual(['close:stack:s']);
    expect(world.held()).toContain('b');
    decide(world, plan, 'parent');
    const report = await ended(world, run);
    expect([report.exitStatus, report.held, world.held(), world.order()]).toEqual([0, [], [], '']);
  },
);
