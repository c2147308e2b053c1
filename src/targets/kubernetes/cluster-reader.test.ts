// What is taken of the objects of a cluster, and how it is asked for.
import { expect, test } from 'vitest';
import { FakeTransport, failure, json } from '../../../test/fakes/transport.ts';
import { VirtualClock } from '../../../test/fakes/virtual-clock.ts';
import type { TransportRequest } from '../transport.ts';
import { clusterReader } from './cluster-reader.ts';

function readerOf(answers: Readonly<Record<string, unknown>>) {
  const clock = new VirtualClock();
  const transport = new FakeTransport(({ path }: TransportRequest) => {
    const found = Object.entries(answers).find(([start]) => path.startsWith(start));
    if (!found) return failure();
    return json(
      Array.isArray(found[1]) ? { metadata: { resourceVersion: '1' }, items: found[1] } : found[1],
    );
  });
  const end = new AbortController();
  const reader = clusterReader(transport, { clock, random: () => 0.5 }, end.signal);
  return { reader, transport, clock, end };
}

const condition = (status: string, message = '') => [{ type: 'Ready', status, message }];

test('which kinds a version of a group has', async () => {
  const kinds = [{ name: 'validatingwebhookconfigurations', kind: 'ValidatingWebhook' }];
  const { reader, transport } = readerOf({ '/apis/a.example/v1': { resources: kinds } });
  expect(await reader.serves('a.example/v1', 'ValidatingWebhook')).toBe(true);
  expect(await reader.serves('a.example/v1', 'ValidatingAdmissionPolicy')).toBe(false);
  expect(transport.requests[0]).toMatchObject({ method: 'GET', path: '/apis/a.example/v1' });
  const old = clusterReader(
    new FakeTransport(() => json({ kind: 'Status' }, 404)),
    { clock: new VirtualClock(), random: () => 0.5 },
    new AbortController().signal,
  );
  expect(await old.serves('a.example/v1', 'ValidatingWebhook')).toBe(false);
});

test('a node', async () => {
  const plain = {
    metadata: { name: 'a', labels: { 'node-role.kubernetes.io/control-plane': '' } },
    spec: {
      taints: [
        { key: 'gpu', effect: 'NoSchedule' },
        { key: 'soft', effect: 'PreferNoSchedule' },
      ],
    },
    status: {
      conditions: condition('True', 'kubelet is posting ready status'),
      allocatable: { cpu: '1930m', memory: '16374240Ki', pods: '110' },
      nodeInfo: { kubeletVersion: 'v1.36.4', containerRuntimeVersion: 'containerd://2.0' },
    },
  };
  const cordoned = {
    metadata: { name: 'b' },
    spec: {
      unschedulable: true,
      taints: [{ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }],
    },
    status: {
      conditions: condition('False', 'no runtime'),
      allocatable: { cpu: '2', memory: 'odd' },
    },
  };
  const { reader } = readerOf({ '/api/v1/nodes': [plain, cordoned, { metadata: { name: 'c' } }] });
  const nothing = { cpu: 0, memory: 0, pods: 0 };
  expect(await reader.nodes()).toEqual([
    {
      ...{ name: 'a', ready: true, message: '', cordoned: false, taints: ['gpu:NoSchedule'] },
      ...{ controlPlane: true, version: 'v1.36.4', runtime: 'containerd://2.0' },
      allocatable: { cpu: 1.93, memory: 16374240 * 1024, pods: 110 },
    },
    {
      ...{ name: 'b', ready: false, message: 'no runtime', cordoned: true, taints: [] },
      ...{ controlPlane: false, version: '', runtime: '', allocatable: { ...nothing, cpu: 2 } },
    },
    {
      ...{ name: 'c', ready: false, message: '', cordoned: false, taints: [] },
      ...{ controlPlane: false, version: '', runtime: '', allocatable: nothing },
    },
  ]);
});

test('pods of DNS, and StorageClasses', async () => {
  const usual = { 'storageclass.kubernetes.io/is-default-class': 'true' };
  const { reader } = readerOf({
    '/api/v1/namespaces/kube-system/pods?labelSelector=k8s-app': [
      { metadata: { name: 'x' }, status: { conditions: condition('True') } },
      { metadata: { name: 'y' }, status: { conditions: condition('False') } },
      { metadata: { name: 'z' } },
    ],
    '/apis/storage.k8s.io/v1/storageclasses': [
      { metadata: { name: 'fast', annotations: usual } },
      { metadata: { name: 'slow' } },
    ],
  });
  expect(await reader.dnsPods()).toEqual([
    { name: 'x', ready: true },
    { name: 'y', ready: false },
    { name: 'z', ready: false },
  ]);
  expect(await reader.storageClasses()).toEqual([
    { name: 'fast', isDefault: true },
    { name: 'slow', isDefault: false },
  ]);
});

test('of Secrets and definitions nothing but metadata is asked for', async () => {
  const { reader, transport } = readerOf({
    '/api/v1/secrets': [],
    '/apis/apiextensions.k8s.io': [],
  });
  await reader.secrets('a');
  await reader.definitions();
  const asked = transport.requests.map(({ headers, path }) => [
    path.split('?')[0],
    headers?.accept,
  ]);
  const metadata = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';
  expect(asked).toEqual([
    ['/api/v1/secrets', metadata],
    ['/apis/apiextensions.k8s.io/v1/customresourcedefinitions', metadata],
  ]);
});

test('what several rows look at is asked for once; a namespace that goes is seen to go', async () => {
  const metadata = { name: 'a', labels: { b: 'c' }, deletionTimestamp: '2026-11-15T06:47:17Z' };
  const { reader, transport } = readerOf({ '/api/v1/namespaces': [{ metadata }] });
  const [one, two] = await Promise.all([reader.namespaces(), reader.namespaces()]);
  expect(two).toBe(one);
  expect(one).toMatchObject([{ name: 'a', deleting: true, labels: new Map([['b', 'c']]) }]);
  expect(transport.requests).toHaveLength(1);
});

test('nothing but questions about rights is ever posted', async () => {
  const { reader, transport } = readerOf({
    '/apis/authorization.k8s.io': { status: { allowed: false } },
  });
  expect(await reader.may({ verb: 'get', group: '', resource: 'pods', subresource: 'log' })).toBe(
    false,
  );
  expect(transport.requests).toMatchObject([
    {
      method: 'POST',
      path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
      body: { spec: { resourceAttributes: { verb: 'get', resource: 'pods', subresource: 'log' } } },
    },
  ]);
});

test('a cluster that does not answer is tried for ten seconds and no longer', async () => {
  const { reader, clock } = readerOf({});
  await expect(clock.until(reader.version())).rejects.toThrow('The Kubernetes API does not answer');
  expect(clock.monotonic()).toBeLessThanOrEqual(10_000);
});

const SERVICES = '/api/v1/namespaces/cd/services';
const SERVER = {
  metadata: { name: 'argocd-server' },
  spec: { ports: [{ name: 'http', port: 80 }] },
};

test.each([
  ['at its root', '', undefined],
  ['below a root path', '/argocd', '/argocd'],
])('the version of Argo CD, %s, is asked for without a token', async (_, below, rootPath) => {
  const { reader, transport, clock } = readerOf({
    [`${SERVICES}?`]: [SERVER],
    [`${SERVICES}/http:argocd-server:80/proxy${below}/api/version`]: { Version: 'v3.5.1' },
  });
  expect(await clock.until(reader.argocdVersion('cd', rootPath))).toBe('v3.5.1');
  expect(transport.requests.map(({ headers }) => headers?.cookie ?? '').join('')).toBe('');
});

test.each([
  ['no Argo CD', []],
  ['Argo CD in core mode', [{ metadata: { name: 'argocd-application-controller' } }]],
])('%s has no version', async (_, controllers) => {
  const { reader, clock } = readerOf({ [SERVICES]: [], '/apis/apps/v1': controllers });
  expect(await clock.until(reader.argocdVersion('cd', undefined))).toBeUndefined();
});
