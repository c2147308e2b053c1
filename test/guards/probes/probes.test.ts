// Gates with a probe, in every engine: it opens only on a good one.
import { describe, expect, test } from 'vitest';
import { decide } from '../../fakes/approvals.ts';
import { BAD } from '../../fakes/probes.ts';
import { app, causeOf, outcomes, planFrom, World } from '../../fakes/run-world.ts';
import { ENGINES, ended, MINUTE, WHILE } from '../approvals/engines.ts';

const URL = 'http://vault.vault.svc:8200/v1/sys/health';
const PROBE = { probe: { http: URL } };
const spec = (gate: object = PROBE, more: object = {}) => ({
  timeouts: { run: '10h' },
  stacks: [
    {
      name: 's',
      applications: [app('vault', [], { gate, ...more }), app('api', ['vault']), app('other')],
    },
  ],
});
const PLAN = planFrom(spec());
const AUTOMATED = { automated: true };
const made = () => new World({ vault: AUTOMATED, api: AUTOMATED, other: {} });

const probedIn = (world: World) => world.argocd.probes.asked;
const evidenceOf = (world: World, node = 'app:vault') =>
  world.events.flatMap((event) =>
    event.type === 'gate.opened' && event.node === node ? [event.evidence?.probe] : [],
  );

describe.each(ENGINES)('%s', (_, start) => {
  test('a good probe opens the gate, and is in its evidence', async () => {
    const world = made();
    const report = await ended(world, start(world, PLAN));
    expect([report.exitStatus, probedIn(world)]).toEqual([0, ['vault']]);
    expect(evidenceOf(world)).toEqual([
      {
        ...{ succeeded: true, target: URL, message: 'HTTP 200', tries: 1 },
        at: expect.any(String),
      },
    ]);
    const [{ request } = { request: undefined }] = world.argocd.probes.made;
    expect(request?.probe).toEqual({ http: URL, timeout: 10 });
  });

  test('one that fails is tried again, with pauses, and nothing behind it begins', async () => {
    const world = made();
    world.argocd.probes.ends.push(BAD, BAD, BAD);
    const run = start(world, PLAN);
    const report = await ended(world, run);
    expect([report.exitStatus, evidenceOf(world)]).toMatchObject([0, [{ tries: 4 }]]);
    const [first = 0, ...later] = world.argocd.probes.made.map(({ at }) => at);
    const last = later.at(-1) ?? 0;
    expect(last - first).toBeGreaterThan(35_000);
    expect(world.argocd.syncs.find(({ name }) => name === 'api')?.at).toBeGreaterThan(
      last - (world.clock.now() - world.clock.monotonic()),
    );
  });

  test('one that never succeeds fails the node; what depends on it is skipped and held', async () => {
    const world = made();
    world.argocd.probes.usual = BAD;
    const report = await ended(world, start(world, PLAN));
    expect(outcomes(report)).toMatchObject({ vault: 'failed', api: 'skipped', other: 'healthy' });
    const cause = causeOf(report, 'app:vault');
    expect([cause?.message, cause?.resource]).toEqual([
      'the probe did not succeed within 5m (timeouts.health); last result: HTTP 503, not 200 to 399',
      URL,
    ]);
    expect([report.exitStatus, world.held()]).toEqual([2, ['api', 'vault']]);
    // A sync would not help.
    expect(world.argocd.syncs.filter(({ name }) => name === 'vault')).toHaveLength(1);
    expect(world.order()).not.toContain('api');
  });

  test('the next run probes what is unchanged by now, and opens only on a good probe', async () => {
    const world = made();
    world.argocd.probes.usual = BAD;
    await ended(world, start(world, PLAN));
    const again = await ended(world, start(world, PLAN, 'wf-2'));
    expect(outcomes(again)).toMatchObject({ vault: 'failed', api: 'skipped' });
    expect([again.exitStatus, world.held()]).toEqual([2, ['api', 'vault']]);
    const before = probedIn(world).length;
    world.argocd.probes.usual = { isGood: true };
    const good = await ended(world, start(world, PLAN, 'wf-3'));
    expect(outcomes(good)).toMatchObject({ vault: 'unchanged', api: 'healthy' });
    expect([probedIn(world).length - before, good.exitStatus]).toEqual([1, 0]);
    expect(world.argocd.syncs.filter(({ name }) => name === 'vault')).toHaveLength(1);
  });

  test('where all is unchanged, a probe that fails puts the hold up for what comes after', async () => {
    const world = made();
    for (const name of ['vault', 'api', 'other']) world.settle(name);
    world.argocd.probes.usual = BAD;
    const report = await ended(world, start(world, PLAN));
    expect(outcomes(report)).toMatchObject({ vault: 'failed', api: 'skipped', other: 'unchanged' });
    expect([world.held(), world.argocd.syncs]).toEqual([['api', 'vault'], []]);
  });

  test('a commit that mends what the probe finds is synced meanwhile', async () => {
    const world = made();
    for (const name of ['vault', 'api', 'other']) world.settle(name);
    world.argocd.probes.usual = BAD;
    const run = start(world, PLAN);
    await world.clock.advance(MINUTE);
    world.argocd.probes.usual = { isGood: true };
    world.argocd.revision = 'rev-2';
    world.argocd.change('vault', { sync: { status: 'OutOfSync', revisions: ['rev-2'] } });
    const report = await ended(world, run);
    expect([report.exitStatus, outcomes(report).vault]).toEqual([0, 'healthy']);
    expect(world.argocd.syncs.filter(({ name }) => name === 'vault')).toHaveLength(1);
  });

  test.each([
    ['while the first Job runs', 30, false],
    ['after the first Job was good', 1, true],
  ])('a commit %s is synced and probed, where all was unchanged', async (_, seconds, isAfter) => {
    const world = made();
    for (const name of ['vault', 'api', 'other']) world.settle(name);
    const { probes } = world.argocd;
    probes.ends.push({ isGood: true, seconds });
    world.part.probes = {
      ...probes.api,
      get: async (name) => {
        const job = await probes.api.get(name);
        if (job?.state === (isAfter ? 'succeeded' : 'running')) world.argocd.revision = 'rev-2';
        return job;
      },
    };
    const report = await ended(world, start(world, PLAN));
    expect([report.exitStatus, outcomes(report).vault]).toEqual([0, 'healthy']);
    expect(world.argocd.syncs.filter(({ name }) => name === 'vault')).toHaveLength(1);
    expect(probedIn(world)).toEqual(['vault', 'vault']);
  });

  test('what falls while it is probed is probed anew', async () => {
    const world = made();
    world.argocd.probes.ends.push({ isGood: true, seconds: 60 });
    const run = start(world, PLAN);
    await world.clock.advance(40_000);
    expect(probedIn(world)).toEqual(['vault']);
    world.argocd.turn('vault', 'Degraded');
    await world.clock.advance(2_000);
    world.argocd.turn('vault', 'Healthy');
    const report = await ended(world, run);
    expect([report.exitStatus, probedIn(world)]).toEqual([0, ['vault', 'vault']]);
    expect(evidenceOf(world)).toMatchObject([{ tries: 2 }]);
  });

  test('a good probe does not replace health', async () => {
    const world = made();
    const slow = { ...PROBE, dwell: '5m', degradedGrace: '1h' };
    const run = start(world, planFrom(spec(slow, { timeouts: { health: '1h' } })));
    await world.clock.advance(MINUTE);
    expect(probedIn(world)).toEqual(['vault']);
    world.argocd.turn('vault', 'Degraded');
    await world.clock.advance(3 * MINUTE);
    expect(world.order()).not.toContain('api');
    world.argocd.turn('vault', 'Healthy');
    await ended(world, run);
    expect(probedIn(world)).toEqual(['vault', 'vault']);
  });

  test('nothing is probed before somebody has approved it', async () => {
    const world = made();
    const plan = planFrom(spec({ ...PROBE, approval: 'Unseal Vault' }));
    const run = start(world, plan);
    await world.clock.advance(WHILE);
    expect(probedIn(world)).toEqual([]);
    decide(world, plan, 'vault');
    const report = await ended(world, run);
    expect([report.exitStatus, probedIn(world)]).toEqual([0, ['vault']]);
  });

  test('killed while its Job runs, it goes on with that Job', async () => {
    const world = made();
    world.argocd.probes.ends.push({ isGood: true, seconds: 45 });
    const run = start(world, PLAN);
    await world.clock.advance(20_000);
    expect(probedIn(world)).toEqual(['vault']);
    const next = await run.kill();
    const report = await ended(world, next);
    expect([report.exitStatus, probedIn(world)]).toEqual([0, ['vault']]);
  });

  test('killed after a good Job and a bad one, it does not open on the good one', async () => {
    const world = made();
    world.argocd.probes.ends.push({ isGood: true });
    world.argocd.probes.usual = BAD;
    const run = start(world, planFrom(spec({ ...PROBE, dwell: '20s' })));
    await world.clock.advance(25_000);
    expect(probedIn(world)).toEqual(['vault']);
    // Of which its health says nothing.
    world.argocd.plant('vault', { present: false });
    await world.clock.advance(15_000);
    world.argocd.plant('vault', {});
    await world.clock.advance(10_000);
    expect(probedIn(world)).toEqual(['vault', 'vault']);
    const report = await ended(world, await run.kill());
    expect(outcomes(report)).toMatchObject({ vault: 'failed', api: 'skipped' });
  });

  test('a lost answer makes no second Job, and a refused one says why', async () => {
    const world = made();
    const message = 'exceeded quota: tiphys-probes';
    world.argocd.probes.answers.push('lost');
    const report = await ended(world, start(world, PLAN));
    expect([report.exitStatus, probedIn(world)]).toEqual([0, ['vault']]);
    const refusal = { kind: 'refused', reason: 'forbidden', message } as const;
    world.argocd.probes.answers.push(...Array.from({ length: 99 }, () => refusal));
    const refused = await ended(world, start(world, PLAN, 'wf-2'));
    expect(causeOf(refused, 'app:vault')?.message).toContain(`the Job was refused: ${message}`);
    expect(probedIn(world)).toEqual(['vault']);
  });

  test("a stack's probe is run at its end, and again by the next run", async () => {
    const world = new World({ parent: AUTOMATED, a: AUTOMATED, b: AUTOMATED });
    const stacks = [
      { name: 's', application: 'parent', gate: PROBE, applications: [app('a')] },
      { name: 't', dependsOn: ['stack:s'], applications: [app('b')] },
    ];
    const plan = planFrom({ timeouts: { run: '10h' }, stacks });
    expect((await ended(world, start(world, plan))).exitStatus).toBe(0);
    expect([probedIn(world), world.order()]).toEqual([['parent'], 'parent a b']);
    expect(evidenceOf(world, 'close:stack:s')).toMatchObject([{ succeeded: true }]);
    world.argocd.probes.usual = BAD;
    const again = await ended(world, start(world, plan, 'wf-2'));
    expect(outcomes(again)).toMatchObject({ 'close:stack:s': 'failed', b: 'skipped' });
    expect(world.held()).toContain('b');
  });
});
