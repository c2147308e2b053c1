// A parent whose Git has lost children: its sync would take them down, out of order and without an approval.
import { expect, test, vi } from 'vitest';
import type { KubeObject } from '../../src/simulator/cluster/object-store.ts';
import { API, DeployedShop, REPOSITORY } from './teardown/deployed-shop.ts';

vi.setConfig({ testTimeout: 60_000 });

const child = (kind: string, name: string): KubeObject => ({
  ...{ apiVersion: API, kind, metadata: { name, namespace: 'argocd' } },
  spec:
    kind === 'ApplicationSet'
      ? { generators: [] }
      : {
          ...{ project: 'shop', source: { repoURL: REPOSITORY, path: name } },
          destination: { server: 'https://kubernetes.default.svc', namespace: 'platform' },
        },
});
const CONFIG = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' } };

/** The root has these beside its members, and then loses them; it prunes. */
async function deployedWithout(lost: readonly KubeObject[]) {
  const folder = ({ git }: DeployedShop['rehearsal']) =>
    git.read(REPOSITORY, 'shop-root', git.head(REPOSITORY)) ?? [];
  let members: readonly KubeObject[] = [];
  const shop = await DeployedShop.create({}, (rehearsal) => {
    members = folder(rehearsal);
    rehearsal.git.commit(REPOSITORY, 'shop-root', [...members, ...lost]);
    rehearsal.git.commit(REPOSITORY, 'teams', [CONFIG]);
  });
  const { objects, git } = shop.rehearsal;
  // Nothing happens by itself meanwhile.
  const window = { kind: 'deny', schedule: '* * * * *', duration: '1h', manualSync: true };
  const project = objects.get(API, 'AppProject', 'argocd', 'shop');
  const syncWindows = [{ ...window, applications: ['*'] }];
  if (project) objects.update(project, (now) => ({ ...now, spec: { ...now.spec, syncWindows } }));
  const root = objects.get(API, 'Application', 'argocd', 'shop-root');
  const syncPolicy = { automated: { prune: true, selfHeal: true } };
  if (root) objects.update(root, (now) => ({ ...now, spec: { ...now.spec, syncPolicy } }));
  git.commit(REPOSITORY, 'shop-root', [...members, { ...CONFIG, data: { changed: 'yes' } }]);
  const prunes: unknown[] = [];
  shop.rehearsal.onRequest(({ request: { path, body } }) => {
    if (path.endsWith('/applications/shop-root/sync'))
      prunes.push((body as { prune?: boolean }).prune);
  });
  const report = await shop.until(shop.deploy('again'));
  const opened = report.nodes.find(({ id }) => id === 'open:platform');
  return { shop, report, prunes, cause: opened?.cause?.message };
}

test.each(['ApplicationSet', 'Application'])(
  'it prunes no %s: it fails and names it',
  async (kind) => {
    const { shop, report, prunes, cause } = await deployedWithout([child(kind, 'teams')]);
    expect(prunes).toEqual([]);
    expect(report.exitStatus).not.toBe(0);
    expect(cause).toContain(`its sync would prune ${kind} teams`);
    expect(shop.rehearsal.objects.get(API, kind, 'argocd', 'teams')).toBeDefined();
  },
);

test('what is no Application goes with its sync', async () => {
  const old = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'old' } };
  const { shop, report, prunes } = await deployedWithout([old]);
  expect([report.exitStatus, prunes]).toEqual([0, [true]]);
  expect(shop.exists('ConfigMap', 'old')).toBe(false);
});
