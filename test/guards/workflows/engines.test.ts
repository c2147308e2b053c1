// What every engine must do, tried on both: the embedded one, and the pods of a Workflow.
import { describe, expect, test } from 'vitest';
import type { Plan } from '../../../src/plan/plan.ts';
import type { Report } from '../../../src/report/run-report.ts';
import { app, oneStack, outcomes, planFrom, planOf, World } from '../../fakes/run-world.ts';
import { MiniController } from '../../fakes/workflow-controller.ts';
import { by, ENGINES, SHAPES } from './all-engines.ts';

const AUTOMATED = { automated: { prune: false, selfHeal: true } };
const DIAMOND = planOf('base:', 'left: base', 'right: base', 'top: left right');
const FOUR = { base: {}, left: {}, right: {}, top: {} };

describe.each(ENGINES)('%s', (_, run) => {
  test('order: a node comes after what it depends on; a second run does nothing', async () => {
    const world = new World(FOUR);
    const report = await run(world, DIAMOND);
    expect(world.order()).toMatch(/^base (left right|right left) top$/);
    expect([report.exitStatus, report.held, report.counts.healthy]).toEqual([0, [], 4]);
    const again = await run(world, DIAMOND, 'wf-2');
    expect([again.exitStatus, again.counts.unchanged]).toEqual([0, 4]);
    expect(world.argocd.syncs).toHaveLength(4);
    expect(world.argocd.projects.writes).toBe(0);
  });

  test('failure and skip: with the cause, and everything independent goes on', async () => {
    const world = new World({ ...FOUR, left: { becomes: 'Degraded' }, other: {}, tip: {} });
    const plan = planOf(
      'base:',
      'left: base',
      'right: base',
      'top: left right',
      'other:',
      'tip: top',
    );
    const report = await run(world, plan);
    expect(outcomes(report)).toEqual({
      ...{ base: 'healthy', left: 'failed', right: 'healthy', top: 'skipped' },
      ...{ other: 'healthy', tip: 'skipped' },
    });
    for (const id of ['app:top', 'app:tip'])
      expect(report.nodes.find((node) => node.id === id)?.cause?.node).toBe('app:left');
    expect(report.exitStatus).toBe(2);
  });

  test('retry: an operation that fails is tried again, three times in all', async () => {
    const world = new World({ a: { phases: ['Failed', 'Error', 'Succeeded'] } });
    const report = await run(world, planOf('a:'));
    expect(world.argocd.syncs.map(({ id }) => id.split('/').at(-1))).toEqual(['1', '2', '3']);
    expect(outcomes(report)).toEqual({ a: 'healthy' });
    const hopeless = new World({ a: { phases: ['Failed'] } });
    const failed = await run(hopeless, planOf('a:'));
    expect([hopeless.argocd.syncs.length, failed.exitStatus]).toEqual([3, 1]);
  });

  test('timeout: what does not become Healthy in time has failed, once', async () => {
    const world = new World({ a: { becomes: 'Progressing' } });
    const report = await run(world, oneStack(app('a', [], { timeouts: { health: '1m' } })));
    expect([outcomes(report), report.exitStatus]).toEqual([{ a: 'failed' }, 1]);
    expect(world.argocd.syncs).toHaveLength(1);
  });

  test('hold: what syncs by itself is held until its gate, what failed or was skipped stays so', async () => {
    const world = new World({ ...FOUR, left: { becomes: 'Degraded' } });
    for (const name of Object.keys(FOUR)) world.argocd.change(name, AUTOMATED);
    const report = await run(world, DIAMOND);
    expect(world.held()).toEqual(['left', 'top']);
    expect([...report.held].sort()).toEqual(['app:left', 'app:top']);
  });

  test('parents: a stack’s own Application first and last', async () => {
    const world = new World({ parent: {}, a: {}, b: {} });
    const stacks = [
      { name: 's', application: 'parent', applications: [app('a'), app('b', ['a'])] },
    ];
    const report = await run(world, planFrom({ stacks }));
    expect(world.order()).toBe('parent a b');
    expect(report.nodes.map(({ id, outcome }) => `${id} ${outcome}`)).toEqual([
      'open:stack:s healthy',
      'app:a healthy',
      'app:b healthy',
      'close:stack:s healthy',
    ]);
    expect(report.exitStatus).toBe(0);
  });
});

describe('both tell the same', () => {
  const without = ({ nodes, ...report }: Report) => ({
    ...report,
    ...{ run: '', startedAt: '', finishedAt: '' },
    nodes: nodes.map(({ durations: _, operations, evidence, cause, ...node }) => ({
      ...node,
      cause: cause && { ...cause, message: cause.message.replace(/\d+s/g, 'Ns') },
      operations: operations.map((id) => id.replace(/^[^/]+/, 'run')),
      evidence: evidence !== null,
    })),
  });

  test.each([
    ['all is well', {}],
    ['one is Degraded', { left: { becomes: 'Degraded' } }],
    ['one fails for good', { base: { phases: ['Failed'] } }],
    ['one is retried', { right: { phases: ['Error', 'Succeeded'] } }],
  ] as const)('%s', async (_, behaviour) => {
    const worlds = ENGINES.map(() => {
      const world = new World({ ...FOUR, ...(behaviour as object) });
      for (const name of Object.keys(FOUR)) world.argocd.change(name, AUTOMATED);
      return world;
    });
    const reports: Report[] = [];
    for (const [at, [, run]] of ENGINES.entries())
      reports.push(await run(worlds[at] as World, DIAMOND));
    const [one, ...others] = reports.map((report) => without(report));
    for (const other of others) expect(other).toEqual(one);
    const [held, ...rest] = worlds.map((world) => world.held());
    for (const other of rest) expect(other).toEqual(held);
  });
});

describe.each(SHAPES)('a Workflow by %s', (shape) => {
  const workflow = by(shape);
  const controllerOf = (world: World, plan: Plan, name?: string) =>
    new MiniController(world, plan, name, shape);

  test('a pod that is lost is replaced, and no second operation is made', async () => {
    const world = new World({ a: { sync: 60 }, b: {} });
    const controller = controllerOf(world, planOf('a:', 'b: a'));
    const running = controller.run();
    await world.clock.advance(30_000);
    expect(world.argocd.syncs).toHaveLength(1);
    controller.lose('app:a');
    const { report, pods } = await world.clock.until(running);
    expect([report?.exitStatus, world.argocd.syncs.length, pods]).toEqual([
      0,
      2,
      shape === 'pods' ? 5 : 2,
    ]);
  });

  test('cancel: what was stopped says so, keeps its hold, and the next one goes on', async () => {
    const world = new World({ a: { sync: 200 }, b: {} });
    for (const name of ['a', 'b']) world.argocd.change(name, AUTOMATED);
    const plan = planOf('a:', 'b: a');
    const controller = controllerOf(world, plan);
    const running = controller.run();
    await world.clock.advance(30_000);
    controller.end('stop');
    const { report } = await world.clock.until(running);
    expect(report).toMatchObject({ exitStatus: 2, reason: expect.stringContaining('stopped') });
    expect(world.held()).toEqual(['a', 'b']);
    const again = await workflow(world, plan, 'wf-2');
    expect([again.exitStatus, again.run]).toEqual([0, report?.run]);
    expect(world.argocd.syncs).toHaveLength(2);
    expect(world.held()).toEqual([]);
  });

  test('time up: what is ended after its time says so', async () => {
    const world = new World({ a: { sync: 200 }, b: {} });
    const stacks = [{ name: 's', applications: [app('a'), app('b', ['a'])] }];
    const plan = planFrom({ timeouts: { run: '1m' }, stacks });
    const controller = controllerOf(world, plan);
    const running = controller.run();
    await world.clock.advance(61_000);
    // As the controller does at the Workflow's deadline: pods are killed, the exit handler runs. An agent sees to it itself.
    if (shape === 'pods') controller.end('stop');
    const { report } = await world.clock.until(running);
    expect(report).toMatchObject({ exitStatus: 4, reason: 'the run timed out' });
  });

  test('resume: after one whose end never ran, under the same id, with no second operation', async () => {
    const world = new World({ a: { sync: 200 }, b: {} });
    for (const name of ['a', 'b']) world.argocd.change(name, AUTOMATED);
    const plan = planOf('a:', 'b: a');
    const first = controllerOf(world, plan);
    const running = first.run();
    await world.clock.advance(30_000);
    first.end('terminate');
    await world.clock.until(running);
    expect(world.held()).toEqual(['a', 'b']);
    const again = await workflow(world, plan, 'wf-2');
    expect([again.exitStatus, again.run]).toEqual([0, 'run-wf-1']);
    expect(world.argocd.syncs).toHaveLength(2);
  });

  test('nobody else may run meanwhile, also between two pods', async () => {
    const world = new World({ a: { sync: 120 } });
    const controller = controllerOf(world, planOf('a:'));
    const running = controller.run();
    await world.clock.advance(30_000);
    const refused = world.clock.until(world.start(planOf('a:'), { holder: 'me', runId: 'mine' }));
    await expect(refused).rejects.toThrow(
      /Run run-wf-1 .* is active, held by "workflow argo\/wf-1\/uid-wf-1"/,
    );
    expect((await world.clock.until(running)).report?.exitStatus).toBe(0);
  });

  test('pods that renew the Lease at the same moment do not lose it to each other', async () => {
    const world = new World({ a: {}, b: {} });
    const { leases } = world.argocd.target;
    let conflicts = 0;
    world.part.leases = {
      ...leases,
      update: async (lease) => {
        // From the third write on, four of five find that another was quicker.
        const late = ++conflicts > 3 && conflicts % 5 !== 0;
        if (late) return { kind: 'refused', reason: 'conflict', message: 'changed' };
        return await leases.update(lease);
      },
    };
    const report = await workflow(world, planOf('a:', 'b: a'));
    expect([report.exitStatus, conflicts > 10]).toEqual([0, true]);
  });

  test('one that another run has taken over writes nothing more', async () => {
    const world = new World({ a: {}, b: {} });
    const controller = controllerOf(world, planOf('a:', 'b: a'));
    const running = controller.run();
    await world.clock.advance(12_000);
    const lease = world.argocd.leases.peek('tiphys-shop');
    if (!lease) throw new Error('no lease');
    world.argocd.leases.put({ ...lease, holder: 'somebody' });
    const { report, messages } = await world.clock.until(running);
    expect(report).toBeUndefined();
    expect(messages.join()).toMatch(/no longer owns|does not own/);
    expect(world.argocd.syncs.filter(({ name }) => name === 'b')).toEqual([]);
  });

  test('its beginning refuses what is wrong, and nothing is written', async () => {
    const world = new World({ a: {} });
    const { report, phases, messages } = await world.clock.until(
      controllerOf(world, planOf('a:', 'b: a')).run(),
    );
    expect([report, phases.get('begin'), phases.get('nodes')]).toEqual([
      undefined,
      'Failed',
      'Omitted',
    ]);
    expect(messages.join()).toContain('Argo CD has no Application "b"');
    expect(world.argocd.syncs).toEqual([]);
  });

  test('layer by layer what is behind a failure is skipped, and the rest goes on', async () => {
    const names = Array.from({ length: 210 }, (_, at) => `n${at}`);
    const world = new World({
      ...Object.fromEntries(names.map((name) => [name, {}])),
      ...{ n0: { becomes: 'Degraded' }, x: {}, y: {} },
    });
    const lines = [...names.map((name) => `${name}:`), 'x: n0', 'y: n1'];
    const report = await workflow(world, planOf(...lines));
    const got = outcomes(report);
    expect([got.n0, got.x, got.y, got.n209]).toEqual(['failed', 'skipped', 'healthy', 'healthy']);
    expect(report.nodes.find(({ id }) => id === 'app:x')?.cause?.node).toBe('app:n0');
  });
});
