// Leases, the store, lists and the Service of argocd-server, on what Kubernetes answers.
import { describe, expect, test } from 'vitest';
import { FakeTransport, failure, json, type Reply } from '../../../test/fakes/transport.ts';
import { VirtualClock } from '../../../test/fakes/virtual-clock.ts';
import type { TransportRequest } from '../transport.ts';
import { kubernetesApi } from './api.ts';
import { listApplicationSets, listApplications } from './applications.ts';
import { argocdProxyPaths, proxyNames } from './argocd-service.ts';
import { kubernetesLeases } from './leases.ts';
import { listAll } from './list.ts';
import { renewing } from './renewing.ts';
import { kubernetesStore } from './store.ts';

const status = (code: number, message = `status ${code}`) =>
  json({ kind: 'Status', code, message }, code);

const endlessPage = (next: string) =>
  json({ metadata: { resourceVersion: '9', continue: next }, items: [] });

function setUp(answer: readonly Reply[] | ((request: TransportRequest) => Reply)) {
  const clock = new VirtualClock();
  const transport = new FakeTransport(answer);
  return { clock, transport, api: kubernetesApi(transport, { clock, random: () => 0.5 }) };
}

describe('a Lease', () => {
  const LEASE = {
    name: 'tiphys-shop',
    resourceVersion: '5',
    holder: 'r1',
    durationSeconds: 15,
    renewTime: '2026-11-15T06:47:17.250Z',
    transitions: 2,
    annotations: new Map([['a', '1']]),
  };

  test('is written with the six digits that Kubernetes wants, and its version', async () => {
    const { transport, api } = setUp([json({})]);
    const leases = kubernetesLeases(api, 'argocd');
    expect(await leases.update(LEASE)).toEqual({ kind: 'done' });
    expect(await leases.create(LEASE)).toEqual({ kind: 'done' });
    expect(transport.requests[0]).toMatchObject({
      method: 'PUT',
      path: '/apis/coordination.k8s.io/v1/namespaces/argocd/leases/tiphys-shop',
      body: {
        metadata: { resourceVersion: '5', annotations: { a: '1' } },
        spec: {
          holderIdentity: 'r1',
          renewTime: '2026-11-15T06:47:17.250000Z',
          leaseTransitions: 2,
        },
      },
    });
    expect(transport.requests[1]).toMatchObject({
      method: 'POST',
      body: { metadata: { resourceVersion: undefined } },
    });
  });

  test('is read, if there is one', async () => {
    const spec = { holderIdentity: 'r1', leaseDurationSeconds: 15, renewTime: 't' };
    const metadata = { name: 'x', resourceVersion: '7' };
    const { api } = setUp([status(404), json({ metadata, spec }), json({ metadata })]);
    const leases = kubernetesLeases(api, 'argocd');
    expect(await leases.get('x')).toBeUndefined();
    expect(await leases.get('x')).toMatchObject({ holder: 'r1', renewTime: 't', transitions: 0 });
    expect(await leases.get('x')).toMatchObject({ holder: '', durationSeconds: 0 });
  });

  test.each([
    [status(409), { kind: 'refused', reason: 'conflict' }],
    [status(403), { kind: 'refused', reason: 'forbidden' }],
    [status(404), { kind: 'refused', reason: 'not-found' }],
    [status(422), { kind: 'refused', reason: 'invalid' }],
    [status(500), { kind: 'unknown' }],
    [status(429), { kind: 'unknown' }],
    [failure(), { kind: 'unknown' }],
    [failure('deadline'), { kind: 'unknown' }],
  ])('is written once: %j', async (reply, result) => {
    const { transport, api } = setUp([reply]);
    expect(await kubernetesLeases(api, 'argocd').update(LEASE)).toMatchObject(result);
    expect(transport.requests).toHaveLength(1);
  });
});

describe('the store', () => {
  const TEXT = {
    name: 'tiphys-run-1',
    labels: new Map([['tiphys.dev/run', '1']]),
    annotations: new Map(),
    data: new Map([['events', new Uint8Array([0, 255])]]),
  };

  const always = () => true;

  test('sends nothing more once it may not write', async () => {
    const { transport, api } = setUp([status(404)]);
    const mayWrite = () => transport.requests.length === 0;
    const result = await kubernetesStore(api, 'argocd').put(TEXT, mayWrite);
    expect(result).toMatchObject({ kind: 'refused', message: 'the run does not own the platform' });
    expect(transport.requests.map(({ method }) => method)).toEqual(['PUT']);
  });

  test('replaces what is there, and creates what is not', async () => {
    const { transport, api } = setUp([json({}), status(404), json({}, 201)]);
    const store = kubernetesStore(api, 'argocd');
    expect(await store.put(TEXT, always)).toEqual({ kind: 'done' });
    expect(await store.put(TEXT, always)).toEqual({ kind: 'done' });
    expect(transport.requests.map(({ method }) => method)).toEqual(['PUT', 'PUT', 'POST']);
    expect(transport.requests[2]?.body).toMatchObject({ binaryData: { events: 'AP8=' } });
  });

  test('replaces what somebody else created in between', async () => {
    const { transport, api } = setUp([status(404), status(409), json({})]);
    expect(await kubernetesStore(api, 'argocd').put(TEXT, always)).toEqual({ kind: 'done' });
    expect(transport.requests.map(({ method }) => method)).toEqual(['PUT', 'POST', 'PUT']);
  });

  test('gives the bytes back', async () => {
    const item = {
      metadata: { name: 'x', labels: { a: 'b' } },
      binaryData: { events: 'AP8=' },
      data: { t: 'x' },
    };
    const { transport, api } = setUp([json({ metadata: { resourceVersion: '1' }, items: [item] })]);
    const [text] = await kubernetesStore(api, 'argocd').list(new Map([['a', 'b/c']]));
    expect([...(text?.data.get('events') ?? [])]).toEqual([0, 255]);
    expect(String(text?.data.get('t'))).toBe('x');
    expect(transport.requests[0]?.path).toContain('labelSelector=a%3Db%2Fc');
  });
});

describe('a list', () => {
  test('is read page by page, and from the start when its moment is gone', async () => {
    const page = (item: number, next?: string) =>
      json({ metadata: { resourceVersion: '9', continue: next }, items: [item] });
    const { transport, api } = setUp([page(1, 'a b'), status(410), page(1, 'c'), page(2)]);
    expect(await listAll(api, '/x')).toEqual({ resourceVersion: '9', items: [1, 2] });
    expect(transport.requests.map(({ path }) => path)).toEqual([
      '/x?limit=500',
      '/x?limit=500&continue=a%20b',
      '/x?limit=500',
      '/x?limit=500&continue=c',
    ]);
  });

  test.each<[string, () => Reply]>([
    ['expired 11 times', () => status(410)],
    ['repeats a page', () => endlessPage('a')],
    ['has more than 2000 pages', () => endlessPage(`${Math.random()}`)],
  ])('that %s is given up', async (why, answer) => {
    const { api } = setUp(answer);
    await expect(listAll(api, '/x')).rejects.toMatchObject({
      ...{ diagnostics: [{ code: 'cluster-answer-invalid' }] },
      message: expect.stringContaining(`a list ${why}: /x`),
    });
  });

  test('of Applications tells which are malformed, and why', async () => {
    const bad = { metadata: { name: 'b', namespace: 'n', uid: 'u', resourceVersion: '1' } };
    const { api } = setUp([json({ metadata: { resourceVersion: '9' }, items: [bad] })]);
    const told: object[] = [];
    expect(await listApplications(api, ['n'], (one) => told.push(one))).toEqual([]);
    expect(told).toMatchObject([
      { name: 'b', namespace: 'n', why: expect.stringContaining('spec') },
    ]);
  });

  test('of Applications leaves out what is malformed', async () => {
    const good = {
      metadata: { name: 'a', namespace: 'n', uid: 'u', resourceVersion: '1' },
      spec: {},
    };
    const { api } = setUp([
      json({ metadata: { resourceVersion: '9' }, items: [good, { spec: 1 }] }),
    ]);
    expect((await listApplications(api, ['n'])).map(({ name }) => name)).toEqual(['a']);
  });

  test('of Applications where nobody knows them: there is no Argo CD', async () => {
    const { api } = setUp([status(404)]);
    await expect(listApplications(api, ['n'])).rejects.toThrow(/Argo CD is not installed/);
  });

  test('of ApplicationSets tells which sync step by step, and who has them in Git', async () => {
    const tracking = { 'argocd.argoproj.io/tracking-id': 'root:argoproj.io/ApplicationSet:n/c' };
    const set = (name: string, type?: string, annotations?: object) => ({
      metadata: { name, namespace: 'n', uid: 'u', annotations },
      spec: { strategy: type && { type } },
      status: { conditions: [{ type: 'ResourcesUpToDate', status: type ? 'True' : 'False' }] },
    });
    const items = [set('a'), set('b', 'RollingSync'), set('c', 'AllAtOnce', tracking)];
    const { api } = setUp([json({ metadata: { resourceVersion: '9' }, items })]);
    const plain = {
      ...{ namespace: 'n', uid: 'u', deleting: false, rollingSync: false, upToDate: false },
    };
    expect(await listApplicationSets(api, ['n'])).toEqual([
      { ...plain, name: 'a', trackedBy: undefined },
      { ...plain, name: 'b', rollingSync: true, trackedBy: undefined, upToDate: true },
      { ...plain, name: 'c', trackedBy: 'root', upToDate: true },
    ]);
  });

  test.each([
    [status(401), 'cluster-unauthorized'],
    [status(403), 'cluster-forbidden'],
    [status(503), 'cluster-unreachable'],
    [failure('tls'), 'cluster-tls'],
    [failure(), 'cluster-unreachable'],
    [{ text: '<html>' }, 'cluster-answer-invalid'],
    [json({}), 'cluster-answer-invalid'],
  ])('that cannot be had is an error: %j', async (reply, code) => {
    const { clock, api } = setUp([reply]);
    await expect(clock.until(listAll(api, '/x'))).rejects.toMatchObject({
      diagnostics: [{ code }],
    });
  });
});

describe('the Service of argocd-server', () => {
  interface Port {
    readonly name?: string;
    readonly port: number;
  }
  const service = (name: string, ...ports: Port[]) => ({
    metadata: { name },
    spec: { ports: ports.map(({ name, port }) => ({ name, port })) },
  });
  const HTTP = { name: 'http', port: 80 };
  const HTTPS = { name: 'https', port: 443 };

  test.each([
    ['only plain', [HTTP], ['http:s:80']],
    ['both', [HTTP, HTTPS], ['https:s:443', 'http:s:80']],
    ['named, on another port', [{ name: 'https', port: 8443 }], ['https:s:8443']],
    ['unnamed', [{ port: 443 }], ['https:s:443']],
    ['of metrics', [{ name: 'http-metrics', port: 8083 }], []],
  ])('with ports %s', (_, ports, names) =>
    expect(proxyNames(service('s', ...ports))).toEqual(names),
  );

  test('is found by either of its labels', async () => {
    const { api } = setUp(({ path }) => {
      const items = path.includes('component')
        ? [service('m', { port: 8083 }), service('cd', HTTP)]
        : [];
      return json({ metadata: { resourceVersion: '1' }, items });
    });
    expect(await argocdProxyPaths(api, 'cd', {})).toEqual([
      '/api/v1/namespaces/cd/services/http:cd:80/proxy',
    ]);
  });

  test('is the one with the well-known name where several have the label', async () => {
    const items = [service('aaa', HTTPS), service('argocd-server', HTTP), service('zzz', HTTP)];
    const { api } = setUp([json({ metadata: { resourceVersion: '1' }, items })]);
    expect(await argocdProxyPaths(api, 'cd', {})).toEqual([
      '/api/v1/namespaces/cd/services/http:argocd-server:80/proxy',
    ]);
  });

  test('is none of several that nothing tells apart, by whichever label they are found', async () => {
    const { api } = setUp(({ path }) => {
      const name = path.includes('component') ? 'gitops-server' : 'aaa';
      return json({ metadata: { resourceVersion: '1' }, items: [service(name, HTTPS)] });
    });
    await expect(argocdProxyPaths(api, 'cd', {})).rejects.toThrow(/aaa, gitops-server/);
  });

  test('that is not there is an error that says where it was looked for', async () => {
    const { api } = setUp([json({ metadata: { resourceVersion: '1' }, items: [] })]);
    await expect(argocdProxyPaths(api, 'cd', {})).rejects.toThrow(/namespace "cd"/);
  });
});

describe('credentials that Kubernetes does not accept', () => {
  test('are renewed once, and the request is sent again', async () => {
    let renewed = 0;
    const inner = new FakeTransport(() => (renewed > 0 ? json({}) : status(401)));
    const transport = renewing(inner, () => renewed++, new VirtualClock());
    const answer = await transport.send({ method: 'PUT', path: '/x', deadline: 1 });
    expect(answer.status).toBe(200);
    expect(renewed).toBe(1);
  });

  test('that take too long to renew are not used for this request', async () => {
    const clock = new VirtualClock();
    const inner = new FakeTransport([status(401)]);
    const transport = renewing(inner, () => clock.pause(5000), clock);
    const sending = transport.send({ method: 'PUT', path: '/x', deadline: 5000 });
    await expect(sending).rejects.toMatchObject({ kind: 'deadline' });
    expect(inner.requests).toHaveLength(1);
  });

  test('are not to blame for what Argo CD does not accept', async () => {
    const inner = new FakeTransport([json({ code: 16, message: 'expired' }, 401)]);
    const transport = renewing(inner, () => expect.unreachable(), new VirtualClock());
    expect((await transport.send({ method: 'GET', path: '/x', deadline: 1 })).status).toBe(401);
  });
});
