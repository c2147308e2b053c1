// Workflows, on what Kubernetes answers.
import { describe, expect, test } from 'vitest';
import { FakeTransport, json, type Reply } from '../../../test/fakes/transport.ts';
import { VirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { kubernetesApi } from './api.ts';
import { kubernetesWorkflows } from './workflows.ts';

const status = (code: number) => json({ kind: 'Status', code, message: `status ${code}` }, code);

function setUp(answers: readonly Reply[]) {
  const transport = new FakeTransport(answers);
  const world = { clock: new VirtualClock(), random: () => 0.5 };
  return { transport, workflows: kubernetesWorkflows(kubernetesApi(transport, world)) };
}

const metadata = {
  ...{ name: 'wf', namespace: 'argo', uid: 'u1', creationTimestamp: '2026-11-15T06:47:17Z' },
  labels: { 'tiphys.dev/platform': 'shop' },
};
const files = { data: { a: 'x' }, metadata: { name: 'f' } };
const FILES = '/api/v1/namespaces/argo/configmaps';
const ALL = '/apis/argoproj.io/v1alpha1/namespaces/argo/workflows';

describe('a Workflow', () => {
  test('is read: its phase, its nodes, and the run that its beginning gave', async () => {
    const begin = {
      ...{ displayName: 'begin', phase: 'Succeeded' },
      outputs: { parameters: [{ name: 'run', value: 'r1' }] },
    };
    const node = { displayName: 'app-a', phase: 'Pending', message: 'no image' };
    const { workflows } = setUp([
      json({ metadata, status: { phase: 'Running', nodes: { x: begin, y: node } } }),
      json({ metadata }),
      status(404),
    ]);
    expect(await workflows.get('argo', 'wf')).toMatchObject({
      ...{ name: 'wf', namespace: 'argo', uid: 'u1', phase: 'Running', run: 'r1' },
      createdAt: '2026-11-15T06:47:17Z',
      nodes: [
        { name: 'begin', phase: 'Succeeded', message: '' },
        { name: 'app-a', phase: 'Pending', message: 'no image' },
      ],
    });
    expect(await workflows.get('argo', 'wf')).toMatchObject({
      phase: '',
      nodes: [],
      run: undefined,
    });
    expect(await workflows.get('argo', 'wf')).toBeUndefined();
  });

  test('is listed by its labels; a cluster without the kind is told apart from none', async () => {
    const { workflows, transport } = setUp([
      json({ metadata: { resourceVersion: '1' }, items: [{ metadata }] }),
      status(404),
    ]);
    const labels = new Map([['tiphys.dev/platform', 'shop']]);
    expect((await workflows.list('argo', labels))?.map(({ name }) => name)).toEqual(['wf']);
    expect(transport.requests[0]?.path).toBe(
      `${ALL}?labelSelector=tiphys.dev%2Fplatform%3Dshop&limit=500`,
    );
    expect(await workflows.list('argo', labels)).toBeUndefined();
  });

  test('is made after its files, which may be there already; not without them', async () => {
    const good = setUp([status(409), json({}), status(403)]);
    expect(await good.workflows.create('argo', files, { metadata })).toEqual({ kind: 'done' });
    expect(good.transport.requests.map(({ path }) => path)).toEqual([FILES, ALL, `${ALL}/wf`]);
    const bad = setUp([status(403), json({})]);
    const refused = await bad.workflows.create('argo', {}, {});
    expect([refused.kind, bad.transport.requests.length]).toEqual(['refused', 1]);
  });

  test('owns its files beside others, so that they go with the last one', async () => {
    const other = { kind: 'Workflow', name: 'before', uid: 'u0' };
    const own = { apiVersion: 'argoproj.io/v1alpha1', kind: 'Workflow', name: 'wf', uid: 'u1' };
    const there = (resourceVersion: string) =>
      json({ ...files, metadata: { name: 'f', resourceVersion, ownerReferences: [other] } });
    const { workflows, transport } = setUp([
      ...[status(409), json({}), json({ metadata })],
      ...[there('5'), status(409), there('6'), json({})],
    ]);
    expect(await workflows.create('argo', files, { metadata })).toEqual({ kind: 'done' });
    expect(transport.requests.at(-1)).toMatchObject({
      ...{ method: 'PUT', path: `${FILES}/f` },
      body: {
        data: { a: 'x' },
        metadata: { resourceVersion: '6', ownerReferences: [other, own] },
      },
    });
    // They went with the one before, just now.
    const again = setUp([status(409), json({}), json({ metadata }), status(404), json({})]);
    await again.workflows.create('argo', files, { metadata });
    expect(again.transport.requests.at(-1)).toMatchObject({
      ...{ method: 'POST', path: FILES },
      body: { data: { a: 'x' }, metadata: { name: 'f', ownerReferences: [own] } },
    });
  });

  test('is stopped as it is then, also where the controller writes it meanwhile', async () => {
    const read = (resourceVersion: string) =>
      json({ metadata: { ...metadata, resourceVersion }, spec: { a: 1 }, status: { s: 1 } });
    const { workflows, transport } = setUp([
      read('5'),
      status(409),
      read('6'),
      json({}),
      status(404),
    ]);
    expect(await workflows.stop('argo', 'wf')).toEqual({ kind: 'done' });
    expect(transport.requests.at(-1)).toMatchObject({
      method: 'PUT',
      path: `${ALL}/wf`,
      body: {
        metadata: { resourceVersion: '6' },
        spec: { a: 1, shutdown: 'Stop' },
        status: { s: 1 },
      },
    });
    expect(await workflows.stop('argo', 'wf')).toMatchObject({ reason: 'not-found' });
  });

  test('tells what keeps its agent from starting, where pods may be seen', async () => {
    const waiting = (reason: string, message?: string) => ({
      state: { waiting: { reason, message } },
    });
    const pod = (...containerStatuses: object[]) => ({
      metadata: { name: 'wf-agent', resourceVersion: '2' },
      status: { phase: 'Pending', conditions: [], containerStatuses },
    });
    const metadataOfList = { resourceVersion: '1' };
    const { workflows, transport } = setUp([
      json({ metadata: metadataOfList, items: [pod(waiting('ContainerCreating'))] }),
    ]);
    const heard: string[] = [];
    const end = new AbortController();
    const seen = (trouble: string) => void heard.push(trouble);
    expect(await workflows.watchAgent('argo', 'wf', seen, end.signal)).toBe(true);
    const selector = 'workflows.argoproj.io/workflow=wf,workflows.argoproj.io/component=agent';
    expect(transport.requests[0]?.path).toBe(
      `/api/v1/namespaces/argo/pods?labelSelector=${encodeURIComponent(selector)}&limit=500`,
    );
    const broken = waiting('ErrImagePull', 'not found at\nhttps://me:s3cret@example.org/x');
    transport.streams[0]?.say(
      { type: 'MODIFIED', object: pod(waiting('PodInitializing'), broken) },
      { type: 'MODIFIED', object: pod({ state: { running: {} } }) },
      { type: 'DELETED', object: pod(broken) },
    );
    await new Promise((resolve) => setImmediate(resolve));
    expect(heard).toEqual([
      ...['ContainerCreating', 'ErrImagePull: not found at https://***@example.org/x', '', ''],
    ]);
    const blind = setUp([status(403)]);
    expect(await blind.workflows.watchAgent('argo', 'wf', seen, end.signal)).toBe(false);
    end.abort();
  });

  test('whose nodes are too many to be told is known by that', async () => {
    const { workflows } = setUp([
      json({ metadata, status: { phase: 'Failed', compressedNodes: 'H4sI' } }),
      json({ metadata, status: { phase: 'Failed' } }),
    ]);
    expect((await workflows.get('argo', 'wf'))?.isPacked).toBe(true);
    expect((await workflows.get('argo', 'wf'))?.isPacked).toBe(false);
  });
});
