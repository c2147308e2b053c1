// What must never happen in a teardown, whoever interferes.
import { expect, test, vi } from 'vitest';
import type { RunEvent } from '../../../src/run/events.ts';
import type { Participant } from '../../../src/simulator/participant.ts';
import { API, DeployedShop } from './deployed-shop.ts';

vi.setConfig({ testTimeout: 60_000 });

const causeOf = (report: Awaited<ReturnType<DeployedShop['down']>>, id: string) =>
  report.nodes.find((node) => node.id === id)?.cause?.message;

test('what depends on an Application and came back keeps that from going', async () => {
  const shop = await DeployedShop.synced();
  const { objects } = shop.rehearsal;
  const site = objects.get(API, 'Application', 'argocd', 'site');
  const order = shop.deletions();
  const listen = (event: RunEvent) => {
    if (event.type !== 'node.finished' || event.node !== 'app:site' || !site) return;
    objects.create({ ...site, metadata: { name: 'site', namespace: 'argocd' } });
  };
  const report = await shop.until(shop.down({ listen }));
  expect([report.exitStatus, order]).toEqual([2, ['site']]);
  expect(causeOf(report, 'app:api')).toBe('site depends on it and still exists');
});

test('what outlives its Application keeps what that depends on', async () => {
  const shop = await DeployedShop.synced();
  const { objects } = shop.rehearsal;
  objects.onChange(({ type, object }) => {
    if (type !== 'DELETED' || object.kind !== 'Deployment' || object.metadata.name !== 'site')
      return;
    const metadata = { name: 'site', namespace: 'platform' };
    objects.create({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata,
      spec: object.spec ?? {},
    });
  });
  const order = shop.deletions();
  const report = await shop.until(shop.down());
  expect([report.exitStatus, order]).toEqual([2, ['site']]);
  expect(causeOf(report, 'app:site')).toContain('1 left, such as apps/Deployment platform/site');
});

test('whoever has slept past its lease deletes nothing when it wakes', async () => {
  const shop = await DeployedShop.synced();
  const approved = await shop.until(shop.look());
  const sent: (readonly [at: number, who: string])[] = [];
  shop.rehearsal.onRequest(({ at, who, request }) => {
    if (request.method === 'DELETE' && request.path.includes('/applications/'))
      sent.push([at, who]);
  });
  let one: Participant | undefined;
  const slept = shop.connect('one', (transport, participant) => {
    one = participant;
    return transport;
  });
  const listen = (event: RunEvent) => {
    if (event.type === 'node.finished') one?.pause(120_000);
  };
  const first = shop.takeDown(approved, slept, { listen }).catch((error: Error) => error);
  const later = async () => {
    await shop.rehearsal.time.sleep(60_000);
    return await shop.takeDown(approved, 'two');
  };
  const [ended, report] = await shop.until(Promise.all([first, later()]));
  expect(report.exitStatus).toBe(0);
  const taken = sent.find(([, who]) => who === 'two')?.[0] ?? Number.NaN;
  expect(sent.filter(([at, who]) => who === 'one' && at > taken)).toEqual([]);
  expect(sent.filter(([, who]) => who === 'one')).toHaveLength(1);
  expect(ended).toMatchObject({ exitStatus: 2 });
  expect(shop.names()).toEqual([]);
});

test('another Application of the approved name is left alone', async () => {
  const shop = await DeployedShop.synced();
  const approved = await shop.until(shop.look());
  const { objects } = shop.rehearsal;
  const dns = approved.applications.map((one) =>
    one.id === 'app:dns' ? { ...one, uid: 'another' } : one,
  );
  const order = shop.deletions();
  const part = { approved: { ...approved, applications: dns } };
  const report = await shop.until(shop.takeDown(approved, 'one', part));
  expect(report.exitStatus).toBe(2);
  expect(order).not.toContain('dns');
  expect(order).not.toContain('shop-root');
  expect(objects.get(API, 'Application', 'argocd', 'dns')).toBeDefined();
});

test('a server that shows the approved one where there is another by now is not believed', async () => {
  const shop = await DeployedShop.synced();
  const approved = await shop.until(shop.look());
  const { objects } = shop.rehearsal;
  const old = approved.applications.find(({ id }) => id === 'app:dns')?.uid ?? '';
  const order = shop.deletions();
  const lagging = shop.connect('one', (transport) => ({
    ...transport,
    send: async (request) => {
      const answer = await transport.send(request);
      const isDns = /applications\/dns\?/.test(request.path) && request.method === 'GET';
      const now = objects.get(API, 'Application', 'argocd', 'dns')?.metadata.uid ?? '';
      return isDns && now ? { ...answer, text: answer.text.replaceAll(now, old) } : answer;
    },
  }));
  // Somebody makes it anew when the teardown has begun.
  const listen = ({ type }: RunEvent) => {
    const dns = objects.get(API, 'Application', 'argocd', 'dns');
    if (type !== 'node.started' || dns?.metadata.uid !== old) return;
    const { uid: _, resourceVersion: __, finalizers: ___, ...metadata } = dns.metadata;
    objects.update(dns, (one) => ({ ...one, metadata: { ...one.metadata, finalizers: [] } }));
    objects.remove(objects.get(API, 'Application', 'argocd', 'dns') ?? dns);
    objects.create({ ...dns, metadata });
  };
  const report = await shop.until(shop.takeDown(approved, lagging, { listen }));
  expect(report.exitStatus).toBe(2);
  expect(order).not.toContain('dns');
});

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
