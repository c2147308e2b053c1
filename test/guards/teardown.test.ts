// What a teardown asks for, and when it says that something hangs.
import { expect, test } from 'vitest';
import { DeployedShop } from '../teardown/world.ts';

const NAMES = ['first', 'second', 'third'];

test('what goes bit by bit does not hang, and every Application goes after all that it has', async () => {
  const slow = NAMES.map((name) => ({
    ...{ apiVersion: 'v1', kind: 'ConfigMap' },
    metadata: { name, finalizers: ['example.com/slow'] },
  }));
  const shop = await DeployedShop.create({ db: slow });
  const { objects, time } = shop.rehearsal;
  // One after the other, each after a minute and a half.
  objects.onChange(({ object }) => {
    const at = NAMES.indexOf(object.metadata.name);
    if (at === -1 || object.metadata.deletionTimestamp === undefined) return;
    time.after((at + 1) * 90_000, () =>
      objects.update(object, (now) => ({ ...now, metadata: { ...now.metadata, finalizers: [] } })),
    );
  });
  const policies: (string | undefined)[] = [];
  shop.rehearsal.onRequest(({ request }) => {
    if (request.method !== 'DELETE' || !request.path.includes('/api/v1/applications/')) return;
    policies.push(/[?&]propagationPolicy=(\w+)/.exec(request.path)?.[1]);
  });
  const report = await shop.until(shop.down({ stuckAfter: 120 }));
  expect(report.nodes.flatMap(({ cause }) => cause?.message ?? [])).toEqual([]);
  expect([report.exitStatus, shop.names()]).toEqual([0, []]);
  expect([policies.length, new Set(policies)]).toEqual([8, new Set(['foreground'])]);
});
