// What a teardown finds at its end that nobody has announced, and what it would not speak of.
import { expect, test, vi } from 'vitest';
import type { RunEvent } from '../../../src/run/events.ts';
import type { KubeObject } from '../../../src/simulator/cluster/object-store.ts';
import { DeployedShop } from './deployed-shop.ts';

vi.setConfig({ testTimeout: 60_000 });

const HOOKS = { apiVersion: 'admissionregistration.k8s.io/v1' };
const hook = (kind: string, name: string, service: object): KubeObject => ({
  ...{ ...HOOKS, kind, metadata: { name } },
  webhooks: [{ name: 'a.example.com', clientConfig: { service } }],
});
const tracked = (name: string, by: string) => ({
  annotations: { 'argocd.argoproj.io/tracking-id': `${by}:/Service:platform/${name}` },
});

/** What is left that nobody announced, and the whole report. */
async function leftOf(shop: DeployedShop, ...objects: readonly KubeObject[]) {
  for (const object of objects) shop.rehearsal.objects.create(object);
  const report = await shop.until(shop.down());
  const found = report.leftovers?.filter(({ announced }) => !announced) ?? [];
  const lines = found.map(({ resource, why }) => `${resource.kind} ${resource.name}: ${why}`);
  return { lines, report };
}

const leftAfter = async (...objects: readonly KubeObject[]) =>
  await leftOf(await DeployedShop.synced(), ...objects);

test('webhooks whose Service went with the platform, and no others', async () => {
  const gate = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'gate' } };
  const stays = { 'argocd.argoproj.io/sync-options': 'Delete=false' };
  const kept = { ...gate, metadata: { name: 'kept', annotations: stays } };
  const shop = await DeployedShop.synced({ ingress: [gate, kept] });
  const { lines, report } = await leftOf(
    shop,
    hook('ValidatingWebhookConfiguration', 'dead', { name: 'gate', namespace: 'platform' }),
    hook('MutatingWebhookConfiguration', 'alive', { name: 'kept', namespace: 'platform' }),
    hook('MutatingWebhookConfiguration', 'theirs', { name: 'gate', namespace: 'elsewhere' }),
    hook('MutatingWebhookConfiguration', 'unknown', { name: 'gone', namespace: 'platform' }),
  );
  expect(lines).toEqual([
    'ValidatingWebhookConfiguration dead: the Service that it calls was deleted: platform/gate',
  ]);
  expect(report.exitStatus).toBe(2);
});

const workload = (name: string, namespace: string, more: object = {}): KubeObject => ({
  ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name, namespace, ...more } },
});

test('what carries the tracking id of an Application that is gone', async () => {
  const id = { 'argocd.argoproj.io/tracking-id': 'api:apps/Deployment:elsewhere/old' };
  const shop = await DeployedShop.synced();
  const late = workload('old', 'elsewhere', { annotations: id });
  const listen = (event: RunEvent) => {
    const isGone = event.type === 'node.finished' && event.node === 'app:api';
    if (isGone) shop.rehearsal.objects.create(late);
  };
  const report = await shop.until(shop.down({ listen }));
  expect(report.exitStatus).toBe(2);
  expect(report.leftovers?.filter(({ announced }) => !announced)).toMatchObject([
    { resource: { kind: 'Deployment', name: 'old' }, why: 'it was created by "api"' },
  ]);
});

test('what only looks like it belongs to others: a label, a copied id, a name', async () => {
  const helm = { labels: { 'app.kubernetes.io/instance': 'api' } };
  const copied = { ...tracked('other', 'db'), name: 'copy', namespace: 'platform' };
  const { report } = await leftAfter(
    workload('release', 'others', helm),
    workload('shared', 'platform', helm),
    { apiVersion: 'v1', kind: 'Service', metadata: { name: 'idle', namespace: 'platform' } },
    { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: copied },
    {
      ...{ apiVersion: 'v1', kind: 'PersistentVolumeClaim' },
      metadata: { name: 'labelled', namespace: 'platform', ownerReferences: [OWNER], ...helm },
    },
  );
  expect(report.exitStatus).toBe(0);
  expect(report.leftovers?.map(({ resource }) => resource.name)).toEqual([
    'platform',
    'data',
    'databases.example.com',
  ]);
});

test('what the inventory has is known by its uid, whatever became of its annotations', async () => {
  const shop = await DeployedShop.synced();
  const { objects } = shop.rehearsal;
  const listen = (event: RunEvent) => {
    const data = objects.get('v1', 'PersistentVolumeClaim', 'platform', 'data');
    if (event.type !== 'node.finished' || event.node !== 'app:db' || !data) return;
    objects.update(data, (now) => ({ ...now, metadata: { ...now.metadata, annotations: {} } }));
  };
  const report = await shop.until(shop.down({ listen }));
  expect(report.leftovers).toContainEqual(
    expect.objectContaining({
      ...{ resource: expect.objectContaining({ name: 'data' }), why: 'Delete=false' },
      announced: true,
    }),
  );
});

test('a namespace that somebody made again is not the platform’s', async () => {
  const shop = await DeployedShop.synced();
  const approved = await shop.until(shop.look());
  const namespaces = approved.namespaces.map((one) => ({ ...one, uid: 'before' }));
  const part = { approved: { ...approved, namespaces } };
  const report = await shop.until(shop.takeDown(approved, 'one', part));
  expect(report.leftovers?.map(({ resource }) => resource.kind)).not.toContain('Namespace');
});

test('claims that a StatefulSet made are numbered; others only begin like them', async () => {
  const set = {
    ...{ apiVersion: 'apps/v1', kind: 'StatefulSet', metadata: { name: 'db' } },
    spec: { replicas: 1, volumeClaimTemplates: [{ metadata: { name: 'disk' } }] },
  };
  const claim = (name: string): KubeObject => ({
    ...{ apiVersion: 'v1', kind: 'PersistentVolumeClaim' },
    metadata: { name, namespace: 'platform' },
  });
  const shop = await DeployedShop.synced({ db: [set] });
  const { report } = await leftOf(shop, claim('disk-db-0'), claim('disk-db-backup'));
  const names = report.leftovers?.map(({ resource }) => resource.name);
  expect(names).toContain('disk-db-0');
  expect(names).not.toContain('disk-db-backup');
});

test('where Argo CD tracks by label it is said that leftovers cannot be told', async () => {
  const shop = await DeployedShop.synced();
  const told = async () => {
    const { warnings } = await shop.until(shop.look());
    return warnings.filter(({ code }) => code === 'leftovers-unknown');
  };
  expect(await told()).toEqual([]);
  shop.rehearsal.objects.create({
    ...{
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'argocd-cm', namespace: 'argocd' },
    },
    data: { 'application.resourceTrackingMethod': 'label' },
  });
  expect(await told()).toMatchObject([{ message: expect.stringContaining('tracks by label') }]);
});

const OWNER = { kind: 'Other', name: 'other', uid: 'other' };

test('volumes of claims that went are told of, and no others', async () => {
  const scratch = {
    ...{ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'scratch' } },
    spec: { storageClassName: 'kept' },
  };
  const shop = await DeployedShop.synced({ db: [scratch] }, ({ objects }) => {
    objects.create({
      ...{ apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name: 'kept' } },
      reclaimPolicy: 'Retain',
    });
  });
  const released = (name: string, claim: object): KubeObject => ({
    ...{ apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name } },
    spec: { claimRef: claim },
    status: { phase: 'Released' },
  });
  // Of another team in the same namespace, and of a claim of the same name from long ago.
  const others = { namespace: 'platform', name: 'theirs', uid: 'u' };
  const before = { namespace: 'platform', name: 'scratch', uid: 'before' };
  shop.rehearsal.objects.create(released('theirs', others));
  shop.rehearsal.objects.create(released('before', before));
  const report = await shop.until(shop.down({}, { volumes: 'delete' }));
  const volumes = report.leftovers?.filter(({ resource }) => resource.kind === 'PersistentVolume');
  expect(volumes).toEqual([
    expect.objectContaining({
      why: 'its claim was deleted: platform/scratch',
      command: expect.stringMatching(/^kubectl delete persistentvolume pvc-/),
      announced: true,
    }),
  ]);
});

test('where it cannot be looked at what is left, that is told, and it does not count as clean', async () => {
  const shop = await DeployedShop.synced();
  const approved = await shop.until(shop.look());
  const blind = shop.connect('blind', (transport) => ({
    ...transport,
    send: async (request) =>
      request.path.startsWith('/api/v1/persistentvolumes')
        ? { status: 500, text: '{"message":"broken"}', retryAfter: undefined }
        : await transport.send(request),
  }));
  const report = await shop.until(shop.takeDown(approved, blind));
  expect([report.exitStatus, shop.names()]).toEqual([2, []]);
  expect(report.warnings).toEqual([
    expect.stringMatching(/^remaining objects could not be read: .*broken/),
  ]);
});
