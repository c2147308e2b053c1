// Generated members, by every engine: nothing of them is synced before what they depend on is good, what depends on them waits for
// all of them, and none of them is reported Healthy that is not.
import { describe, expect, test } from 'vitest';
import { statusOf } from '../../../src/engines/inspect/read-status.ts';
import { validate } from '../../../src/engines/inspect/validate-platform.ts';
import { buildPlan } from '../../../src/plan/build-plan.ts';
import { compiled, ENGINES, GeneratedWorld, late, outcomes, UP } from './generated-world.ts';

const GENERATED = ['shop-1', 'shop-2', 'tenants-1', 'tenants-2', 'tenants-3'];

describe.each(ENGINES)('%s', (engine) => {
  test('up in order, each by the run alone, and again without a write', async () => {
    const world = new GeneratedWorld();
    const report = await world.up(engine);
    expect(report.exitStatus).toBe(0);
    expect(report.held).toEqual([]);
    const made = world.operations.filter(({ application }) => GENERATED.includes(application));
    expect(made.map(({ application }) => application).sort()).toEqual(GENERATED);
    expect(made.filter(({ automated }) => automated)).toEqual([]);
    for (const { application, after } of made)
      if (application.startsWith('shop-')) expect(after).toContain('app:vault');
    const portal = world.operations.find(({ application }) => application === 'portal');
    expect(portal?.after).toEqual(expect.arrayContaining(['app:shop', 'app:tenants']));
    const members = report.nodes.find(({ id }) => id === 'app:tenants')?.members;
    expect(members?.map((one) => [one.application, one.outcome])).toEqual([
      ['tenants-1', 'healthy'],
      ['tenants-2', 'healthy'],
      ['tenants-3', 'healthy'],
    ]);
    const again = await world.up(engine);
    expect([again.exitStatus, world.writes, world.operations]).toEqual([0, 0, []]);
    expect(Object.values(outcomes(again)).every((one) => one === 'unchanged')).toBe(true);
  });

  test('the run itself holds what does not exist yet', async () => {
    const world = new GeneratedWorld([], false);
    const report = await world.up(engine);
    expect(report.exitStatus).toBe(0);
    const made = world.operations.filter(({ application }) => GENERATED.includes(application));
    expect(made.filter(({ automated }) => automated)).toEqual([]);
    expect(made).toHaveLength(GENERATED.length);
  });

  test('one that comes late is waited for, and held from its first moment', async () => {
    const world = new GeneratedWorld();
    world.inGit(late(50));
    const report = await world.up(engine);
    expect(outcomes(report)).toMatchObject({ 'app:tenants': 'healthy', 'app:portal': 'healthy' });
    expect(world.operations.filter(({ automated }) => automated)).toEqual([]);
    expect(world.operations.map(({ application }) => application)).toContain('tenants-3');
  });

  test('too few fail the member; what depends on it is skipped and stays held', async () => {
    const world = new GeneratedWorld();
    world.inGit(late(600));
    const report = await world.up(engine);
    expect(report.exitStatus).toBe(2);
    expect(outcomes(report)).toMatchObject({
      ...{ 'app:shop': 'healthy', 'app:tenants': 'failed', 'app:portal': 'skipped' },
    });
    const { cause } = report.nodes.find(({ id }) => id === 'app:tenants') ?? {};
    expect(cause?.message).toBe('ApplicationSet "tenants" is not up to date');
    expect(report.held).toEqual(expect.arrayContaining(['app:tenants', 'app:portal']));
    expect(world.operations.map(({ application }) => application)).not.toContain('tenants-1');
  });

  test('one that fails does not stop the others, and fails the member by name', async () => {
    const world = new GeneratedWorld(['app:shop-1 degraded after 5s']);
    const report = await world.up(engine);
    expect(outcomes(report)).toMatchObject({
      ...{ 'app:shop': 'failed', 'app:tenants': 'healthy', 'app:portal': 'skipped' },
    });
    const shop = report.nodes.find(({ id }) => id === 'app:shop');
    expect(shop?.cause).toMatchObject({
      node: 'app:shop',
      message: expect.stringContaining('shop-1: '),
    });
    expect(shop?.members?.map(({ outcome }) => outcome)).toEqual(['failed', 'healthy']);
    expect(report.held).toEqual(expect.arrayContaining(['app:shop', 'app:portal']));
  });

  test('one that falls after the gate is not reported Healthy', async () => {
    const world = new GeneratedWorld(['app:tenants-2 degraded after 60s']);
    const report = await world.up(
      engine,
      buildPlan(compiled, { action: 'deploy', scope: ['platform'] }),
    );
    expect(outcomes(report)['app:tenants']).toBe('failed');
    const { cause } = report.nodes.find(({ id }) => id === 'app:tenants') ?? {};
    expect(cause?.message).toMatch(/^tenants-2: no longer passes its gate/);
    expect(report.exitStatus).toBe(2);
  });

  test('a scope needs all that a member outside of it stands for', async () => {
    const world = new GeneratedWorld();
    await world.up(engine);
    const portal = buildPlan(compiled, { action: 'deploy', scope: ['portal'] });
    expect((await world.up(engine, portal)).exitStatus).toBe(0);
    world.rehearsal.objects.create({
      ...one(world, 'shop-2'),
      metadata: { name: 'shop-9', namespace: 'argocd', labels: { team: 'shop' } },
    });
    await expect(world.up(engine, portal)).rejects.toThrow(/"shop", which is not Healthy: shop-9/);
  });
});

function one(world: GeneratedWorld, name: string) {
  const found = world.rehearsal.objects.get('argoproj.io/v1alpha1', 'Application', 'argocd', name);
  if (!found) throw new Error(`no ${name}`);
  const { apiVersion, kind, spec } = found;
  return { apiVersion, kind, spec: { ...spec, syncPolicy: {} } };
}

describe('without a run', () => {
  const look = { concurrency: 5, refresh: true, signal: new AbortController().signal };

  test('validate and status have a row for the member and for each of its Applications', async () => {
    const world = new GeneratedWorld();
    await world.up('embedded');
    const good = await world.ask((place) => validate(UP, { ...place, ...look }));
    expect([good.state, good.exitStatus, good.unexpected]).toEqual(['Healthy', 0, []]);
    const ids = good.nodes.map(({ id }) => id);
    expect(ids).toEqual(
      expect.arrayContaining(['app:shop', 'app:shop:shop-1', 'app:tenants:tenants-3']),
    );
    const status = await world.ask(({ target, clock }) => statusOf(UP, target, clock));
    const rows = status.nodes.filter(({ id }) => id.startsWith('app:shop'));
    expect(rows.map(({ id, health }) => [id, health])).toEqual([
      ['app:shop', 'Healthy'],
      ['app:shop:shop-1', 'Healthy'],
      ['app:shop:shop-2', 'Healthy'],
    ]);
  });

  test('one that is bad makes the member bad', async () => {
    const world = new GeneratedWorld();
    await world.up('embedded');
    world.rehearsal.objects.create({
      ...one(world, 'shop-2'),
      metadata: { name: 'shop-9', namespace: 'argocd', labels: { team: 'shop' } },
    });
    const bad = await world.ask((place) => validate(UP, { ...place, ...look }));
    const shop = bad.nodes.find(({ id }) => id === 'app:shop');
    expect([bad.exitStatus, shop?.state === 'Healthy']).toEqual([2, false]);
    expect(shop?.unmet?.message).toMatch(/^shop-9: /);
  });

  test.each([
    ['belongs to it', { name: 'other', labels: { team: 'shop' } }],
    ['does not belong to it', { name: 'shop-x', labels: {} }],
  ])(
    'a run is refused for an Application that %s and cannot be told apart',
    async (why, metadata) => {
      const world = new GeneratedWorld();
      await world.up('embedded');
      const application = {
        ...one(world, 'shop-2'),
        metadata: { namespace: 'argocd', ...metadata },
      };
      world.rehearsal.objects.create(application);
      await expect(world.up('embedded')).rejects.toThrow(new RegExp(`${metadata.name}" ${why}`));
      expect(world.writes).toBe(0);
    },
  );
});
