// What a Workflow must not do whatever happens to it or beside it. The embedded engine is asked the same where it can be.
import { describe, expect, test } from 'vitest';
import { beginRun } from '../../../src/engines/argo-workflows/begin.ts';
import type { Shape } from '../../../src/engines/argo-workflows/compile-workflow.ts';
import { endRun } from '../../../src/engines/argo-workflows/end.ts';
import { runNode } from '../../../src/engines/argo-workflows/node-pod.ts';
import { TiphysError } from '../../../src/errors.ts';
import type { Plan } from '../../../src/plan/plan.ts';
import type { Report } from '../../../src/report/run-report.ts';
import type { RunEvent } from '../../../src/run/events.ts';
import { runOf } from '../../../src/session/lease/lease-data.ts';
import { app, oneStack, outcomes, planFrom, planOf, World } from '../../fakes/run-world.ts';
import { MiniController } from '../../fakes/workflow-controller.ts';

const AUTOMATED = { automated: { prune: false, selfHeal: true } };
const SHAPES = ['pods', 'agent'] as const;

/** Begun, with a way to stop it. */
interface Running {
  readonly ended: Promise<Report | undefined>;
  readonly stop: () => void;
}
type Start = (world: World, plan: Plan) => Running;

const embedded: Start = (world, plan) => ({
  ended: world.start(plan),
  stop: () => world.leaveNow(),
});
const by =
  (shape: Shape): Start =>
  (world, plan) => {
    const controller = new MiniController(world, plan, 'wf-1', shape);
    const ended = controller.run().then(({ report }) => report);
    return { ended, stop: () => controller.end('stop') };
  };
const ENGINES = [
  ['embedded', embedded],
  ['argo-workflows, pods', by('pods')],
  ['argo-workflows, agent', by('agent')],
] as const;

function automated(world: World, ...names: string[]): void {
  for (const name of names) world.argocd.change(name, AUTOMATED);
}

async function until(world: World, isSo: () => boolean): Promise<void> {
  for (let rounds = 0; rounds < 5_000 && !isSo(); rounds++) await world.clock.advance(100);
  expect(isSo()).toBe(true);
}

const finished = (world: World) =>
  world.events.flatMap((event) => (event.type === 'node.finished' ? event.node : []));

describe.each(ENGINES)('%s', (_, start) => {
  test('what a stopped run has not reached stays held, although it looks good', async () => {
    const world = new World({ a: { sync: 200 }, b: {}, c: {} });
    for (const name of ['a', 'b', 'c']) world.settle(name);
    automated(world, 'a', 'b', 'c');
    // Of the others Argo CD does not know yet that Git has moved on.
    world.argocd.change('a', { sync: { status: 'OutOfSync', revisions: ['rev-1'] } });
    const applications = [app('a'), app('b', ['a']), app('c')];
    const plan = planFrom({ concurrency: 1, stacks: [{ name: 's', applications }] });
    const { ended, stop } = start(world, plan);
    await until(world, () => world.argocd.syncs.length > 0);
    stop();
    const report = await world.clock.until(ended);
    expect([report?.exitStatus, world.held()]).toEqual([2, ['a', 'b', 'c']]);
  });

  test('what failed stays held with what is behind it, although it has healed since', async () => {
    const world = new World({ a: { becomes: 'Degraded' }, b: {}, slow: { sync: 250 } });
    automated(world, 'a', 'b', 'slow');
    world.settle('b');
    const a = app('a', [], { retries: { maxAttempts: 1 }, gate: { degradedGrace: '10s' } });
    const { ended } = start(world, oneStack(a, app('b', ['a']), app('slow')));
    await until(world, () => finished(world).includes('app:a'));
    world.argocd.turn('a', 'Healthy');
    const report = await world.clock.until(ended);
    expect(report && outcomes(report)).toEqual({ a: 'failed', b: 'skipped', slow: 'healthy' });
    expect([report?.exitStatus, world.held()]).toEqual([2, ['a', 'b']]);
  });

  test('a hold that somebody takes away ends the run: nothing that others deployed counts as good', async () => {
    const world = new World({ a: { sync: 100 }, b: {}, c: {} });
    automated(world, 'a', 'b', 'c');
    const { ended } = start(world, planOf('a:', 'b: a', 'c: b'));
    await until(world, () => world.argocd.syncs.length > 0);
    const project = world.argocd.projects.peek('default');
    if (!project) throw new Error('no project');
    world.argocd.projects.put({ ...project, windows: [], annotations: new Map() });
    // As Argo CD does by itself now.
    for (const name of ['b', 'c']) world.settle(name);
    const report = await world.clock.until(ended);
    expect(report && outcomes(report)).toEqual({ a: 'failed', b: 'skipped', c: 'skipped' });
    expect([report?.exitStatus, report?.reason]).toEqual([
      2,
      expect.stringContaining('lost its hold on the AppProject "default"'),
    ]);
    expect(world.order()).toBe('a');
  });

  test('of more than 200, what failed before it looked holds back what is behind it', async () => {
    const names = Array.from({ length: 210 }, (_unused, at) => `n${at}`);
    const world = new World({ ...Object.fromEntries(names.map((name) => [name, {}])), x: {} });
    world.settle('n0');
    world.applications.refresh = async (address) => {
      if (address.name === 'n0') throw refused('argocd-forbidden');
      return await world.honest.refresh(address);
    };
    const plan = planOf(...names.map((name) => `${name}:`), 'x: n0');
    const report = await world.clock.until(start(world, plan).ended);
    const found = report ? outcomes(report) : {};
    expect([found.n0, found.x, found.n1]).toEqual(['failed', 'skipped', 'healthy']);
  });

  test('time up: a run that takes too long ends with status 4', async () => {
    const world = new World({ a: { sync: 200 }, b: {} });
    const applications = [app('a'), app('b', ['a'])];
    const plan = planFrom({ timeouts: { run: '1m' }, stacks: [{ name: 's', applications }] });
    const report = await world.clock.until(start(world, plan).ended);
    expect([report?.exitStatus, report?.reason]).toEqual([4, 'the run timed out']);
    // Not when its operation would have ended.
    expect(world.clock.monotonic()).toBeLessThan(120_000);
  });
});

const refused = (code: 'argocd-forbidden' | 'argocd-unreachable') =>
  new TiphysError([{ code, message: code, hint: '' }]);

const isLeft = (world: World) => {
  const lease = world.argocd.leases.peek('tiphys-shop');
  return [lease?.holder, lease && runOf(lease)?.finished];
};

describe.each(SHAPES)('the end, by %s', (shape) => {
  test('that cannot reach anybody leaves its work to whoever comes next', async () => {
    const world = new World({ a: {}, b: {} });
    automated(world, 'a', 'b');
    const { api } = world.argocd.projects;
    const plan = planOf('a:', 'b: a');
    let isDown = true;
    const get: typeof api.get = async (name) => {
      if (isDown && finished(world).length === 2) throw refused('argocd-unreachable');
      return await api.get(name);
    };
    world.part.projects = { ...api, get };
    const { report } = await world.clock.until(
      new MiniController(world, plan, 'wf-1', shape).run(),
    );
    expect([report, world.held()]).toEqual([undefined, ['a', 'b']]);
    expect(isLeft(world)).toEqual(['workflow argo/wf-1/uid-wf-1', false]);
    isDown = false;
    const again = await world.clock.until(new MiniController(world, plan, 'wf-2', shape).run());
    expect([again.report?.exitStatus, world.held()]).toEqual([0, []]);
    expect(isLeft(world)).toEqual(['', true]);
  });

  test('whose process is lost is done again: once handed over, once recorded', async () => {
    const world = new World({ a: {}, b: {}, c: {} });
    automated(world, 'a', 'b', 'c');
    const applications = ['a', 'b', 'c'].map((name) => app(name));
    const plan = planFrom({ concurrency: 1, stacks: [{ name: 's', applications }] });
    let looks = 0;
    const { api } = world.argocd.projects;
    const get: typeof api.get = async (name) => {
      if (finished(world).length === 3 && looks++ === 0) await world.clock.sleep(3_000);
      return await api.get(name);
    };
    world.part.projects = { ...api, get };
    const controller = new MiniController(world, plan, 'wf-1', shape);
    const ended = controller.run();
    await until(world, () => looks > 0);
    await world.clock.advance(500);
    controller.lose('end-by-pod');
    const { report } = await world.clock.until(ended);
    expect([report?.exitStatus, report?.counts.healthy, world.held()]).toEqual([0, 3, []]);
    expect(isLeft(world)).toEqual(['', true]);
    expect(world.events.filter(({ type }) => type === 'run.finished')).toHaveLength(1);
  });
});

test('of two ends, the one that was given up for lost writes nothing more, and the other one waits for that', async () => {
  const world = new World({ a: {} });
  automated(world, 'a');
  const plan = planOf('a:');
  const { signal } = new AbortController();
  const { clock, target, events } = world;
  const base = { plan, whole: plan, basis: plan.hash, clock, workflow: 'argo/wf/uid', signal };
  const request = { ...base, listen: (event: RunEvent) => void events.push(event), target };
  const run = await clock.until(beginRun({ ...request, runId: 'r1' }));
  const times = { runStartedAt: clock.now(), runTimeout: 600 };
  await clock.until(runNode({ ...request, ...times, id: 'app:a', run, layered: false }));
  const { api } = world.argocd.projects;
  let writes = 0;
  const update: typeof api.update = async (...given) => {
    writes++;
    return await api.update(...given);
  };
  const get: typeof api.get = async (name) => {
    await clock.sleep(12_000);
    return await api.get(name);
  };
  const slow = { ...target, projects: { ...api, get, update } };
  const end = { ...request, ...times, keepHold: false };
  const old = endRun({ ...end, target: slow, ender: 'old' }).catch((error: Error) => error.message);
  await clock.advance(5_000);
  const report = await clock.until(endRun({ ...end, ender: 'new' }));
  expect([report?.exitStatus, report?.held, world.held()]).toEqual([0, [], []]);
  expect([await clock.until(old), writes]).toEqual([expect.stringContaining('owns'), 0]);
  expect(events.filter(({ type }) => type === 'run.finished')).toHaveLength(1);
});

test('of two processes of one node, the one that was given up for lost asks for nothing again', async () => {
  const world = new World({ a: {} });
  const plan = planOf('a:');
  const { signal } = new AbortController();
  const { clock, target } = world;
  const base = { plan, whole: plan, basis: plan.hash, clock, workflow: 'argo/wf/uid', signal };
  const request = { ...base, listen: () => {}, target };
  const run = await clock.until(beginRun({ ...request, runId: 'r1' }));
  const node = { ...request, id: 'app:a', run, runStartedAt: clock.now(), layered: false };
  const syncWindows = async () => {
    await clock.sleep(40_000);
    return [];
  };
  const slow = { ...target, applications: { ...target.applications, syncWindows } };
  const old = runNode({ ...node, target: slow });
  await clock.advance(5_000);
  const both = await clock.until(Promise.all([old, runNode(node)]));
  expect(both.map(({ outcome }) => outcome)).toEqual(['healthy', 'healthy']);
  expect(world.argocd.syncs).toHaveLength(1);
});
