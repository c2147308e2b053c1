// What happens to the Application while somebody is asked, and after it was approved, in every engine.
import { describe, expect, test } from 'vitest';
import { ASKS, askedFor, decide } from '../../fakes/approvals.ts';
import { app, causeOf, outcomes, planFrom, World } from '../../fakes/run-world.ts';
import {
  approvals,
  ENGINES,
  embedded,
  ended,
  MINUTE,
  made,
  PLAN,
  type Start,
  spec,
  WHILE,
} from './engines.ts';

describe.each(ENGINES)('%s', (_, start) => {
  test('an approval does not replace health', async () => {
    const world = made();
    const plan = planFrom(spec({ gate: { approval: 'Unseal Vault', degradedGrace: '1h' } }));
    const run = start(world, plan);
    await world.clock.advance(WHILE);
    world.argocd.turn('vault', 'Degraded');
    decide(world, plan, 'vault');
    await world.clock.advance(MINUTE);
    expect(world.order()).not.toContain('api');
    world.argocd.turn('vault', 'Healthy');
    expect((await ended(world, run)).exitStatus).toBe(0);
  });

  test('what turns Degraded while it waits has its grace and its attempts, as before', async () => {
    const world = made();
    const run = start(world, PLAN);
    await world.clock.advance(WHILE);
    world.argocd.behave('vault', { becomes: 'Degraded' });
    world.argocd.turn('vault', 'Degraded');
    const report = await ended(world, run);
    expect([report.exitStatus, outcomes(report).vault]).toEqual([2, 'failed']);
    expect(causeOf(report, 'app:vault')?.message).toContain('Degraded');
  });

  test('the grace of a Degraded one begins anew after it was good', async () => {
    const world = made();
    const run = start(world, PLAN);
    await world.clock.advance(WHILE);
    for (let times = 0; times < 3; times++) {
      world.argocd.turn('vault', 'Degraded');
      await world.clock.advance(MINUTE / 2);
      world.argocd.turn('vault', 'Healthy');
      await world.clock.advance(MINUTE);
    }
    decide(world, PLAN, 'vault');
    expect((await ended(world, run)).exitStatus).toBe(0);
    expect(world.argocd.syncs.filter(({ name }) => name === 'vault')).toHaveLength(1);
  });

  test('a commit that changes it while it waits is synced, and somebody is asked anew', async () => {
    const world = made();
    const run = start(world, PLAN);
    await world.clock.advance(WHILE);
    const { store } = world.argocd;
    decide(world, PLAN, 'vault');
    const before = new Map(store.texts);
    for (const name of approvals(world)) store.texts.delete(name);
    world.argocd.revision = 'rev-2';
    world.argocd.change('vault', { sync: { status: 'OutOfSync', revisions: ['rev-2'] } });
    await world.clock.advance(WHILE);
    expect(world.argocd.syncs.filter(({ name }) => name === 'vault')).toHaveLength(2);
    // That of the older commit counts for nothing.
    for (const [name, text] of before)
      if (name.startsWith('tiphys-approval-')) store.texts.set(name, text);
    await world.clock.advance(WHILE);
    expect(world.order()).not.toContain('api');
    decide(world, PLAN, 'vault');
    expect((await ended(world, run)).exitStatus).toBe(0);
  });

  test('what a commit changes after somebody was asked has the whole time again', async () => {
    const world = made();
    const plan = planFrom(spec({ timeouts: { health: '1m' } }));
    const run = start(world, plan);
    await world.clock.advance(WHILE);
    world.argocd.behave('vault', { sync: 180, health: 40 });
    world.argocd.revision = 'rev-2';
    world.argocd.change('vault', { sync: { status: 'OutOfSync', revisions: ['rev-2'] } });
    await world.clock.advance(10 * MINUTE);
    expect(askedFor(world)).toEqual(['app:vault', 'app:vault']);
    decide(world, plan, 'vault');
    const report = await ended(world, run);
    expect(report.exitStatus).toBe(0);
    const vault = report.nodes.find(({ id }) => id === 'app:vault');
    // Of both questions.
    expect(vault?.durations.approval).toBeGreaterThan(8 * 60);
    expect(vault?.durations.health).toBeLessThan(80);
  });
});

describe.each(ENGINES)('%s: after it opened, while something still waits for it', (_, start) => {
  const applications = [
    app('vault', [], ASKS),
    app('mid', ['vault']),
    app('api', ['vault', 'mid']),
  ];
  const plan = planFrom({ timeouts: { run: '10h' }, stacks: [{ name: 's', applications }] });

  async function opened() {
    const world = new World({ vault: {}, mid: { health: 200 }, api: {} });
    const run = start(world, plan);
    await world.clock.advance(WHILE);
    decide(world, plan, 'vault');
    await world.clock.advance(2 * MINUTE);
    expect(world.order()).toBe('vault mid');
    return { world, run };
  }

  test('a denial takes the approval back', async () => {
    const { world, run } = await opened();
    decide(world, plan, 'vault', false);
    const report = await ended(world, run);
    expect([report.exitStatus, world.order()]).toEqual([2, 'vault mid']);
    expect(outcomes(report)).toMatchObject({ mid: 'healthy', api: 'skipped' });
    expect(causeOf(report, 'app:api')?.message).toMatch(/denied by jane/);
  });

  test('another spec asks again, though it is Healthy all the time', async () => {
    const { world, run } = await opened();
    world.settle('vault', { wanted: 'spec-2', compared: 'spec-2' });
    await world.clock.advance(30 * MINUTE);
    expect(world.order()).toBe('vault mid');
    decide(world, plan, 'vault');
    const report = await ended(world, run);
    expect([report.exitStatus, world.order()]).toEqual([0, 'vault mid api']);
  });
});

/** Somebody changes its spec and syncs it during the run, and it is not Healthy for a while. */
async function changedMeanwhile(start: Start) {
  const world = new World({ vault: {}, api: { health: 200 }, other: {} });
  const run = start(world, PLAN);
  await world.clock.advance(5 * MINUTE);
  decide(world, PLAN, 'vault');
  await world.clock.advance(2 * MINUTE);
  const other = { wanted: 'spec-2', compared: 'spec-2' };
  const health = { status: 'Progressing', message: '', lastTransition: 't' };
  world.settle('vault', { ...other, health });
  void world.clock.sleep(4 * MINUTE).then(() => world.settle('vault', other));
  return { world, run };
}

test.each(ENGINES)('%s: a denial counts until the request is sent', async (_, start) => {
  const world = made();
  const infos = new Map<string, string>();
  world.argocd.change('api', { operation: { infos, automated: false, username: 'joe' } });
  const run = start(world, PLAN);
  await world.clock.advance(WHILE);
  decide(world, PLAN, 'vault');
  await world.clock.advance(MINUTE);
  const started = (node: string) =>
    world.events.some((event) => event.type === 'node.started' && event.node === node);
  expect(started('app:api')).toBe(true);
  decide(world, PLAN, 'vault', false);
  world.argocd.change('api', { operation: undefined });
  const report = await ended(world, run);
  expect(report.exitStatus).toBe(2);
  expect(world.argocd.syncs.map(({ name }) => name)).not.toContain('api');
});

test.each(ENGINES.slice(1))('%s: the end of a run does not wait for people', async (_, start) => {
  const { world, run } = await changedMeanwhile(start);
  const report = await world.clock.until(run.report, 30 * MINUTE);
  expect([report.exitStatus, outcomes(report).vault]).toEqual([0, 'healthy']);
  expect(world.events.some(({ type }) => type === 'gate.closed')).toBe(true);
  // The next run asks.
  const next = start(world, PLAN, 'wf-2');
  await world.clock.advance(WHILE);
  expect(askedFor(world)).toEqual(['app:vault', 'app:vault']);
  decide(world, PLAN, 'vault');
  expect((await ended(world, next)).exitStatus).toBe(0);
});

test('embedded: an open gate that is changed asks again, while something waits for it', async () => {
  const { world, run } = await changedMeanwhile(embedded);
  await world.clock.advance(30 * MINUTE);
  const closed = world.events.flatMap((event) =>
    event.type === 'gate.closed' ? [event.unmet.condition] : [],
  );
  expect(closed).toEqual(['healthy', 'approved']);
  decide(world, PLAN, 'vault');
  expect((await ended(world, run)).exitStatus).toBe(0);
});
