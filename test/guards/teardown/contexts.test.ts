// Destinations that the environment file names a context for: teardown reads and cleans up that very cluster, and nothing of it
// is looked for anywhere else.
import { expect, test, vi } from 'vitest';
import { teardownPreflight } from '../../../src/engines/teardown/teardown-preflight.ts';
import type { RunEvent } from '../../../src/run/events.ts';
import { seeded } from '../../../src/simulator/random.ts';
import { renderInventory } from '../../../src/view/inventory-text.ts';
import { DeployedShop, ELSEWHERE, send, sendElsewhere, whole } from './deployed-shop.ts';
import { asked, isHere, MEMBERS, named, reached, THIRD } from './other-clusters.ts';

vi.setConfig({ testTimeout: 60_000 });

const CLAIM = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'data' } };
const SNAPSHOT = { apiVersion: 'snapshot.storage.k8s.io/v1', kind: 'VolumeSnapshot' };

test('namespaces and definitions go there, and nothing is asked here', async () => {
  const shop = await reached();
  const here = asked(shop, isHere);
  const approved = await shop.until(shop.look({ crds: true }));
  expect(approved.clusters).toMatchObject([{ cluster: ELSEWHERE, context: `to-${ELSEWHERE}` }]);
  expect(approved.namespaces).toMatchObject([
    { name: 'argocd', why: expect.any(String) },
    { cluster: ELSEWHERE, name: 'platform', why: expect.stringContaining('data stays in it') },
  ]);
  expect(approved.definitions).toMatchObject([
    { cluster: ELSEWHERE, name: 'databases.example.com' },
  ]);
  expect(approved.warnings.map(({ code }) => code)).not.toContain('destination-remote');
  const report = await shop.until(shop.takeDown(approved, 'one', {}, { crds: true }));
  expect(report.exitStatus).toBe(0);
  expect(here).toEqual([]);
  expect(named(shop.rehearsal.cluster(ELSEWHERE))).toEqual([
    ...['Namespace kube-system', 'Namespace platform', 'PersistentVolumeClaim data'],
  ]);
  const commands = report.leftovers?.map(({ command }) => command);
  expect(commands).toContain(
    `kubectl --context to-${ELSEWHERE} -n platform delete persistentvolumeclaim data`,
  );
  expect(report.leftovers).toContainEqual(
    expect.objectContaining({ cluster: ELSEWHERE, announced: true }),
  );
});

test('a namespace that is empty goes there, and one of the same name here stays', async () => {
  const shop = await reached({});
  const { objects } = shop.rehearsal;
  const namespace = objects.get('v1', 'Namespace', undefined, 'platform');
  if (!namespace)
    objects.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'platform' } });
  objects.create({
    ...{ apiVersion: 'apps/v1', kind: 'Deployment' },
    metadata: { name: 'site', namespace: 'platform' },
  });
  const report = await shop.until(shop.down());
  expect(report.exitStatus).toBe(0);
  expect(named(shop.rehearsal.cluster(ELSEWHERE))).toEqual(['Namespace kube-system']);
  expect(shop.inNamespace()).toEqual(['Deployment site']);
  expect(shop.exists('Namespace', 'platform')).toBe(true);
});

test('the snapshot of a claim is taken there', async () => {
  const shop = await reached({ db: [CLAIM] });
  const there = shop.rehearsal.cluster(ELSEWHERE);
  for (const objects of [there, shop.rehearsal.objects])
    objects.create({ ...SNAPSHOT, metadata: { name: 'a', namespace: 'x' } });
  there.onChange(({ type, object }) => {
    if (type !== 'ADDED' || object.kind !== 'VolumeSnapshot') return;
    shop.rehearsal.time.after(3_000, () =>
      there.update(object, (now) => ({ ...now, status: { readyToUse: true } })),
    );
  });
  const here = asked(shop, isHere);
  const report = await shop.until(shop.down({}, { volumes: 'snapshot' }));
  expect(report.exitStatus).toBe(0);
  expect(here).toEqual([]);
  const left = named(there, ({ metadata }) => metadata.namespace === 'platform');
  expect(left).toEqual(['VolumeSnapshot data-down']);
  expect(report.leftovers).toContainEqual(
    expect.objectContaining({ cluster: ELSEWHERE, why: expect.stringContaining('the snapshot') }),
  );
});

test('a finalizer that hangs is named, and taken off there where that is asked for', async () => {
  const shop = await reached();
  const there = shop.rehearsal.cluster(ELSEWHERE);
  const approved = await shop.until(shop.look());
  // Nobody serves the finalizer any more.
  shop.rehearsal.objects.onChange(({ object }) => {
    const operator = there.get('apps/v1', 'Deployment', 'platform', 'operator');
    if (object.metadata.name === 'api' && operator) there.remove(operator);
  });
  const stuck = await shop.until(shop.takeDown(approved, 'one'));
  expect(stuck.exitStatus).toBe(2);
  const cause = stuck.nodes.find(({ id }) => id === 'app:db')?.cause?.message;
  expect(cause).toContain('waits for its finalizer example.com/cleanup');
  const here = asked(shop, isHere);
  const unsafe = new Set(['db']);
  const report = await shop.until(shop.takeDown(approved, 'two', { unsafe }));
  expect(report.exitStatus).toBe(0);
  expect(here).toEqual([]);
  expect(named(there, ({ kind }) => kind === 'Database')).toEqual([]);
});

test('what is made there behind its Application’s back is told of', async () => {
  const shop = await reached({});
  const there = shop.rehearsal.cluster(ELSEWHERE);
  const metadata = {
    ...{ name: 'forgotten', namespace: 'platform' },
    annotations: { 'argocd.argoproj.io/tracking-id': 'site:apps/Deployment:platform/forgotten' },
  };
  shop.rehearsal.objects.onChange(({ type, object }) => {
    if (type === 'DELETED' && object.kind === 'Application' && object.metadata.name === 'site')
      there.create({ apiVersion: 'apps/v1', kind: 'Deployment', metadata });
  });
  const report = await shop.until(shop.down());
  expect(report.exitStatus).toBe(2);
  const own = report.leftovers?.filter(({ announced }) => !announced);
  expect(own).toMatchObject([
    { cluster: ELSEWHERE, resource: { kind: 'Namespace', name: 'platform' } },
    { cluster: ELSEWHERE, resource: { name: 'forgotten' } },
  ]);
});

test('a cluster by server and by name is one cluster', async () => {
  const shop = await DeployedShop.synced({}, (rehearsal) => {
    rehearsal.cluster(ELSEWHERE);
    rehearsal.alias('spoke', ELSEWHERE);
    send((name) => (name === 'dns' ? 'spoke' : MEMBERS.includes(name) ? ELSEWHERE : undefined))(
      rehearsal,
    );
  });
  shop.contexts = new Map([
    [ELSEWHERE, ELSEWHERE],
    ['spoke', 'spoke'],
  ]);
  const inventory = await shop.until(shop.look());
  expect(inventory.clusters).toMatchObject([{ cluster: ELSEWHERE }]);
  expect(inventory.namespaces.map(({ cluster, name }) => [cluster, name])).toEqual([
    ...[[undefined, 'argocd']],
    ...[[ELSEWHERE, 'platform']],
  ]);
  expect(renderInventory(inventory, { all: false })).toContain(`spoke: the same as ${ELSEWHERE}`);
  const report = await shop.until(shop.takeDown(inventory, 'one'));
  expect(report.exitStatus).toBe(0);
  expect(named(shop.rehearsal.cluster(ELSEWHERE))).toEqual(['Namespace kube-system']);
});

test('a teardown goes on when the Applications of one of the names of a cluster are gone', async () => {
  const shop = await DeployedShop.synced({}, (rehearsal) => {
    rehearsal.cluster(ELSEWHERE);
    rehearsal.alias('spoke', ELSEWHERE);
    const isSpoke = (name: string) => name === 'dns' || name === 'ingress';
    send((name) => (isSpoke(name) ? 'spoke' : MEMBERS.includes(name) ? ELSEWHERE : undefined))(
      rehearsal,
    );
  });
  shop.contexts = new Map([
    [ELSEWHERE, ELSEWHERE],
    ['spoke', 'spoke'],
  ]);
  const approved = await shop.until(shop.look());
  const stop = new AbortController();
  const listen = (event: RunEvent) => {
    if (event.type === 'node.finished' && event.node === 'app:operator') stop.abort();
  };
  await shop.until(shop.takeDown(approved, 'one', { stop: stop.signal, listen }));
  expect(shop.names()).toEqual(expect.arrayContaining(['dns', 'ingress']));
  expect(shop.names()).not.toContain('site');
  const report = await shop.until(shop.takeDown(approved, 'two'));
  expect(report.exitStatus).toBe(0);
  expect(named(shop.rehearsal.cluster(ELSEWHERE))).toEqual(['Namespace kube-system']);
});

test('Argo CD’s own cluster by another name is its own', async () => {
  const shop = await DeployedShop.synced({}, (rehearsal) => {
    rehearsal.alias(ELSEWHERE, '');
    sendElsewhere(['site'])(rehearsal);
  });
  shop.contexts = new Map([[ELSEWHERE, ELSEWHERE]]);
  const inventory = await shop.until(shop.look());
  expect(inventory.clusters).toBeUndefined();
  expect(inventory.applications.find(({ name }) => name === 'site')).toMatchObject({
    ...{ destination: ELSEWHERE, cluster: '' },
  });
  expect(inventory.namespaces.map(({ cluster, name, why }) => [cluster, name, why])).toContainEqual(
    [undefined, 'platform', null],
  );
  const report = await shop.until(shop.takeDown(inventory, 'one'));
  expect(report.exitStatus).toBe(0);
  expect(shop.exists('Namespace', 'platform')).toBe(false);
});

test('rights are asked for in the cluster that they are needed in', async () => {
  const shop = await reached({});
  shop.wayThere = (transport) => ({
    ...transport,
    send: async (request) =>
      request.path.endsWith('accessreviews')
        ? { status: 201, text: '{"status":{"allowed":false}}', retryAfter: undefined }
        : await transport.send(request),
  });
  const approved = await shop.until(shop.look());
  const { target } = await shop.until(shop.connect('one'));
  await expect(shop.until(teardownPreflight(whole, approved, target))).rejects.toThrow(
    `The user of the context "to-${ELSEWHERE}" cannot delete namespaces.`,
  );
});

test.each([1, 2, 3, 4])(
  'whatever is where, each request goes to the cluster of its Application (%d)',
  async (seed) => {
    const random = seeded(seed);
    const clusters = [undefined, ELSEWHERE, THIRD];
    const placement = new Map(
      MEMBERS.map((name) => [name, clusters[Math.floor(random.next() * 3)]]),
    );
    const shop = await DeployedShop.synced(
      {},
      send((name) => placement.get(name)),
    );
    shop.contexts = new Map([
      [ELSEWHERE, ELSEWHERE],
      [THIRD, THIRD],
    ]);
    const wrong: string[] = [];
    const right: string[] = [];
    shop.rehearsal.onRequest(({ cluster, request: { method, path } }) => {
      const [, name = ''] = /\/deployments\?.*metadata\.name%3D([^&]+)/.exec(path) ?? [];
      if (!placement.has(name)) return;
      const list = (placement.get(name) ?? '') === cluster ? right : wrong;
      list.push(`${method} ${path} in ${cluster}`);
    });
    const report = await shop.until(shop.down());
    expect([report.exitStatus, wrong]).toEqual([0, []]);
    expect(right.length).toBeGreaterThanOrEqual(MEMBERS.length);
    for (const cluster of [ELSEWHERE, THIRD])
      expect(named(shop.rehearsal.cluster(cluster))).toEqual(['Namespace kube-system']);
    expect(shop.exists('Namespace', 'platform')).toBe(false);
  },
);
