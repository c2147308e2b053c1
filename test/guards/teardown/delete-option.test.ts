// `Delete=false` among the sync options of an Application itself: Argo CD obeys it from 3.4 on.
import { expect, test, vi } from 'vitest';
import type { KubeObject } from '../../../src/simulator/cluster/object-store.ts';
import { DeployedShop, REPOSITORY } from './deployed-shop.ts';

vi.setConfig({ testTimeout: 60_000 });

async function shopOf(version: string): Promise<DeployedShop> {
  return await DeployedShop.create({}, (rehearsal) => {
    rehearsal.settings = { ...rehearsal.settings, version };
    const { git } = rehearsal;
    const kept = (manifest: KubeObject): KubeObject => {
      const { name } = manifest.metadata;
      const syncPolicy = { syncOptions: ['CreateNamespace=true', 'Delete=false'] };
      return name === 'dns' ? { ...manifest, spec: { ...manifest.spec, syncPolicy } } : manifest;
    };
    const manifests = git.read(REPOSITORY, 'shop-root', git.head(REPOSITORY)) ?? [];
    git.commit(REPOSITORY, 'shop-root', manifests.map(kept));
  });
}

test('what stays is listed as staying, and the teardown does not wait for it', async () => {
  const shop = await shopOf('3.5.1');
  const approved = await shop.until(shop.look());
  const dns = approved.applications.find(({ name }) => name === 'dns');
  expect(dns?.deletes).toEqual([]);
  expect(dns?.keeps).toMatchObject([{ kind: 'Deployment', name: 'dns' }]);
  expect(approved.namespaces).toMatchObject([{ why: expect.stringContaining('stays in it') }]);
  const report = await shop.until(shop.takeDown(approved, 'one'));
  expect(report.exitStatus).toBe(0);
  expect(shop.inNamespace()).toEqual(['Deployment dns']);
  expect(report.leftovers).toContainEqual(
    expect.objectContaining({
      resource: expect.objectContaining({ name: 'dns' }),
      announced: true,
    }),
  );
});

test.each(['3.2.11', '3.3.0'])('Argo CD %s deletes it, and so it is listed', async (version) => {
  const shop = await shopOf(version);
  const approved = await shop.until(shop.look());
  const dns = approved.applications.find(({ name }) => name === 'dns');
  expect(dns?.deletes).toMatchObject([{ kind: 'Deployment', name: 'dns' }]);
  const report = await shop.until(shop.takeDown(approved, 'one'));
  expect(report.exitStatus).toBe(0);
  expect(shop.inNamespace()).toEqual([]);
});
