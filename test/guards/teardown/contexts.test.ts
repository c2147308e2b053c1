// Destinations that the environment file names a context for: teardown reads and cleans up that very cluster, and nothing of it
// is looked for anywhere else. A context that reaches another cluster than it is named for is found out before the first write.
import { expect, test, vi } from 'vitest';
import { teardownPreflight } from '../../../src/engines/teardown/teardown-preflight.ts';
import type { Carried } from '../../../src/rehearsal/rehearsal.ts';
import type { KubeObject, Objects } from '../../../src/simulator/cluster/object-store.ts';
import { failure } from '../../../src/simulator/cluster/rest.ts';
import { seeded } from '../../../src/simulator/random.ts';
import { TransportFailure } from '../../../src/targets/transport.ts';
import { renderInventory } from '../../../src/view/inventory-text.ts';
import {
  DeployedShop,
  ELSEWHERE,
  type Folders,
  send,
  sendElsewhere,
  whole,
} from './deployed-shop.ts';

vi.setConfig({ testTimeout: 120_000 });

const MEMBERS = ['dns', 'ingress', 'operator', 'db', 'api', 'site'];
const THIRD = 'https://third.example:6443';
const CLAIM = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'data' } };
const SNAPSHOT = { apiVersion: 'snapshot.storage.k8s.io/v1', kind: 'VolumeSnapshot' };

/** All members are elsewhere, and the context reaches that cluster. */
async function reached(folders?: Folders): Promise<DeployedShop> {
  const shop = await DeployedShop.synced(folders, sendElsewhere(MEMBERS));
  shop.contexts = new Map([[ELSEWHERE, ELSEWHERE]]);
  return shop;
}

const named = (objects: Objects, isIt: (object: KubeObject) => boolean = () => true): string[] =>
  objects
    .all()
    .filter((one) => one.kind !== 'PersistentVolume' && isIt(one))
    .map(({ kind, metadata }) => `${kind} ${metadata.name}`)
    .sort();

/** What is asked, by cluster, beside Applications, what runs write, who a cluster is and which kinds there are. */
function asked(shop: DeployedShop, of: (carried: Carried) => boolean): string[] {
  const all: string[] = [];
  shop.rehearsal.onRequest((carried) => {
    const { method, path } = carried.request;
    const [plain = ''] = path.split('?');
    const isOfArgo = /\/namespaces\/(argocd(\/|$)|kube-system$)/.test(plain);
    const isQuestion = plain.endsWith('accessreviews') || /^\/apis?(\/[^/]+){0,2}$/.test(plain);
    if (of(carried) && !isOfArgo && !isQuestion) all.push(`${method} ${plain}`);
  });
  return all;
}

const isHere = ({ cluster }: Carried) => cluster === '';
const isWrite = ({ request }: Carried) =>
  request.method !== 'GET' && !request.path.endsWith('accessreviews');

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

test('a context that reaches another cluster with equal names is refused, and nothing is written', async () => {
  const shop = await reached({});
  const third = shop.rehearsal.cluster(THIRD);
  for (const { apiVersion, kind, metadata } of shop.rehearsal.cluster(ELSEWHERE).all()) {
    const { name, namespace } = metadata;
    third.create({ apiVersion, kind, metadata: { name, ...(namespace && { namespace }) } });
  }
  shop.contexts = new Map([[ELSEWHERE, THIRD]]);
  const writes = asked(shop, isWrite);
  const { refusals, namespaces, clusters } = await shop.until(shop.look());
  expect(new Set(refusals.map(({ code }) => code))).toEqual(new Set(['destination-wrong']));
  expect(refusals[0]?.message).toContain(`"to-${THIRD}" does not reach ${ELSEWHERE}`);
  expect([clusters, namespaces.map(({ name }) => name)]).toEqual([undefined, ['argocd']]);
  await expect(shop.until(shop.down())).rejects.toThrow('does not reach');
  expect(writes).toEqual([]);
});

test.each<[string, (shop: DeployedShop) => void, string]>([
  [
    'reaches a cluster without these objects',
    (shop) => {
      shop.contexts = new Map([[ELSEWHERE, THIRD]]);
    },
    'no object of the Application is found there',
  ],
  [
    'does not answer',
    (shop) => {
      shop.wayThere = (transport) => ({
        ...transport,
        send: () => Promise.reject(new TransportFailure('unreachable', 'connection refused')),
      });
    },
    'the cluster does not answer',
  ],
  [
    'may not read kube-system',
    (shop) => {
      shop.wayThere = (transport) => ({
        ...transport,
        send: async (request) =>
          request.path.endsWith('/kube-system')
            ? { ...failure(403, 'Forbidden', 'no'), retryAfter: undefined }
            : await transport.send(request),
      });
    },
    'the Namespace kube-system may not be read there',
  ],
])('a context that %s changes nothing, and the inventory says why', async (_, spoil, why) => {
  const shop = await reached({});
  const before = await shop.until(shop.look());
  spoil(shop);
  const { warnings, refusals, clusters, namespaces } = await shop.until(shop.look());
  const told = warnings.filter(({ code }) => code === 'destination-remote');
  expect(told).toHaveLength(MEMBERS.length);
  expect(told[0]?.message).toContain(why);
  expect([refusals, clusters, namespaces.map(({ name }) => name)]).toEqual([
    ...[[], undefined, ['argocd']],
  ]);
  // Approved with the context: not without it.
  await expect(shop.until(shop.takeDown(before, 'one'))).rejects.toThrow('not as it was approved');
  const writes = asked(shop, (one) => isWrite(one) && one.cluster !== '');
  const report = await shop.until(shop.down());
  expect([report.exitStatus, writes]).toEqual([0, []]);
  expect(named(shop.rehearsal.cluster(ELSEWHERE))).toContain('Namespace platform');
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

test('a context that is gone, or another one, when the teardown begins is no approval', async () => {
  const shop = await reached({});
  const approved = await shop.until(shop.look());
  shop.contexts = new Map();
  await expect(shop.until(shop.takeDown(approved, 'one'))).rejects.toThrow(
    'not as it was approved',
  );
  shop.contexts = new Map([[ELSEWHERE, THIRD]]);
  const { target } = await shop.until(shop.connect('two'));
  const check = teardownPreflight(whole, approved, target);
  await expect(shop.until(check)).rejects.toThrow('does not reach the cluster that was approved');
});

test('a cluster that does not answer at the end is told of, and the others are cleaned up', async () => {
  const shop = await DeployedShop.synced({}, sendElsewhere(['site', 'api']));
  shop.contexts = new Map([[ELSEWHERE, ELSEWHERE]]);
  shop.wayThere = (transport) => ({
    ...transport,
    send: async (request) => {
      if (shop.names().length > 0) return await transport.send(request);
      throw new TransportFailure('unreachable', 'connection refused');
    },
  });
  const approved = await shop.until(shop.look());
  const report = await shop.until(shop.takeDown(approved, 'one'));
  expect(report.exitStatus).toBe(2);
  expect(report.warnings).toContainEqual(
    expect.stringContaining(`what is left in ${ELSEWHERE} could not be looked at`),
  );
  expect(shop.exists('Namespace', 'platform')).toBe(false);
  expect(named(shop.rehearsal.cluster(ELSEWHERE))).toContain('Namespace platform');
  // The same approval again, when it answers: it goes on with what is left.
  shop.wayThere = (transport) => transport;
  const again = await shop.until(shop.takeDown(approved, 'two'));
  expect(again.exitStatus).toBe(0);
  expect(named(shop.rehearsal.cluster(ELSEWHERE))).toEqual(['Namespace kube-system']);
});

test('a run that goes on with a context of another cluster changes nothing there', async () => {
  const shop = await reached({});
  const approved = await shop.until(shop.look());
  shop.wayThere = (transport) => ({
    ...transport,
    send: async (request) => {
      if (shop.names().length > 0) return await transport.send(request);
      throw new TransportFailure('unreachable', 'connection refused');
    },
  });
  expect((await shop.until(shop.takeDown(approved, 'one'))).exitStatus).toBe(2);
  const third = shop.rehearsal.cluster(THIRD);
  third.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'platform' } });
  shop.contexts = new Map([[ELSEWHERE, THIRD]]);
  shop.wayThere = (transport) => transport;
  const report = await shop.until(shop.takeDown(approved, 'two'));
  expect(report.exitStatus).toBe(2);
  expect(report.warnings.join()).toContain('does not reach the cluster that was approved');
  expect(named(third)).toEqual(['Namespace kube-system', 'Namespace platform']);
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
    `The user of the context "to-${ELSEWHERE}" may not delete namespaces.`,
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
      const [, name = ''] = /\/deployments\/([^/?]+)/.exec(path) ?? [];
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
