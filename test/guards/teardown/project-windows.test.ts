// The AppProject of the platform is in the Git of an Application, with its sync windows: that Application stays, and leaves the
// windows of a run alone if it is told to.
import { expect, test, vi } from 'vitest';
import type { KubeObject } from '../../../src/simulator/cluster/object-store.ts';
import { API, DeployedShop, REPOSITORY } from './deployed-shop.ts';

vi.setConfig({ testTimeout: 60_000 });

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';
const LEAVES_WINDOWS = {
  ignoreDifferences: [
    { group: 'argoproj.io', kind: 'AppProject', jsonPointers: ['/spec/syncWindows'] },
  ],
  syncPolicy: { automated: {}, syncOptions: ['RespectIgnoreDifferences=true'] },
};

/** `spec`: what `ingress`, which has the AppProject, is given. */
async function shopWithProject(spec: KubeObject['spec']): Promise<DeployedShop> {
  const shop = await DeployedShop.synced({});
  const { git, time, objects } = shop.rehearsal;
  const manifests = git.read(REPOSITORY, 'shop-root', git.head(REPOSITORY)) ?? [];
  const changed = manifests.map((one) =>
    one.metadata.name === 'ingress' ? { ...one, spec: { ...one.spec, ...spec } } : one,
  );
  git.commit(REPOSITORY, 'shop-root', changed);
  await time.advance(600_000);
  const annotations = { [LAST_APPLIED]: '{"spec":{"syncWindows":[]}}' };
  const project: KubeObject = {
    ...{ apiVersion: API, kind: 'AppProject' },
    metadata: { name: 'shop', namespace: 'argocd', annotations },
    spec: objects.get(API, 'AppProject', 'argocd', 'shop')?.spec ?? {},
  };
  git.commit(REPOSITORY, 'ingress', [project]);
  await time.advance(600_000);
  return shop;
}

test('a teardown holds though one that stays has the AppProject, and leaves its windows alone', async () => {
  const shop = await shopWithProject(LEAVES_WINDOWS);
  const report = await shop.until(shop.down());
  expect(report.exitStatus).toBe(0);
  expect(shop.names().sort()).toEqual(['dns', 'ingress', 'shop-root']);
});

test('it does not where that one writes the windows', async () => {
  const shop = await shopWithProject({});
  await expect(shop.until(shop.down())).rejects.toMatchObject({
    diagnostics: [{ code: 'project-managed-windows' }],
  });
});
