// What a teardown finds at its end that nobody has announced, and what it would not speak of.
import { expect, test, vi } from 'vitest';
import type { KubeObject } from '../../src/simulator/cluster/object-store.ts';
import { DeployedShop } from './world.ts';

vi.setConfig({ testTimeout: 60_000 });

const HOOKS = { apiVersion: 'admissionregistration.k8s.io/v1' };
const hook = (kind: string, name: string, service: object): KubeObject => ({
  ...{ ...HOOKS, kind, metadata: { name } },
  webhooks: [{ name: 'a.example.com', clientConfig: { service } }],
});
const service = (name: string, namespace: string, more: object = {}): KubeObject => ({
  ...{ apiVersion: 'v1', kind: 'Service', metadata: { name, namespace, ...more } },
  spec: { selector: { app: name } },
});
const tracked = (name: string, by: string) => ({
  annotations: { 'argocd.argoproj.io/tracking-id': `${by}:/Service:platform/${name}` },
});

async function leftAfter(...objects: readonly KubeObject[]) {
  const shop = await DeployedShop.synced();
  for (const object of objects) shop.rehearsal.objects.create(object);
  const report = await shop.until(shop.down());
  const found = report.leftovers?.filter(({ announced }) => !announced) ?? [];
  const lines = found.map(({ resource, why }) => `${resource.kind} ${resource.name}: ${why}`);
  return { lines, report };
}

test('webhooks without a backend, Services that nothing answers for', async () => {
  const { lines, report } = await leftAfter(
    hook('ValidatingWebhookConfiguration', 'dead', { name: 'gone', namespace: 'platform' }),
    hook('MutatingWebhookConfiguration', 'alive', { name: 'there', namespace: 'platform' }),
    hook('MutatingWebhookConfiguration', 'theirs', { name: 'gone', namespace: 'elsewhere' }),
    service('there', 'platform'),
    service('answered', 'platform'),
    service('theirs', 'platform', tracked('theirs', 'others')),
    {
      ...{ apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice' },
      metadata: {
        ...{ name: 'answered-1', namespace: 'platform' },
        labels: { 'kubernetes.io/service-name': 'answered' },
      },
      endpoints: [{ addresses: ['192.0.2.1'] }],
    },
  );
  expect(lines).toEqual([
    'Service there: nothing answers for it',
    'ValidatingWebhookConfiguration dead: the Service that it asks is gone: platform/gone',
  ]);
  expect(report.exitStatus).toBe(2);
});

test('what carries the name of an Application that is gone, and what only looks like it', async () => {
  const copied = { ...tracked('other', 'db'), name: 'copy', namespace: 'platform' };
  const { lines } = await leftAfter(
    { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: copied },
    {
      ...{ apiVersion: 'v1', kind: 'PersistentVolumeClaim' },
      metadata: {
        ...{ name: 'labelled', namespace: 'platform', ownerReferences: [OWNER] },
        labels: { 'app.kubernetes.io/instance': 'db' },
      },
    },
  );
  expect(lines).toEqual(['PersistentVolumeClaim labelled: it was made by "db"']);
});

const OWNER = { kind: 'Other', name: 'other', uid: 'other' };

test('volumes whose claims are gone are told of', async () => {
  const { lines, report } = await leftAfter(
    {
      ...{ apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: 'old' } },
      spec: { claimRef: { namespace: 'platform', name: 'before' } },
      status: { phase: 'Released' },
    },
    {
      ...{ apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: 'theirs' } },
      spec: { claimRef: { namespace: 'elsewhere', name: 'before' } },
      status: { phase: 'Released' },
    },
  );
  expect(lines).toEqual([]);
  expect(report.leftovers).toContainEqual(
    expect.objectContaining({
      why: 'the claim that it was bound to is gone: platform/before',
      command: 'kubectl delete persistentvolume old',
    }),
  );
  expect(report.leftovers?.some(({ resource }) => resource.name === 'theirs')).toBe(false);
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
    expect.stringMatching(/^what is left could not be looked at: .*broken/),
  ]);
});
