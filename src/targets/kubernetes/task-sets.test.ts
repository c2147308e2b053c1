// Task sets, on what Kubernetes answers.
import { describe, expect, test } from 'vitest';
import { FakeTransport, json, type Reply } from '../../../test/fakes/transport.ts';
import { VirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { kubernetesApi } from './api.ts';
import { kubernetesTaskSets } from './task-sets.ts';

const PATH = '/apis/argoproj.io/v1alpha1/namespaces/argo/workflowtasksets/wf';
const status = (code: number) => json({ kind: 'Status', code, message: `status ${code}` }, code);

function setUp(answers: readonly Reply[]) {
  const transport = new FakeTransport(answers);
  const world = { clock: new VirtualClock(), random: () => 0.5 };
  return { transport, taskSets: kubernetesTaskSets(kubernetesApi(transport, world)) };
}

const metadata = { name: 'wf', namespace: 'argo', resourceVersion: '7' };
const tiphys = { action: 'node', node: 'app:a' };
const tasks = {
  'wf-1': { name: 'node', plugin: { tiphys } },
  'wf-2': { name: 'other', plugin: { slack: { text: 'hello' } } },
  'wf-3': { name: 'page', http: { url: 'http://x' } },
};

describe('a task set', () => {
  test('is read: what is for this program, what has a result, whether the Workflow is over', async () => {
    const { taskSets } = setUp([
      json({
        ...{ metadata, spec: { tasks } },
        status: { nodes: { 'wf-1': { phase: 'Failed' }, 'wf-2': { phase: 'Pending' } } },
      }),
      json({ metadata: { ...metadata, labels: { 'workflows.argoproj.io/completed': 'true' } } }),
      status(404),
    ]);
    expect(await taskSets.get('argo', 'wf')).toEqual({
      isOver: false,
      tasks: new Map([
        ['wf-1', tiphys],
        ['wf-2', undefined],
        ['wf-3', undefined],
      ]),
      reported: new Set(['wf-1']),
    });
    expect(await taskSets.get('argo', 'wf')).toMatchObject({ isOver: true, tasks: new Map() });
    expect(await taskSets.get('argo', 'wf')).toBeUndefined();
  });

  test('gets results beside those that are there, only for tasks that are, and only as it was read', async () => {
    const other = { phase: 'Succeeded', outputs: { result: 'ok' } };
    const { taskSets, transport } = setUp([
      json({ metadata, spec: { tasks }, status: { nodes: { 'wf-2': other } } }),
      json({}),
    ]);
    const result = { phase: 'Succeeded', message: '', outputs: { run: 'r1' } } as const;
    const results = new Map([
      ['wf-1', result],
      ['wf-9', result],
    ]);
    expect(await taskSets.report('argo', 'wf', results)).toEqual({ kind: 'done' });
    const [, sent] = transport.requests;
    expect([sent?.method, sent?.path]).toEqual(['PUT', `${PATH}/status`]);
    const outputs = { parameters: [{ name: 'run', value: 'r1' }] };
    expect(sent?.body).toMatchObject({
      metadata: { resourceVersion: '7' },
      status: { nodes: { 'wf-1': { phase: 'Succeeded', message: '', outputs }, 'wf-2': other } },
    });
    expect(JSON.stringify(sent?.body)).not.toContain('wf-9');
  });

  test('that has none of the tasks any more is left alone', async () => {
    const { taskSets, transport } = setUp([json({ metadata, spec: { tasks } }), status(404)]);
    const result = { phase: 'Failed', message: '', outputs: {} } as const;
    const results = new Map([['wf-9', result]]);
    expect(await taskSets.report('argo', 'wf', results)).toEqual({ kind: 'done' });
    expect(await taskSets.report('argo', 'wf', results)).toEqual({ kind: 'done' });
    expect(transport.requests.map(({ method }) => method)).toEqual(['GET', 'GET']);
  });

  test('of another form is an error, and never taken for an empty one', async () => {
    const { taskSets } = setUp([json({ metadata, spec: { tasks: [1] } })]);
    await expect(taskSets.get('argo', 'wf')).rejects.toThrow(/not a WorkflowTaskSet/);
  });
});
