// Settings of Argo CD beside the platform: what they mean there is what they mean here.
import { expect, test } from 'vitest';
import type { KubeObject } from '../../src/simulator/cluster/object-store.ts';
import { causeOf, outcomes } from '../fakes/run-world.ts';
import { API, Rehearsed } from './rehearsed.ts';

const applications = [{ name: 'a' }, { name: 'slow', expectedDuration: '1m' }];
const SPEC = { stacks: [{ name: 's', applications }] };

const rollingSync = (name: string, type = 'RollingSync'): KubeObject => ({
  ...{ apiVersion: API, kind: 'ApplicationSet', metadata: { name, namespace: 'argocd' } },
  spec: { strategy: { type } },
});

/** Makes the set, and `a` its own. */
function owned(world: Rehearsed, set: KubeObject): void {
  const { name, uid = '' } = world.rehearsal.objects.create(set).metadata;
  const ownerReferences = [{ apiVersion: API, kind: 'ApplicationSet', name, uid }];
  world.change('Application', 'a', (object) => ({
    ...object,
    metadata: { ...object.metadata, ownerReferences },
  }));
}

test("a RollingSync of others' Applications is none of the platform's business", async () => {
  const world = new Rehearsed({ spec: SPEC });
  world.rehearsal.objects.create(rollingSync('others'));
  expect((await world.deploy()).exitStatus).toBe(0);
});

test("a RollingSync of the platform's own Applications is refused, with both names", async () => {
  const world = new Rehearsed({ spec: SPEC });
  world.rehearsal.objects.create(rollingSync('others'));
  owned(world, rollingSync('ours'));
  await expect(world.deploy()).rejects.toThrow(
    /^ApplicationSet "ours" syncs Application "a" with RollingSync, which cannot be put on hold\.$/,
  );
});

test("a RollingSync set that the platform's own Application has in its Git is refused before it makes anything", async () => {
  const world = new Rehearsed({ spec: SPEC });
  const { metadata, ...set } = rollingSync('later');
  const id = `a:${API.split('/')[0]}/ApplicationSet:argocd/later`;
  const annotations = { 'argocd.argoproj.io/tracking-id': id };
  world.rehearsal.objects.create({ ...set, metadata: { ...metadata, annotations } });
  await expect(world.deploy()).rejects.toThrow(
    /^ApplicationSet "later" syncs the children of Application "a" with RollingSync, which cannot be put on hold\.$/,
  );
});

test('an ApplicationSet of the platform that syncs nothing itself is not refused', async () => {
  const world = new Rehearsed({ spec: SPEC });
  owned(world, rollingSync('ours', 'AllAtOnce'));
  expect((await world.deploy()).exitStatus).toBe(0);
});

test.each(['1', 't', 'T', 'TRUE', 'True', 'true'])(
  'skip-reconcile: %s keeps Argo CD from an Application, and so a run',
  async (value) => {
    const world = new Rehearsed({ spec: SPEC });
    skip(world, value);
    const report = await world.deploy();
    expect(causeOf(report, 'app:a')?.message).toContain('skip-reconcile');
    expect(world.syncs).toEqual(['slow']);
  },
);

test.each(['false', '0', 'yes', 'tRUE', ''])('skip-reconcile: %j does not', async (value) => {
  const world = new Rehearsed({ spec: SPEC });
  skip(world, value);
  expect(outcomes(await world.deploy())).toEqual({ a: 'healthy', slow: 'healthy' });
});

function skip(world: Rehearsed, value: string): void {
  world.change('Application', 'a', (object) => {
    const annotations = { 'argocd.argoproj.io/skip-reconcile': value };
    return { ...object, metadata: { ...object.metadata, annotations } };
  });
}

/** As Kubernetes notes who applied the windows of the AppProject. */
function applied(world: Rehearsed, manager: string, part: object): void {
  const fieldsV1 = { 'f:spec': { 'f:sourceRepos': {}, 'f:syncWindows': {} } };
  const entry = { manager, operation: 'Apply', fieldsV1, ...part };
  world.change('AppProject', 'default', (object) => ({
    ...object,
    metadata: { ...object.metadata, managedFields: [entry] },
  }));
}

test('an AppProject that is applied server-side with syncWindows is refused, with the name of who does', async () => {
  const world = new Rehearsed({ spec: SPEC });
  applied(world, 'flux', {});
  await expect(world.deploy()).rejects.toThrow(
    /The field manager "flux" applies the AppProject "default" server-side, with syncWindows/,
  );
  expect(world.syncs).toEqual([]);
});

test('one that an Application applies so is refused with the name of the Application', async () => {
  const world = new Rehearsed({ spec: SPEC });
  applied(world, 'argocd-controller', {});
  const annotations = {
    'argocd.argoproj.io/tracking-id': 'projects:argoproj.io/AppProject:argocd/default',
  };
  world.change('AppProject', 'default', (object) => ({
    ...object,
    metadata: { ...object.metadata, annotations },
  }));
  await expect(world.deploy()).rejects.toThrow(/The Application "projects" has the AppProject/);
});

test.each([
  ['without syncWindows', { fieldsV1: { 'f:spec': { 'f:sourceRepos': {} } } }],
  ['and updated with syncWindows', { operation: 'Update' }],
])('one that is applied server-side %s is not', async (_, part) => {
  const world = new Rehearsed({ spec: SPEC });
  applied(world, 'argocd-server', part);
  expect((await world.deploy()).exitStatus).toBe(0);
});
