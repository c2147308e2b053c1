// Gates that ask for approval, in every engine.
import { describe, expect, test } from 'vitest';
import type { Shape } from '../../src/engines/argo-workflows/compile-workflow.ts';
import { TiphysError } from '../../src/errors.ts';
import type { Plan } from '../../src/plan/plan.ts';
import type { Report } from '../../src/report/run-report.ts';
import { ASKS, askedFor, decide } from '../fakes/approvals.ts';
import { app, causeOf, outcomes, planFrom, World } from '../fakes/run-world.ts';
import { MiniController } from '../fakes/workflow-controller.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Until somebody is asked, and some time more. */
const WHILE = 3 * MINUTE;

interface Started {
  readonly report: Promise<Report>;
  /** The process at work at vault goes; another one goes on. */
  readonly kill: () => Promise<Started>;
}

type Start = (world: World, plan: Plan, name?: string) => Started;

function embedded(world: World, plan: Plan): Started {
  const { concurrency } = plan;
  const abort = new AbortController();
  const report = world.start(plan, { concurrency, abort: abort.signal });
  const kill = async () => {
    abort.abort();
    await world.clock.until(report);
    return embedded(world, plan);
  };
  return { report, kill };
}

const by =
  (shape: Shape): Start =>
  (world, plan, name = 'wf-1') => {
    const controller = new MiniController(world, plan, name, shape);
    const report = controller.run().then(({ report: given }) => {
      if (!given) throw new Error('no report');
      return given;
    });
    const started: Started = {
      report,
      kill: async () => {
        controller.lose('app:vault');
        return started;
      },
    };
    return started;
  };

const ENGINES: readonly (readonly [string, Start])[] = [
  ['embedded', embedded],
  ['argo-workflows, pods', by('pods')],
  ['argo-workflows, agent', by('agent')],
];

const spec = (vault: object = {}, more: object = {}) => ({
  timeouts: { run: '10h' },
  stacks: [
    {
      name: 's',
      applications: [app('vault', [], { ...ASKS, ...vault }), app('api', ['vault']), app('other')],
    },
  ],
  ...more,
});
const PLAN = planFrom(spec());
const made = () => new World({ vault: {}, api: {}, other: {} });
const ended = (world: World, { report }: Started) => world.clock.until(report, 12 * HOUR);
const unreachable = () => new TiphysError([{ code: 'cluster-unreachable', message: 'no answer' }]);
const approvals = (world: World) =>
  [...world.argocd.store.texts.keys()].filter((name) => name.startsWith('tiphys-approval-'));

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
    const run = start(world, PLAN);
    await world.clock.advance(WHILE);
    const { api } = world.argocd.store;
    const { list } = api;
    Object.assign(api, { list: () => Promise.reject(unreachable()) });
    await world.clock.advance(2 * MINUTE);
    Object.assign(api, { list });
    decide(world, PLAN, 'vault');
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

describe.each(ENGINES.filter(([name]) => !name.includes('pods')))('%s', (_, start) => {
  test('who waits for people leaves its place to others', async () => {
    const world = made();
    const plan = planFrom(spec({}, { concurrency: 1 }));
    const run = start(world, plan);
    await world.clock.advance(WHILE);
    expect(world.order().split(' ').sort()).toEqual(['other', 'vault']);
    decide(world, plan, 'vault');
    expect((await ended(world, run)).exitStatus).toBe(0);
  });
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
