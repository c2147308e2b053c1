// Applications that a plain member of the platform has in its Git, where the platform file knows nothing of that: Argo CD
// deletes them with the member, whatever the order of the plan.
import { expect, test, vi } from 'vitest';
import type { KubeObject } from '../../../src/simulator/cluster/object-store.ts';
import { applicationOf } from './application-set.ts';
import { API, DeployedShop, type Folders, REPOSITORY } from './deployed-shop.ts';

vi.setConfig({ testTimeout: 60_000 });

const SETTINGS: KubeObject = {
  ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'argocd-cm', namespace: 'argocd' } },
};
/** Argo CD's own settings are in Git, as the manifests of `dns`, on which everything depends. */
const SELF: Folders = { dns: [SETTINGS] };

/** The shop whose Application `dns` is in the Git of that member, and no longer in that of the root. */
async function shopWithDnsIn(member: string, folders: Folders): Promise<DeployedShop> {
  const shop = await DeployedShop.synced(folders);
  const { git, time, objects } = shop.rehearsal;
  const manifests = git.read(REPOSITORY, 'shop-root', git.head(REPOSITORY)) ?? [];
  const isDns = ({ metadata }: KubeObject) => metadata.name === 'dns';
  const moved = manifests
    .filter(isDns)
    .map((one) => ({ ...one, metadata: { ...one.metadata, namespace: 'argocd' } }));
  git.commit(REPOSITORY, member, moved);
  git.commit(
    REPOSITORY,
    'shop-root',
    manifests.filter((one) => !isDns(one)),
  );
  await time.advance(1_800_000);
  const { annotations } = objects.get(API, 'Application', 'argocd', 'dns')?.metadata ?? {};
  expect(annotations?.['argocd.argoproj.io/tracking-id']).toMatch(new RegExp(`^${member}:`));
  return shop;
}

test('a member that has the Application that stays stays, too, with all that goes after it', async () => {
  const shop = await shopWithDnsIn('ingress', SELF);
  const approved = await shop.until(shop.look());
  expect(approved.refusals).toEqual([]);
  expect(approved.left?.map(({ name, why }) => [name, why])).toEqual([
    ['ingress', 'it has the Application "dns", which stays'],
    ['dns', 'it has Argo CD itself (ConfigMap argocd/argocd-cm)'],
    ['shop-root', 'it can only be deleted after "dns", which stays'],
  ]);
  expect((await shop.until(shop.takeDown(approved, 'one'))).exitStatus).toBe(0);
  expect(shop.names().sort()).toEqual(['dns', 'ingress', 'shop-root']);
  expect(shop.exists('ConfigMap', 'argocd-cm')).toBe(true);
});

test('what depends on nothing and has the one that stays keeps all that it depends on', async () => {
  const shop = await shopWithDnsIn('site', SELF);
  const { left } = await shop.until(shop.look());
  const why = new Map(left?.map((one) => [one.name, one.why]));
  expect(why.get('site')).toBe('it has the Application "dns", which stays');
  expect(why.get('ingress')).toBe('it can only be deleted after "site", which stays');
});

test('a member that has an Application which others still need is refused', async () => {
  const shop = await shopWithDnsIn('site', {});
  const { refusals } = await shop.until(shop.look());
  expect(refusals.map(({ code, node }) => [code, node])).toEqual([
    ['application-early', 'app:dns'],
  ]);
  expect(refusals[0]?.message).toContain('in the Git of "site"');
});

test('a member that has an ApplicationSet stays if that owns one that stays', async () => {
  const set: KubeObject = {
    ...{ apiVersion: API, kind: 'ApplicationSet' },
    metadata: { name: 'infra', namespace: 'argocd' },
    spec: {
      generators: [{ list: { elements: [{ name: 'dns' }] } }],
      template: applicationOf('{{name}}'),
    },
  };
  const shop = await DeployedShop.synced({ ...SELF, ingress: [set] }, ({ git }) => {
    const manifests = git.read(REPOSITORY, 'shop-root', git.head(REPOSITORY)) ?? [];
    const others = manifests.filter(({ metadata }) => metadata.name !== 'dns');
    git.commit(REPOSITORY, 'shop-root', others);
  });
  const approved = await shop.until(shop.look());
  expect(approved.left?.map(({ name, why }) => [name, why])).toContainEqual([
    'ingress',
    'it has the ApplicationSet "infra", which owns "dns", which stays',
  ]);
  expect((await shop.until(shop.takeDown(approved, 'one'))).exitStatus).toBe(0);
  expect(shop.names().sort()).toEqual(['dns', 'ingress', 'shop-root']);
});

test('the Namespace of a claim goes with nobody if the claim is of one that stays', async () => {
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'vault' } };
  const claim = {
    ...{ apiVersion: 'v1', kind: 'PersistentVolumeClaim' },
    metadata: { name: 'data', namespace: 'vault' },
  };
  const shop = await DeployedShop.synced({ site: [namespace], dns: [claim, SETTINGS] });
  const approved = await shop.until(shop.look());
  expect(approved.refusals).toEqual([]);
  expect(approved.left?.map(({ name, why }) => [name, why])).toContainEqual([
    'site',
    'it has the Namespace "vault", which contains objects of "dns", which stays',
  ]);
  await shop.until(shop.takeDown(approved, 'one'));
  expect(shop.exists('PersistentVolumeClaim', 'data')).toBe(true);
});
