// The end of a teardown: what no Application has goes last, only as approved, and a second run goes on with what is left.
import { expect, test } from 'vitest';
import type { RunEvent } from '../../../src/run/events.ts';
import type { KubeObject } from '../../../src/simulator/cluster/object-store.ts';
import { DeployedShop } from './deployed-shop.ts';

/** Nothing that would stay, so that the namespace may go. */
const PLAIN = {};
const APPROVAL = 'ConfigMap tiphys-teardown-shop';
const NAMESPACE = '/api/v1/namespaces/platform';

function namespaceDeletions({ rehearsal }: DeployedShop): string[] {
  const sent: string[] = [];
  rehearsal.onRequest(({ request }) => {
    if (request.method === 'DELETE' && request.path.startsWith(NAMESPACE)) sent.push(request.path);
  });
  return sent;
}

test('a namespace stays as long as an Application is left, although nothing is in it', async () => {
  const metadata = { name: 'fast' };
  const dns: KubeObject = { apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata };
  const shop = await DeployedShop.synced({ dns: [dns] });
  const approved = await shop.until(shop.look());
  expect(approved.namespaces).toMatchObject([{ name: 'platform', why: null }]);
  const sent = namespaceDeletions(shop);
  // Somebody made it anew since.
  const applications = approved.applications.map((one) =>
    one.id === 'app:dns' ? { ...one, uid: 'another' } : one,
  );
  const part = { approved: { ...approved, applications } };
  const report = await shop.until(shop.takeDown(approved, 'one', part));
  expect([report.exitStatus, shop.names()]).toEqual([2, ['shop-root', 'dns']]);
  expect([shop.inNamespace(), sent]).toEqual([[], []]);
  expect(shop.inNamespace('argocd')).toContain(APPROVAL);
});

test('a namespace of the approved name that is another one is left alone, and told', async () => {
  const shop = await DeployedShop.synced(PLAIN);
  const approved = await shop.until(shop.look());
  const sent = namespaceDeletions(shop);
  const namespaces = approved.namespaces.map((one) => ({ ...one, uid: 'another' }));
  const part = { approved: { ...approved, namespaces } };
  const report = await shop.until(shop.takeDown(approved, 'one', part));
  expect(report.leftovers?.map(({ resource, why }) => [resource.name, why])).toEqual([
    ['platform', 'it was recreated after the approval'],
  ]);
  expect([report.exitStatus, sent]).toEqual([2, []]);
});

test('what was in the way is gone: the same approval goes on, and ends clean', async () => {
  const shop = await DeployedShop.synced(PLAIN);
  const { objects } = shop.rehearsal;
  const approved = await shop.until(shop.look());
  const metadata = { name: 'mine', namespace: 'platform' };
  const secret = objects.create({ apiVersion: 'v1', kind: 'Secret', metadata });
  const first = await shop.until(shop.takeDown(approved, 'one'));
  expect([first.exitStatus, shop.names()]).toEqual([2, []]);
  objects.remove(secret);
  const second = await shop.until(shop.takeDown(approved, 'two'));
  expect([second.exitStatus, shop.exists('Namespace', 'platform')]).toEqual([0, false]);
  expect(shop.inNamespace('argocd')).not.toContain(APPROVAL);
});

/** Calls when the last Application is gone, and the clean-up begins. */
const whenAllAreGone = (act: () => void) => (event: RunEvent) => {
  if (event.type === 'node.finished' && event.node === 'open:platform') act();
};

test('told to abort during the clean-up, it deletes nothing more and reports what is left', async () => {
  const shop = await DeployedShop.synced(PLAIN);
  const approved = await shop.until(shop.look());
  const sent = namespaceDeletions(shop);
  const abort = new AbortController();
  let areGone = false;
  const listen = whenAllAreGone(() => {
    areGone = true;
  });
  // While it looks whether the namespace is empty.
  shop.rehearsal.onRequest(({ request }) => {
    if (areGone && request.path.startsWith(`${NAMESPACE}/`)) abort.abort();
  });
  const part = { abort: abort.signal, listen };
  const report = await shop.until(shop.takeDown(approved, 'one', part));
  expect(abort.signal.aborted).toBe(true);
  expect([report.exitStatus, shop.names(), sent]).toEqual([2, [], []]);
});

test('a hold that is taken away while the clean-up waits ends it', async () => {
  const shop = await DeployedShop.synced(PLAIN);
  const { objects, time } = shop.rehearsal;
  const approved = await shop.until(shop.look());
  const sent = namespaceDeletions(shop);
  const metadata = { name: 'late', namespace: 'platform' };
  const late = objects.create({ apiVersion: 'v1', kind: 'Secret', metadata });
  const listen = whenAllAreGone(() => {
    for (const project of objects.all().filter(({ kind }) => kind === 'AppProject'))
      objects.update(project, (now) => ({ ...now, spec: { ...now.spec, syncWindows: [] } }));
    time.after(20_000, () => objects.remove(late));
  });
  const ended = await shop.until(
    shop.takeDown(approved, 'one', { listen }).catch((error: unknown) => error),
  );
  expect([(ended as { exitStatus: number }).exitStatus, sent]).toEqual([2, []]);
});
