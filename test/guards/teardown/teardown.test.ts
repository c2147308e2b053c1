// A teardown in the rehearsal: order, what is left, what hangs, what is made again.
import { expect, test, vi } from 'vitest';
import type { RunEvent } from '../../../src/run/events.ts';
import type { KubeObject } from '../../../src/simulator/cluster/object-store.ts';
import { API, CLAIM, DATABASE, DeployedShop, whole } from './deployed-shop.ts';

vi.setConfig({ testTimeout: 60_000 });

test('it goes in reverse, nothing is left but what was announced, and nothing comes back', async () => {
  const shop = await DeployedShop.create();
  const approved = await shop.until(shop.look());
  expect(approved.refusals).toEqual([]);
  const order = shop.deletions();
  const report = await shop.until(shop.takeDown(approved, 'one'));
  expect(report.exitStatus).toBe(0);
  expect(report.nodes.filter(({ outcome }) => outcome !== 'removed')).toEqual([]);
  const at = (id: string) => order.indexOf(id.replace(/^app:/, ''));
  for (const { id, dependsOn } of whole.nodes.filter(({ kind }) => kind === 'application')) {
    for (const other of dependsOn.filter((one) => one.startsWith('app:')))
      expect(at(other)).toBeLessThan(at(id));
  }
  expect(order).toHaveLength(8);
  expect(order.slice(-1)).toEqual(['shop-root']);
  await shop.until(shop.rehearsal.join('later').clock.sleep(600_000));
  expect(shop.names()).toEqual([]);
  expect(shop.inNamespace()).toEqual(['PersistentVolumeClaim data']);
  expect(shop.exists('CustomResourceDefinition', 'databases.example.com')).toBe(true);
  expect(report.leftovers?.map(({ announced, command }) => [announced, command])).toEqual([
    [true, 'kubectl delete namespace platform'],
    [true, 'kubectl -n platform delete persistentvolumeclaim data'],
    [true, 'kubectl delete customresourcedefinition.apiextensions.k8s.io databases.example.com'],
  ]);
  // The hold stays, and the approval does not.
  expect(report.held).toHaveLength(8);
  expect(shop.inNamespace('argocd')).not.toContain('ConfigMap tiphys-teardown-shop');
});

test('namespaces and definitions go at last, where nothing is left in or of them', async () => {
  const folders = { operator: [DEFINITION], db: [CLAIM].map(plain) };
  const shop = await DeployedShop.synced(folders);
  const policy = { volumes: 'delete', crds: true } as const;
  const events: RunEvent[] = [];
  const listen = (event: RunEvent) => events.push(event);
  const report = await shop.until(shop.down({ listen }, policy));
  expect(report.exitStatus).toBe(0);
  expect(shop.inNamespace()).toEqual([]);
  expect(shop.exists('Namespace', 'platform')).toBe(false);
  expect(shop.exists('CustomResourceDefinition', 'databases.example.com')).toBe(false);
  expect(shop.exists('PersistentVolume', 'pvc')).toBe(false);
  const removed = events.filter(({ type }) => type === 'object.removed');
  const last = events.findLastIndex(({ type }) => type === 'node.finished');
  expect(removed.every((event) => events.indexOf(event) > last)).toBe(true);
  expect(removed).toHaveLength(2);
});

test.each<[string, KubeObject, string]>([
  [
    'a namespace with something in it',
    { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'mine', namespace: 'platform' } },
    'Secret platform/mine is in it',
  ],
  [
    'a definition with an object of its kind',
    { ...DATABASE, metadata: { name: 'others', namespace: 'argocd' } },
    'example.com/Database argocd/others is of its kind',
  ],
])('%s is kept, and said to be left', async (_, object, message) => {
  const shop = await DeployedShop.synced({ operator: [DEFINITION] });
  shop.rehearsal.objects.create(object);
  const report = await shop.until(shop.down({}, { crds: true }));
  expect(report.exitStatus).toBe(2);
  expect(report.leftovers?.map(({ why, announced }) => [why, announced])).toEqual([
    [message, false],
  ]);
  expect(shop.exists(object.kind, object.metadata.name)).toBe(true);
});

test('an instance whose operator goes first hangs by name, and the rest goes on', async () => {
  const shop = await DeployedShop.synced();
  loseOperator(shop);
  const report = await shop.until(shop.down());
  const outcomes = Object.fromEntries(report.nodes.map(({ id, outcome }) => [id, outcome]));
  expect(report.exitStatus).toBe(2);
  expect(outcomes).toMatchObject({ 'app:site': 'removed', 'app:db': 'failed' });
  const cause = report.nodes.find(({ id }) => id === 'app:db')?.cause;
  expect(cause?.message).toContain('example.com/Database platform/main has been terminating since');
  expect(cause?.message).toContain('example.com/cleanup, which operator should remove');
  expect(cause?.resource).toBe('example.com/Database platform/main');
  expect(shop.names()).toContain('operator');
});

test('finalizers are taken off only where that was asked for by name', async () => {
  const shop = await DeployedShop.synced();
  const approved = await shop.until(shop.look());
  loseOperator(shop);
  const events: RunEvent[] = [];
  const listen = (event: RunEvent) => events.push(event);
  const other = await shop.until(
    shop.takeDown(approved, 'one', { listen, unsafe: new Set(['api']) }),
  );
  expect(other.exitStatus).toBe(2);
  expect(events.filter(({ type }) => type === 'node.finalizers-removed')).toEqual([]);
  const report = await shop.until(
    shop.takeDown(approved, 'two', { listen, unsafe: new Set(['db']) }),
  );
  expect([report.exitStatus, shop.names()]).toEqual([0, []]);
  expect(events.filter(({ type }) => type === 'node.finalizers-removed')).toMatchObject([
    { node: 'app:db', resource: { name: 'main' }, finalizers: ['example.com/cleanup'] },
  ]);
});

test('an Application that is made again meanwhile is left alone, and so is what it depends on', async () => {
  const shop = await DeployedShop.synced();
  const { objects } = shop.rehearsal;
  const site = objects.get(API, 'Application', 'argocd', 'site');
  if (!site) throw new Error('no site');
  objects.onChange(({ type, object }) => {
    if (type !== 'DELETED' || object.metadata.uid !== site.metadata.uid) return;
    const { name, namespace } = site.metadata;
    objects.create({ ...site, metadata: { name, ...(namespace ? { namespace } : {}) } });
  });
  const order = shop.deletions();
  const report = await shop.until(shop.down());
  expect(report.exitStatus).toBe(2);
  expect(order).toEqual(['site']);
  expect(report.nodes.find(({ id }) => id === 'app:site')?.cause?.message).toContain(
    'recreated after the approval',
  );
  expect(shop.names()).toContain('site');
});

test('children of an ApplicationSet stay deleted', async () => {
  const shop = await DeployedShop.synced(undefined, ({ objects, git }) => {
    const element = (name: string) => ({ name, metadata: { name, namespace: 'argocd' } });
    const template = applicationOf('{{name}}');
    git.commit(
      'https://git.example/platform.git',
      'shop-root',
      ['dns', 'ingress', 'api', 'data-stack'].map((name) => applicationOf(name)),
    );
    objects.create({
      ...{ apiVersion: API, kind: 'ApplicationSet' },
      metadata: { name: 'sites', namespace: 'argocd' },
      spec: { generators: [{ list: { elements: [element('site')] } }], template },
    });
  });
  const approved = await shop.until(shop.look());
  expect(approved.makers).toContainEqual(
    expect.objectContaining({ kind: 'ApplicationSet', name: 'sites', makes: ['site'] }),
  );
  const report = await shop.until(shop.takeDown(approved, 'one'));
  expect(report.exitStatus).toBe(0);
  await shop.until(shop.rehearsal.join('later').clock.sleep(600_000));
  expect([shop.names(), shop.exists('ApplicationSet', 'sites')]).toEqual([[], false]);
});

test('what is unexpected goes along where it is to, and is refused else', async () => {
  const shop = await DeployedShop.synced(undefined, ({ git }) => {
    const folder = ['operator', 'db', 'stranger'].map((name) => applicationOf(name));
    git.commit('https://git.example/platform.git', 'data-stack', folder);
    const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'stranger' } };
    git.commit('https://git.example/platform.git', 'stranger', [map]);
  });
  await expect(shop.until(shop.down())).rejects.toThrow('"stranger" is created by "data-stack"');
  expect(shop.names()).toHaveLength(9);
  const order = shop.deletions();
  expect((await shop.until(shop.down({}, { includeUnexpected: true }))).exitStatus).toBe(0);
  expect(order.indexOf('stranger')).toBeLessThan(order.indexOf('db'));
  expect(shop.names()).toEqual([]);
});

test('interrupted before the first deletion it says so, and everything is there', async () => {
  const shop = await DeployedShop.synced();
  const before = shop.names();
  const stop = new AbortController();
  const listen = ({ type }: RunEvent) => {
    if (type === 'run.started') stop.abort();
  };
  const ended = shop.until(shop.down({ stop: stop.signal, listen }));
  await expect(ended).rejects.toThrow('Interrupted. No Application was deleted.');
  expect(shop.names()).toEqual(before);
});

const DEFINITION = {
  ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
  metadata: { name: 'databases.example.com' },
  spec: { group: 'example.com', names: { kind: 'Database', plural: 'databases' } },
};

const plain = ({ metadata: { name }, ...rest }: KubeObject): KubeObject => ({
  ...rest,
  metadata: { name },
});

/** As if somebody deleted the operator's Deployment on the way: nobody serves the finalizer any more. */
function loseOperator({ rehearsal: { objects } }: DeployedShop): void {
  objects.onChange(({ object }) => {
    if (object.kind !== 'Application' || object.metadata.name !== 'api') return;
    const operator = objects.get('apps/v1', 'Deployment', 'platform', 'operator');
    if (operator) objects.remove(operator);
  });
}

function applicationOf(name: string): KubeObject {
  const finalizers = ['resources-finalizer.argocd.argoproj.io'];
  return {
    ...{ apiVersion: API, kind: 'Application' },
    metadata: { name, namespace: 'argocd', finalizers },
    spec: {
      project: 'shop',
      source: { repoURL: 'https://git.example/platform.git', path: name, targetRevision: 'main' },
      destination: { server: 'https://kubernetes.default.svc', namespace: 'platform' },
      syncPolicy: { automated: { selfHeal: true }, syncOptions: ['CreateNamespace=true'] },
    },
  };
}
