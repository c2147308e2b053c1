// A platform that has Argo CD itself, or the AppProject of its Applications: a teardown leaves these, and all that can only go
// after them, takes everything else down and says so.
import { expect, test, vi } from 'vitest';
import type { RunEvent } from '../../../src/run/events.ts';
import type { KubeObject } from '../../../src/simulator/cluster/object-store.ts';
import {
  API,
  DeployedShop,
  ELSEWHERE,
  type Folders,
  REPOSITORY,
  sendElsewhere,
} from './deployed-shop.ts';

vi.setConfig({ testTimeout: 60_000 });

const settings = (name: string): KubeObject => ({
  ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'argocd' } },
});
/** Argo CD's own settings are in Git, as the manifests of `dns`, on which everything depends. */
const SELF: Folders = { dns: [settings('argocd-cm')] };

test('Argo CD’s own Application and its parents stay, all others go, and the exit status is 0', async () => {
  const shop = await DeployedShop.synced(SELF);
  const approved = await shop.until(shop.look());
  expect(approved.refusals).toEqual([]);
  expect(approved.left?.map(({ name }) => name)).toEqual(['dns', 'shop-root']);
  expect(approved.applications.map(({ name }) => name)).not.toContain('dns');
  expect(
    approved.warnings.filter(({ code }) => code === 'left-for-primitives').map(({ node }) => node),
  ).toEqual(['app:dns', 'open:platform']);
  const deletions = shop.deletions();
  const report = await shop.until(shop.takeDown(approved, 'one'));
  expect(report.exitStatus).toBe(0);
  expect(shop.names().sort()).toEqual(['dns', 'shop-root']);
  expect(deletions).not.toContain('dns');
  expect(shop.exists('ConfigMap', 'argocd-cm')).toBe(true);
  // The root syncs by itself, and would make everything again.
  await shop.rehearsal.time.advance(600_000);
  expect(shop.names().sort()).toEqual(['dns', 'shop-root']);
  const again = await shop.until(shop.down());
  expect([again.exitStatus, again.nodes]).toEqual([0, []]);
});

test('a namespace that one that stays makes, too, stays', async () => {
  const shop = await DeployedShop.synced(SELF);
  const { namespaces } = await shop.until(shop.look());
  expect(namespaces.find(({ name }) => name === 'platform')?.why).toContain(
    'Application "dns" uses it',
  );
});

test('the AppProject of the platform keeps its Application, unless it is told to stay by itself', async () => {
  const project = { apiVersion: API, kind: 'AppProject' };
  const options = { 'argocd.argoproj.io/sync-options': 'Delete=false' };
  const shop = await DeployedShop.synced();
  const own = shop.rehearsal.objects.get(API, 'AppProject', 'argocd', 'shop');
  const manifest = (annotations: Readonly<Record<string, string>>): KubeObject => ({
    ...{ ...project, spec: own?.spec ?? {} },
    metadata: { name: 'shop', namespace: 'argocd', annotations },
  });
  const { git, time } = shop.rehearsal;
  git.commit(REPOSITORY, 'ingress', [manifest({})]);
  await time.advance(600_000);
  const kept = await shop.until(shop.look());
  expect(kept.left?.map(({ name }) => name)).toEqual(['ingress', 'dns', 'shop-root']);
  expect(kept.left?.[0]?.why).toContain('the AppProject "shop"');
  git.commit(REPOSITORY, 'ingress', [manifest(options)]);
  await time.advance(600_000);
  expect((await shop.until(shop.look())).left).toBeUndefined();
});

test('an Argo CD in another cluster is an application like any other', async () => {
  const shop = await DeployedShop.synced(SELF, (rehearsal) => {
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'argocd' } };
    rehearsal.cluster(ELSEWHERE).create(namespace);
    sendElsewhere(['dns'])(rehearsal);
  });
  shop.rehearsal.objects.create(settings('argocd-cm'));
  expect((await shop.until(shop.look())).left).toBeUndefined();
});

test('a Namespace of the same name in another cluster goes, though Argo CD itself stays', async () => {
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'argocd' } };
  const shop = await DeployedShop.synced({ ...SELF, site: [namespace] }, (rehearsal) => {
    rehearsal.cluster(ELSEWHERE);
    sendElsewhere(['site'])(rehearsal);
  });
  const { left } = await shop.until(shop.look());
  expect(left?.map(({ name }) => name)).toEqual(['dns', 'shop-root']);
});

test('Argo CD’s own cluster by another name is still its own', async () => {
  const shop = await DeployedShop.synced(SELF, (rehearsal) => {
    rehearsal.alias(ELSEWHERE, '');
    sendElsewhere(['dns'])(rehearsal);
  });
  expect((await shop.until(shop.look())).left).toMatchObject([{ name: 'dns' }, {}]);
});

test('what was approved to go and is needed by now does not go', async () => {
  const shop = await DeployedShop.synced({});
  const approved = await shop.until(shop.look());
  const stop = new AbortController();
  const listen = (event: RunEvent) => {
    if (event.type === 'node.finished' && event.node === 'app:site') stop.abort();
  };
  await shop.until(shop.takeDown(approved, 'one', { stop: stop.signal, listen }));
  expect(shop.names()).toContain('dns');
  const { git, objects, time } = shop.rehearsal;
  git.commit(REPOSITORY, 'dns', [settings('argocd-cm')]);
  const dns = objects.get(API, 'Application', 'argocd', 'dns');
  objects.create({
    ...settings('argocd-cm'),
    metadata: {
      ...{ name: 'argocd-cm', namespace: 'argocd' },
      annotations: { 'argocd.argoproj.io/tracking-id': 'dns:/ConfigMap:argocd/argocd-cm' },
    },
  });
  expect(dns).toBeDefined();
  await time.advance(600_000);
  await expect(shop.until(shop.takeDown(approved, 'two'))).rejects.toThrow(
    'dns was approved for deletion, but stays',
  );
});
