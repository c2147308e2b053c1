// Contexts that reach another cluster than they are named for, or none: this is found out before the first write, and nothing
// is changed in a cluster that is not the one that was approved.
import { expect, test, vi } from 'vitest';
import { teardownPreflight } from '../../../src/engines/teardown/teardown-preflight.ts';
import { failure } from '../../../src/simulator/cluster/rest.ts';
import { TransportFailure } from '../../../src/targets/transport.ts';
import { DeployedShop, ELSEWHERE, sendElsewhere, whole } from './deployed-shop.ts';
import { asked, isWrite, MEMBERS, named, reached, THIRD } from './other-clusters.ts';

vi.setConfig({ testTimeout: 60_000 });

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
    'no permission to read the Namespace kube-system there',
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
  await expect(shop.until(shop.takeDown(before, 'one'))).rejects.toThrow(
    'changed since the approval',
  );
  const writes = asked(shop, (one) => isWrite(one) && one.cluster !== '');
  const report = await shop.until(shop.down());
  expect([report.exitStatus, writes]).toEqual([0, []]);
  expect(named(shop.rehearsal.cluster(ELSEWHERE))).toContain('Namespace platform');
});

test('a context that is gone, or another one, when the teardown begins is no approval', async () => {
  const shop = await reached({});
  const approved = await shop.until(shop.look());
  shop.contexts = new Map();
  await expect(shop.until(shop.takeDown(approved, 'one'))).rejects.toThrow(
    'changed since the approval',
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
    expect.stringContaining(`remaining objects in ${ELSEWHERE} could not be read`),
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
