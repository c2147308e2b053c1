import { describe, expect, test } from 'vitest';
import { application } from '../../../test/fakes/application.ts';
import { NodeWorld, nodeOf } from '../../../test/fakes/node-world.ts';
import { buildPlan } from '../../plan/build-plan.ts';
import { compile } from '../../plan/compile.ts';
import type { PlanNode } from '../../plan/plan.ts';
import type { ApplicationView } from '../../ports/application-view.ts';
import { gatesBefore, type JudgeParts, whyShut } from './gates-before.ts';

const TEXT = `apiVersion: tiphys.dev/v1alpha1
kind: Platform
metadata: {name: shop}
spec:
  root: shop-root
  stacks:
    - {name: data, application: data-stack, applications: [{name: db}]}
    - {name: backups, parent: data, applications: [{name: backup, dependsOn: [db]}]}
    - {name: web, application: web-stack, dependsOn: [stack:data], applications: [{name: site}, {name: shop, dependsOn: [site]}]}
`;

const whole = buildPlan(compile({ file: 'shop.yaml', text: TEXT }), { action: 'deploy' });

const before = (id: string): string[] => {
  const node = whole.nodes.find((one) => one.id === id);
  if (!node) throw new Error(`no ${id}`);
  return gatesBefore(whole, whole, node)
    .map((one) => one.id)
    .sort();
};

const DATA = ['app:backup', 'app:db', 'close:stack:data'];

test('what a stack depends on is judged again for its members, also where the stack has an Application', () => {
  expect(before('open:stack:web')).toEqual(DATA);
  expect(before('app:site')).toEqual(DATA);
  expect(before('app:shop')).toEqual(['app:backup', 'app:db', 'app:site', 'close:stack:data']);
});

test('what is before an application that it depends on is not judged again', () => {
  expect(before('app:backup')).toEqual(['app:db']);
  expect(before('app:db')).toEqual([]);
  expect(before('close:stack:data')).toEqual(['app:backup', 'app:db']);
});

test('what a scope needs outside of its plan is judged again', () => {
  const plan = buildPlan(compile({ file: 'shop.yaml', text: TEXT }), {
    ...{ action: 'deploy', scope: ['app:site'] },
  });
  const [site] = plan.nodes.filter(({ id }) => id === 'app:site');
  if (!site) throw new Error('no site');
  expect(
    gatesBefore(plan, whole, site)
      .map(({ id }) => id)
      .sort(),
  ).toEqual(DATA);
});

describe('two gates before a node', () => {
  function place() {
    const world = new NodeWorld();
    const { clock, argocd } = world;
    const well = world.view.health;
    argocd.add('b');
    argocd.change('b', { ...world.view, name: 'b', uid: argocd.view('b').uid });
    const nodes = ['a', 'b'].map((name) => nodeOf('application', { application: name }));
    const status = (name: string, health: string) =>
      argocd.change(name, {
        health: { ...well, status: health, lastTransition: `${clock.now()}` },
      });
    const shut = async () => {
      const { context } = world;
      const { emit, signal, session } = context;
      const parts = { target: session.target, clock, signal, concurrency: 5, refresh: false, emit };
      const contextOf = (node: PlanNode) => ({ ...context, node, emit: () => {} });
      const judging = whyShut(nodes, { ...parts, contextOf, slot: undefined, impatient: false });
      return await world.timed(judging);
    };
    return { world, status, shut };
  }

  test('one that falls while the other is waited for is waited for as well', async () => {
    const { world, status, shut } = place();
    status('b', 'Progressing');
    void world.clock.sleep(5_000).then(() => status('a', 'Progressing'));
    void world.clock.sleep(10_000).then(() => status('b', 'Healthy'));
    void world.clock.sleep(40_000).then(() => status('a', 'Healthy'));
    const { result, ms } = await shut();
    expect(result).toBeUndefined();
    expect(ms).toBeGreaterThan(40_000);
    expect(ms).toBeLessThan(45_000);
  });

  test('a server that lags behind does not shut again what has opened since', async () => {
    const { world, status, shut } = place();
    status('b', 'Progressing');
    const old = world.argocd.view('b');
    const { get } = world.honest;
    let reads = 0;
    world.applications.get = async (address) => {
      if (address.name === 'b') reads++;
      return address.name === 'b' ? old : await get(address);
    };
    void world.clock.sleep(10_000).then(() => status('b', 'Healthy'));
    const { result, ms } = await shut();
    expect(result).toBeUndefined();
    expect(ms).toBeLessThan(15_000);
    expect(reads).toBe(2);
  });

  test('what changes afterwards does', async () => {
    const { world, status, shut } = place();
    status('b', 'Progressing');
    let looks = 0;
    const { liveResources } = world.honest;
    world.applications.liveResources = async (address) => {
      // The second one lets it open again; just after that it falls.
      if (address.name === 'b' && ++looks === 2) status('b', 'Progressing');
      return await liveResources(address);
    };
    void world.clock.sleep(10_000).then(() => status('b', 'Healthy'));
    void world.clock.sleep(40_000).then(() => status('b', 'Healthy'));
    const { ms } = await shut();
    expect(ms).toBeGreaterThan(40_000);
  });
});

describe('a generated member', () => {
  const SET = {
    ...{ name: 'set', namespace: 'argocd', uid: 's', deleting: false, rollingSync: false },
    ...{ trackedBy: undefined, upToDate: true },
  };
  const health = (status: string) => ({ status, message: '', lastTransition: undefined });
  const NEW: Partial<ApplicationView> = {
    ...{ operationState: undefined, health: health('Missing') },
    sync: { status: 'OutOfSync', revisions: [] },
  };

  function place(atLeast = 1) {
    const node = nodeOf('application', {
      ...{ id: 'app:shop', application: 'shop-*' },
      generated: { applicationSet: 'set', atLeast },
    });
    const world = new NodeWorld({}, node);
    const { clock, argocd } = world;
    const sets = [SET];
    const made = (name: string, part: Partial<ApplicationView> = {}) => {
      argocd.add(name);
      const { namespace, uid } = argocd.view(name);
      const { operationState } = world.view;
      const well = application({ name, namespace, uid, project: 'default', operationState });
      argocd.change(name, { ...well, applicationSet: 'set', ...part });
    };
    const list = async () => [...argocd.watch.all()].filter(({ name }) => name !== 'a');
    const { context } = world;
    const target = {
      ...context.session.target,
      applications: { ...context.session.target.applications, list },
      applicationSets: { list: async () => sets },
    };
    const shut = async (part: Partial<JudgeParts> = {}) => {
      const { emit, signal } = context;
      const contextOf = (one: typeof node) => ({
        ...{ ...context, node: one, emit: () => {} },
        session: { ...context.session, target },
      });
      const parts = { target, clock, signal, concurrency: 5, refresh: false, contextOf, emit };
      const judging = whyShut([node], { ...parts, slot: undefined, impatient: false, ...part });
      return await world.timed(judging);
    };
    const told = () => world.events.map(({ type }) => type);
    return { world, sets, made, shut, told };
  }

  test('one that came later and was never synced is not part of the run', async () => {
    const { made, shut } = place();
    made('shop-a');
    made('shop-b', NEW);
    expect(await shut()).toEqual({ result: undefined, ms: 0 });
  });

  test('it is, where the member needs it', async () => {
    const { made, shut } = place(2);
    made('shop-a');
    made('shop-b', NEW);
    const { result, ms } = await shut();
    expect(result?.message).toMatch(/^shop-b: no longer passes its gate/);
    expect(ms).toBeGreaterThanOrEqual(300_000);
  });

  test.each([
    ['was synced once', { health: health('Degraded') }],
    ['is Synced without an operation', { health: health('Degraded'), operationState: undefined }],
  ])('one that %s is', async (_, part) => {
    const { made, shut } = place();
    made('shop-a');
    made('shop-b', part);
    expect((await shut()).result?.message).toMatch(/^shop-b: no longer passes its gate/);
  });

  const BEHIND = 'ApplicationSet "set" is not up to date';

  test('an ApplicationSet that is behind for a moment is looked at again', async () => {
    const { world, made, shut, sets, told } = place();
    made('shop-a');
    sets.splice(0, 1, { ...SET, upToDate: false });
    void world.clock.sleep(12_000).then(() => sets.splice(0, 1, SET));
    expect(await shut()).toEqual({ result: undefined, ms: 15_000 });
    expect(told()).toEqual(['gate.closed', 'gate.opened']);
    expect(world.events[0]).toMatchObject({ node: 'app:shop', unmet: { message: BEHIND } });
  });

  test('at most for as long as health may take', async () => {
    const { made, shut, sets, told } = place();
    made('shop-a');
    sets.splice(0, 1, { ...SET, upToDate: false });
    const result = { node: 'app:shop', message: BEHIND, resource: undefined };
    expect(await shut()).toEqual({ result, ms: 300_000 });
    expect(told()).toEqual(['gate.closed']);
  });

  test('what is seen after that is judged as ever', async () => {
    const { world, made, shut, sets } = place();
    made('shop-a', { health: health('Degraded') });
    sets.splice(0, 1, { ...SET, upToDate: false });
    void world.clock.sleep(3_000).then(() => sets.splice(0, 1, SET));
    expect((await shut()).result?.message).toMatch(/^shop-a: no longer passes its gate/);
  });

  test('not at all where nobody waits', async () => {
    const { made, shut, sets } = place();
    made('shop-a');
    sets.splice(0, 1, { ...SET, upToDate: false });
    const { result, ms } = await shut({ impatient: true });
    expect([result?.message, ms]).toEqual([BEHIND, 0]);
  });
});
