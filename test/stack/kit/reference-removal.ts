// The reference platform torn down: in the order of its dependencies by the API server's own records, and with nothing left
// but what its inventory announced.

import { expect } from 'vitest';
import type { Inventory } from '../../../src/inventory/inventory.ts';
import type { Report } from '../../../src/report/run-report.ts';
import type { Mark } from './audit.ts';
import { census } from './census.ts';
import type { Reference } from './reference.ts';
import type { Stack } from './stack.ts';

/** When it was asked to go, and when the last was written of it. */
interface Going {
  readonly asked: number;
  readonly gone: number;
}

/** As its inventory was approved; nothing is left but what that announced. Again, nothing is to do. Returns the report. */
export async function expectTornDown(
  stack: Stack,
  reference: Reference,
  before: ReadonlySet<string>,
  ...args: string[]
): Promise<Report> {
  const { tiphys } = reference;
  const inventory = await tiphys.inventory();
  expect(inventory.refusals).toEqual([]);
  expect(inventory.applications).toHaveLength(43 + 11 + 1);
  const mark = await stack.audit.mark();
  const begin = Date.now();
  const { report, status } = await tiphys.teardown(inventory, ...args);
  console.log(`the reference platform is down after ${(Date.now() - begin) / 1000} s`);
  expect(report.nodes.filter(({ cause }) => cause)).toEqual([]);
  expect(status).toBe(0);
  await expectRemovedInOrder(stack, reference, mark);
  const isAnnounced = announced(inventory);
  const left = [...(await census(stack))].filter((name) => !before.has(name));
  expect(left.filter((name) => !isAnnounced(name) && !isBootstraps(name))).toEqual([]);
  const again = await tiphys.run('teardown', '--confirm', 'reference', '--expect', inventory.hash);
  expect([again.status, again.stdout]).toEqual([0, expect.stringContaining('nothing to do')]);
  return report;
}

async function expectRemovedInOrder(stack: Stack, reference: Reference, mark: Mark): Promise<void> {
  const dependencies = await reference.dependencies();
  const going = await removalsSince(
    stack,
    mark,
    new Set([...dependencies.keys(), 'platform-root']),
  );
  let edges = 0;
  for (const [name, before] of dependencies) {
    for (const dependency of before) {
      const [asked, gone] = [going.get(dependency)?.asked, going.get(name)?.gone];
      expect(asked, `${dependency} after ${name}`).toBeGreaterThanOrEqual(gone ?? Number.NaN);
      edges += 1;
    }
  }
  expect(edges).toBeGreaterThan(60);
  const root = going.get('platform-root');
  for (const [name, { gone }] of going) {
    if (name !== 'platform-root') expect(root?.asked, name).toBeGreaterThanOrEqual(gone);
  }
}

async function removalsSince(
  stack: Stack,
  mark: Mark,
  names: ReadonlySet<string>,
): Promise<Map<string, Going>> {
  const all = await stack.audit.since(mark, { resource: 'applications.argoproj.io' });
  const writes = all.filter(({ name }) => names.has(name));
  const going = new Map<string, Going>();
  for (const { name, verb, status, at, doneAt, user } of writes) {
    const known = going.get(name);
    const isDeletion = verb === 'delete' && status < 300;
    if (isDeletion && known === undefined) {
      expect(user, name).toContain('argocd-server');
      going.set(name, { asked: at.getTime(), gone: doneAt.getTime() });
    } else if (known && status < 300) going.set(name, { ...known, gone: doneAt.getTime() });
  }
  return going;
}

/** What an inventory says that stays, as a census names it. */
function announced({ applications, namespaces }: Inventory): (name: string) => boolean {
  const kept = applications.flatMap(({ keeps }) => keeps);
  const patterns = kept.map(({ kind, namespace, name }) => {
    const place = kind === 'CustomResourceDefinition' ? '' : namespace;
    // A volume stays with its claim.
    const kinds =
      kind === 'PersistentVolumeClaim' ? '(PersistentVolume|PersistentVolumeClaim)' : kind;
    return new RegExp(`^${kinds} ${place}/${name.replace('*', '\\d+')}$`);
  });
  const staying = new Set(
    namespaces.filter(({ why }) => why !== null).map(({ name }) => `Namespace /${name}`),
  );
  return (name) => staying.has(name) || patterns.some((pattern) => pattern.test(name));
}

/** Made by the bootstrap or kept by Tiphys on purpose. */
function isBootstraps(name: string): boolean {
  return (
    name === 'AppProject argocd/platform' || /^ConfigMap argocd\/tiphys-run-reference-/.test(name)
  );
}
