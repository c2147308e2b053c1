// Snapshots of volumes before a teardown: taken, waited for, kept; and refused where nobody takes them.
import { expect, test, vi } from 'vitest';
import type { RunEvent } from '../../../src/run/events.ts';
import { DeployedShop } from './deployed-shop.ts';

vi.setConfig({ testTimeout: 60_000 });

const API = 'snapshot.storage.k8s.io/v1';
const CLAIM = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'data' } };
const policy = { volumes: 'snapshot' } as const;

/** Before a snapshot was ever made, the simulated cluster does not know the kind. */
test('where the cluster has no VolumeSnapshots it is refused', async () => {
  const shop = await DeployedShop.synced({ db: [CLAIM] });
  await expect(shop.until(shop.down({}, policy))).rejects.toThrow('has no VolumeSnapshots');
  expect(shop.names()).toHaveLength(8);
});

/** With a controller that has them ready after three seconds, if at all. */
async function withSnapshots(isReady: boolean): Promise<DeployedShop> {
  const shop = await DeployedShop.synced({ db: [CLAIM] });
  const { objects, time } = shop.rehearsal;
  objects.create({
    apiVersion: API,
    kind: 'VolumeSnapshot',
    metadata: { name: 'a', namespace: 'x' },
  });
  objects.onChange(({ type, object }) => {
    if (type !== 'ADDED' || object.kind !== 'VolumeSnapshot') return;
    const status = isReady ? { readyToUse: true } : { error: { message: 'no class' } };
    time.after(3_000, () => objects.update(object, (now) => ({ ...now, status })));
  });
  return shop;
}

test('a claim goes when its snapshot is ready, and the snapshot stays', async () => {
  const shop = await withSnapshots(true);
  const events: RunEvent[] = [];
  const listen = (event: RunEvent) => events.push(event);
  const report = await shop.until(shop.down({ listen }, policy));
  expect(report.exitStatus).toBe(0);
  const times = (type: RunEvent['type']) =>
    events.filter((event) => event.type === type && 'node' in event && event.node === 'app:db');
  const [asked] = times('node.snapshot-requested');
  const [deleted] = times('node.delete-requested');
  expect(times('node.snapshot-requested')).toHaveLength(1);
  const waited = Date.parse(deleted?.time ?? '') - Date.parse(asked?.time ?? '');
  expect(waited).toBeGreaterThanOrEqual(3_000);
  expect(shop.inNamespace()).toEqual(['VolumeSnapshot data-down']);
  expect(report.leftovers?.map(({ why, announced }) => [why, announced])).toContainEqual([
    ...['the snapshot of PersistentVolumeClaim platform/data', true],
  ]);
});

test('a snapshot that never is ready keeps its claim, and all that it depends on', async () => {
  const shop = await withSnapshots(false);
  const report = await shop.until(shop.down({}, policy));
  expect(report.exitStatus).toBe(2);
  const cause = report.nodes.find(({ id }) => id === 'app:db')?.cause?.message;
  expect(cause).toContain('is not ready: no class');
  expect(shop.exists('PersistentVolumeClaim', 'data')).toBe(true);
  expect(shop.names()).toContain('operator');
});
