// What is left, and any object, on what Kubernetes answers.
import { describe, expect, test } from 'vitest';
import { FakeTransport, json, type Reply } from '../../../test/fakes/transport.ts';
import { VirtualClock } from '../../../test/fakes/virtual-clock.ts';
import type { TransportRequest } from '../transport.ts';
import { mayInCluster } from './access.ts';
import { kubernetesApi } from './api.ts';
import { kubernetesObjects } from './objects.ts';
import { kubernetesResidue } from './residue.ts';

const NOT_FOUND = json({ kind: 'Status', code: 404, message: 'not found' }, 404);
const FORBIDDEN = json({ kind: 'Status', code: 403, message: 'no' }, 403);

function setUp(answers: Readonly<Record<string, Reply>>) {
  const transport = new FakeTransport((request: TransportRequest) => {
    const [path = ''] = request.path.split('?');
    return answers[`${request.method} ${path}`] ?? NOT_FOUND;
  });
  const world = { clock: new VirtualClock(), random: () => 0.5 };
  return { transport, api: kubernetesApi(transport, world) };
}

const many = (...items: readonly object[]) => json({ metadata: { resourceVersion: '1' }, items });
const DATABASE = { group: 'example.com', kind: 'Database', namespace: 'n', name: 'main' };
const groups = (...versions: readonly string[]) =>
  json({
    groups: [
      {
        name: 'example.com',
        versions: versions.map((one) => ({ groupVersion: `example.com/${one}` })),
      },
    ],
  });
const kinds = (verbs: readonly string[] = ['list', 'delete']) =>
  json({
    resources: [
      { name: 'databases', kind: 'Database', namespaced: true, verbs },
      { name: 'databases/status', kind: 'Database', namespaced: true, verbs },
    ],
  });
const ALL = '/apis/example.com/v1/namespaces/n/databases';
const PATH = `${ALL}/main`;
const SERVED = {
  'GET /apis': groups('v1'),
  'GET /apis/example.com/v1': kinds(),
};
const live = (metadata: object) => ({
  metadata: { name: 'main', namespace: 'n', uid: 'u', ...metadata },
});

describe('any object', () => {
  test('is found where its kind is served, with what it waits for', async () => {
    const deletionTimestamp = '2026-11-15T06:47:17Z';
    const answer = many(live({ finalizers: ['example.com/x'], deletionTimestamp }));
    const { api, transport } = setUp({ ...SERVED, [`GET ${ALL}`]: answer });
    expect(await kubernetesObjects(api).get(DATABASE)).toEqual({
      ...{ uid: 'u', finalizers: ['example.com/x'], deletingSince: 1794725237 },
    });
    expect(transport.requests.at(-1)?.path).toContain('fieldSelector=metadata.name%3Dmain');
  });

  test.each([
    ['another name', DATABASE, { name: 'mainly' }],
    ['another namespace', DATABASE, { namespace: 'other' }],
    ['some namespace, where none is given', { ...DATABASE, namespace: '' }, {}],
  ])('is not one with %s, though the server ignores selectors', async (_, wanted, other) => {
    const all = '/apis/example.com/v1/databases';
    const answers = { [`GET ${ALL}`]: many(live(other)), [`GET ${all}`]: many(live(other)) };
    const { api } = setUp({ ...SERVED, ...answers });
    expect(await kubernetesObjects(api).get(wanted)).toBeUndefined();
  });

  test('that lives in no namespace is found whatever namespace is given', async () => {
    const resources = [{ name: 'nodes', kind: 'Node', namespaced: false, verbs: ['list'] }];
    const { api, transport } = setUp({
      'GET /api/v1': json({ resources }),
      'GET /api/v1/nodes': many({ metadata: { name: 'a,b=c\\d', uid: 'u' } }),
    });
    const node = { group: '', kind: 'Node', namespace: 'n', name: 'a,b=c\\d' };
    expect(await kubernetesObjects(api).get(node)).toMatchObject({ uid: 'u' });
    const selector = new URLSearchParams(transport.requests.at(-1)?.path.split('?')[1]);
    expect(selector.get('fieldSelector')).toBe('metadata.name=a\\,b\\=c\\\\d');
  });

  test.each<[string, Readonly<Record<string, Reply>>, unknown]>([
    ['is gone where it is not there', { ...SERVED, [`GET ${ALL}`]: many() }, undefined],
    ['is gone where the version that was known is not served', SERVED, undefined],
    ['is gone where nobody serves its kind', { 'GET /apis': json({ groups: [] }) }, undefined],
    [
      'is not known where no permission to read it',
      { ...SERVED, [`GET ${ALL}`]: FORBIDDEN },
      'unknown',
    ],
  ])('%s', async (_, answers, found) => {
    const { api } = setUp(answers);
    expect(await kubernetesObjects(api).get(DATABASE)).toBe(found);
  });

  test('is looked for again where another version is served now', async () => {
    const answers: Record<string, Reply> = { ...SERVED, [`GET ${ALL}`]: many(live({})) };
    const { api } = setUp(answers);
    const objects = kubernetesObjects(api);
    await objects.get(DATABASE);
    delete answers[`GET ${ALL}`];
    answers['GET /apis'] = groups('v2');
    answers['GET /apis/example.com/v2'] = kinds();
    answers[`GET ${ALL.replace('v1', 'v2')}`] = many(live({ uid: 'same' }));
    expect(await objects.get(DATABASE)).toMatchObject({ uid: 'same' });
  });

  test('is deleted only if it is the one that is meant', async () => {
    const { api, transport } = setUp({ ...SERVED, [`DELETE ${PATH}`]: json({}) });
    expect(await kubernetesObjects(api).remove(DATABASE, 'u')).toEqual({ kind: 'done' });
    const sent = transport.requests.find(({ method }) => method === 'DELETE');
    expect(sent?.body).toMatchObject({ preconditions: { uid: 'u' } });
  });

  test('loses its finalizers only while it is being deleted, and all else stays', async () => {
    const now = {
      metadata: { name: 'main', uid: 'u', resourceVersion: '7', finalizers: ['example.com/x'] },
      spec: { size: 3 },
    };
    const deletionTimestamp = '2026-11-15T06:47:17Z';
    const going = { ...now, metadata: { ...now.metadata, deletionTimestamp } };
    const trying = async (object: object, uid: string) => {
      const answers = { ...SERVED, [`GET ${PATH}`]: json(object), [`PUT ${PATH}`]: json({}) };
      const { api, transport } = setUp(answers);
      const send = await kubernetesObjects(api).prepareFinalizerRemoval(DATABASE, uid);
      const { kind } = await send();
      return [kind, transport.requests.find(({ method }) => method === 'PUT')?.body];
    };
    const cleared = { ...going, metadata: { ...going.metadata, finalizers: [] } };
    expect(await trying(going, 'u')).toEqual(['done', cleared]);
    expect(await trying(now, 'u')).toEqual(['refused', undefined]);
    expect(await trying(going, 'other')).toEqual(['refused', undefined]);
  });
});

test('a namespace has what can be listed and deleted in it, and metrics are nothing', async () => {
  const inside = (verbs: readonly string[]) => ({
    'GET /apis': groups('v1'),
    'GET /api/v1': json({ resources: [] }),
    'GET /apis/example.com/v1': kinds(verbs),
    'GET /apis/example.com/v1/namespaces/n/databases': many({
      metadata: {
        ...{ name: 'main', namespace: 'n', uid: 'u' },
        annotations: { 'argocd.argoproj.io/tracking-id': 'db:example.com/Database:n/main' },
      },
    }),
  });
  const contents = (verbs: readonly string[]) =>
    kubernetesObjects(setUp(inside(verbs)).api).contents('n');
  expect(await contents(['list', 'delete'])).toMatchObject([{ ...DATABASE, tracker: 'db' }]);
  expect(await contents(['list', 'get'])).toEqual([]);
  expect(await contents(['delete'])).toMatchObject({
    unlisted: expect.stringContaining('databases'),
  });
});

test('each kind of a namespace is listed once, at the preferred version that serves it', async () => {
  const versions = ['v1', 'v2', 'v1beta1'].map((one) => ({ groupVersion: `example.com/${one}` }));
  const preferredVersion = { groupVersion: 'example.com/v2' };
  const named = (...names: readonly string[]) =>
    json({
      resources: names.map((name) => ({
        ...{ name, kind: name, namespaced: true, verbs: ['list', 'delete'] },
      })),
    });
  const { api, transport } = setUp({
    'GET /apis': json({ groups: [{ name: 'example.com', versions, preferredVersion }] }),
    'GET /api/v1': json({ resources: [] }),
    'GET /apis/example.com/v1': named('old', 'both'),
    'GET /apis/example.com/v2': named('both'),
    'GET /apis/example.com/v1beta1': named('both', 'young'),
    'GET /apis/example.com/v1/namespaces/n/old': many(),
    'GET /apis/example.com/v2/namespaces/n/both': many(),
    'GET /apis/example.com/v1beta1/namespaces/n/young': many(),
  });
  expect(await kubernetesObjects(api).contents('n')).toEqual([]);
  const listed = transport.requests.filter(({ path }) => path.includes('/namespaces/'));
  expect(listed).toHaveLength(3);
});

test.each<[string, object, string | undefined]>([
  ['that lives', {}, undefined],
  ['that does not end', { deletionTimestamp: '2026-11-15T06:47:17Z' }, 'one left; waits for x'],
])('a namespace %s', async (_, metadata, found) => {
  const conditions = [
    { status: 'True', message: 'one left' },
    { status: 'False', message: 'all well' },
    { status: 'True', message: 'waits for x' },
  ];
  const { api, transport } = setUp({
    'GET /api/v1/namespaces': many({ metadata, status: { conditions } }),
  });
  expect(await kubernetesResidue(api).terminating('n')).toBe(found);
  expect(transport.requests[0]?.path).toContain('fieldSelector=metadata.name%3Dn&');
});

test.each([true, false])('whether something may be done is asked: %s', async (allowed) => {
  const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
  const { api, transport } = setUp({ [`POST ${path}`]: json({ status: { allowed } }, 201) });
  const right = { verb: 'delete', group: '', resource: 'namespaces' };
  expect(await mayInCluster(api, right)).toBe(allowed);
  expect(transport.requests[0]?.body).toMatchObject({ spec: { resourceAttributes: right } });
});
