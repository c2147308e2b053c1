// Approved or denied: what comes of it, in every engine.
import { describe, expect, test } from 'vitest';
import { ASKS, askedFor, decide } from '../../fakes/approvals.ts';
import { app, causeOf, outcomes, planFrom, World } from '../../fakes/run-world.ts';
import { approvals, ENGINES, ended, made, PLAN, WHILE } from './engines.ts';

describe.each(ENGINES)('%s', (_, start) => {
  test('a Healthy node waits for its approval, and its dependents with it', async () => {
    const world = made();
    const run = start(world, PLAN);
    await world.clock.advance(WHILE);
    expect(world.argocd.view('vault').health.status).toBe('Healthy');
    expect([askedFor(world), world.order().split(' ').sort()]).toEqual([
      ['app:vault'],
      ['other', 'vault'],
    ]);
    // No run approves anything itself.
    expect(approvals(world)).toEqual([]);
    decide(world, PLAN, 'vault');
    const report = await ended(world, run);
    expect(outcomes(report)).toMatchObject({ vault: 'healthy', api: 'healthy', other: 'healthy' });
    const opened = world.events.find(
      (event) => event.type === 'gate.opened' && event.node === 'app:vault',
    );
    expect(opened).toMatchObject({ evidence: { approval: { approved: true, by: 'jane' } } });
    const vault = report.nodes.find(({ id }) => id === 'app:vault');
    expect(vault?.durations.approval).toBeGreaterThan(120);
    expect(vault?.durations.health).toBeLessThan(60);
  });

  test('what was approved is not asked for again, and not synced again', async () => {
    const world = made();
    const first = start(world, PLAN);
    await world.clock.advance(WHILE);
    decide(world, PLAN, 'vault');
    await ended(world, first);
    const again = await ended(world, start(world, PLAN, 'wf-2'));
    expect([again.exitStatus, again.counts.unchanged]).toEqual([0, 3]);
    expect([askedFor(world), world.argocd.syncs.length]).toEqual([['app:vault'], 3]);
  });

  test('a denial fails the node; its dependents are skipped, everything else goes on', async () => {
    const world = made();
    const run = start(world, PLAN);
    await world.clock.advance(WHILE);
    decide(world, PLAN, 'vault', false);
    const report = await ended(world, run);
    expect(outcomes(report)).toMatchObject({ vault: 'failed', api: 'skipped', other: 'healthy' });
    expect(causeOf(report, 'app:vault')?.message).toMatch(/^denied by jane at .*: so be it$/);
    expect(causeOf(report, 'app:api')?.node).toBe('app:vault');
    expect([report.exitStatus, world.argocd.syncs.length]).toEqual([2, 2]);
  });

  test('a denial counts for its run alone: the next one asks again', async () => {
    const world = made();
    const first = start(world, PLAN);
    await world.clock.advance(WHILE);
    decide(world, PLAN, 'vault', false);
    await ended(world, first);
    const next = start(world, PLAN, 'wf-2');
    await world.clock.advance(WHILE);
    expect(askedFor(world)).toEqual(['app:vault', 'app:vault']);
    decide(world, PLAN, 'vault');
    expect((await ended(world, next)).exitStatus).toBe(0);
    expect(world.argocd.syncs.filter(({ name }) => name === 'vault')).toHaveLength(1);
  });

  test("a denial of another run, or without one, is nobody's", async () => {
    const world = made();
    const run = start(world, PLAN);
    await world.clock.advance(WHILE);
    for (const other of ['run-other', '']) {
      decide(world, PLAN, 'vault', false, other);
      await world.clock.advance(WHILE);
    }
    decide(world, PLAN, 'vault');
    expect((await ended(world, run)).exitStatus).toBe(0);
  });

  test("a stack's approval is asked for at its end", async () => {
    const world = new World({ parent: {}, a: {}, b: {} });
    const stacks = [
      { name: 's', application: 'parent', ...ASKS, applications: [app('a')] },
      { name: 't', dependsOn: ['stack:s'], applications: [app('b')] },
    ];
    const plan = planFrom({ timeouts: { run: '10h' }, stacks });
    const run = start(world, plan);
    await world.clock.advance(WHILE);
    expect([askedFor(world), world.order()]).toEqual([['close:stack:s'], 'parent a']);
    decide(world, plan, 'parent');
    expect((await ended(world, run)).exitStatus).toBe(0);
    const again = await ended(world, start(world, plan, 'wf-2'));
    expect([again.exitStatus, askedFor(world).length]).toEqual([0, 1]);
  });
});
