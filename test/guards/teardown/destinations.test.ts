// Applications whose objects are in another cluster than Argo CD: nothing of theirs is looked for, saved or deleted in Argo
// CD's own cluster, whatever has the same name there.
import { expect, test, vi } from 'vitest';
import type { KubeObject } from '../../../src/simulator/cluster/object-store.ts';
import { renderInventory } from '../../../src/view/inventory-text.ts';
import { CLAIM, DeployedShop, ELSEWHERE, type Folders, sendElsewhere } from './deployed-shop.ts';

vi.setConfig({ testTimeout: 60_000 });

const MEMBERS = ['dns', 'ingress', 'operator', 'db', 'api', 'site'];
const claim = (annotations: Readonly<Record<string, string>> = {}): KubeObject => ({
  ...{ apiVersion: 'v1', kind: 'PersistentVolumeClaim' },
  metadata: { name: 'data', annotations },
});

/** What is asked of Argo CD's own cluster beside Applications, what runs write, and which kinds there are. */
function askedOf(shop: DeployedShop): string[] {
  const asked: string[] = [];
  shop.rehearsal.onRequest(({ cluster, request: { method, path } }) => {
    if (cluster !== '') return;
    const [plain = ''] = path.split('?');
    const isOfArgo = /\/namespaces\/argocd(\/|$)/.test(plain) || plain.endsWith('accessreviews');
    const isDiscovery = /^\/apis?(\/[^/]+){0,2}$/.test(plain);
    if (!isOfArgo && !isDiscovery) asked.push(`${method} ${plain}`);
  });
  return asked;
}

function inElsewhere({ rehearsal }: DeployedShop): string[] {
  return rehearsal
    .cluster(ELSEWHERE)
    .all()
    .map(({ kind, metadata }) => `${kind} ${metadata.name}`);
}

async function remote(folders?: Folders, names: readonly string[] = MEMBERS) {
  const asked: string[] = [];
  const shop = await DeployedShop.create(folders, (rehearsal) => {
    sendElsewhere(names)(rehearsal);
    rehearsal.onRequest(({ request }) => asked.push(request.path));
  });
  return { shop, asked };
}

test('they are deployed, and nothing is watched where they are not', async () => {
  const { shop, asked } = await remote();
  expect(inElsewhere(shop)).toContain('Deployment site');
  expect(shop.inNamespace()).toEqual([]);
  expect(asked.filter((path) => /deployments|databases|persistentvolumeclaims/.test(path))).toEqual(
    [],
  );
});

test('an empty namespace of the same name in Argo CD’s own cluster is not theirs', async () => {
  const { shop } = await remote();
  const asked = askedOf(shop);
  const approved = await shop.until(shop.look({ crds: true }));
  expect(approved.namespaces.map(({ name }) => name)).toEqual(['argocd']);
  expect(approved.definitions).toEqual([]);
  const report = await shop.until(shop.takeDown(approved, 'one', {}, { crds: true }));
  expect(report.exitStatus).toBe(0);
  expect(asked).toEqual([]);
  expect(shop.exists('Namespace', 'platform')).toBe(true);
  expect(shop.names()).toEqual([]);
  // What Argo CD tracks there goes; the rest stays.
  expect(inElsewhere(shop).sort()).toEqual([
    'CustomResourceDefinition databases.example.com',
    'Namespace platform',
    expect.stringMatching(/^PersistentVolume /),
    'PersistentVolumeClaim data',
  ]);
  expect(report.leftovers?.map(({ resource }) => resource.name)).toEqual([]);
});

test('the inventory says where they are, and that nothing else is looked at there', async () => {
  const { shop } = await remote();
  const inventory = await shop.until(shop.look());
  const { applications, warnings, refusals } = inventory;
  const destinations = Object.fromEntries(applications.map((one) => [one.name, one.destination]));
  expect(destinations).toMatchObject({ site: ELSEWHERE, 'shop-root': null, 'data-stack': null });
  expect(applications.find(({ name }) => name === 'site')?.deletes).toMatchObject([
    { kind: 'Deployment', name: 'site' },
  ]);
  const told = warnings.filter(({ code }) => code === 'destination-remote');
  expect(told.map(({ node }) => node).sort()).toEqual(MEMBERS.map((name) => `app:${name}`).sort());
  expect(told[0]?.message).toContain(ELSEWHERE);
  expect(refusals).toEqual([]);
  expect(renderInventory(inventory, { all: false })).toContain(`cluster    ${ELSEWHERE}`);
});

test('where an object of the same name stays in Argo CD’s own cluster, they go all the same', async () => {
  const { shop } = await remote();
  shop.rehearsal.objects.create({
    ...{ apiVersion: 'apps/v1', kind: 'Deployment' },
    metadata: { name: 'site', namespace: 'platform' },
  });
  const report = await shop.until(shop.down());
  expect(report.exitStatus).toBe(0);
  expect(shop.inNamespace()).toEqual(['Deployment site']);
});

test('no snapshot is taken of a claim of the same name: it is refused', async () => {
  const { shop } = await remote({ db: [claim()] });
  shop.rehearsal.objects.create({
    ...claim(),
    metadata: { name: 'data', namespace: 'platform' },
  });
  const { refusals, snapshots } = await shop.until(shop.look({ volumes: 'snapshot' }));
  expect(snapshots).toEqual([]);
  const own = refusals.filter(({ code }) => code === 'volume-deleted');
  expect(own).toMatchObject([{ node: 'app:db', message: expect.stringContaining(ELSEWHERE) }]);
});

test('a Namespace that goes there takes along nothing that is here, and the other way round', async () => {
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'platform' } };
  const { shop } = await remote({ dns: [namespace], db: [CLAIM] }, ['dns']);
  const { applications, refusals } = await shop.until(shop.look());
  expect(applications.find(({ name }) => name === 'db')?.keeps).toMatchObject([{ name: 'data' }]);
  expect(refusals).toEqual([]);
});

test('what is in Argo CD’s own cluster is cleaned as ever beside them', async () => {
  const { shop } = await remote({}, ['dns']);
  const approved = await shop.until(shop.look());
  expect(approved.namespaces).toMatchObject([
    { name: 'argocd', why: expect.any(String) },
    { name: 'platform', why: null },
  ]);
  const report = await shop.until(shop.takeDown(approved, 'one'));
  expect(report.exitStatus).toBe(0);
  expect(shop.exists('Namespace', 'platform')).toBe(false);
  expect(inElsewhere(shop)).toEqual(['Namespace platform']);
});
