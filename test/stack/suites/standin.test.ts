import { describe, expect } from 'vitest';
import type { Scratch } from '../kit/scratch.ts';
import { test } from '../kit/test.ts';
import { clusterKind, deployment, standin } from '../kit/workloads.ts';
import { run, waitFor } from '../run.ts';
import { STANDIN_SOURCE } from '../standin.ts';

describe('the stand-in workload', () => {
  test('passes its own tests', async () => {
    const env = { ...process.env, CGO_ENABLED: '0' };
    expect(await run('go', ['test', './...'], { cwd: STANDIN_SOURCE, env })).toContain('ok');
  });

  test('becomes ready after its delay, not before', async ({ stack, scratch }) => {
    await scratch.apply(deployment({ name: 'slow', readyAfter: '4s' }));
    const ready = async () => {
      const target = { name: 'slow', namespace: scratch.namespace };
      const { status } = await stack.apps.readNamespacedDeployment(target);
      return (status?.readyReplicas ?? 0) > 0;
    };
    const pods = await waitFor('the container to run', async () => {
      const { items } = await stack.core.listNamespacedPod({ namespace: scratch.namespace });
      return items[0]?.status?.phase === 'Running' && items;
    });
    expect(await ready()).toBe(false);
    await waitFor('the pod to be ready', ready);
    const running = pods[0]?.status?.containerStatuses?.[0]?.state?.running?.startedAt;
    expect(Date.now() - Number(running)).toBeGreaterThan(3500);
  });

  test('as an operator walks the status of its kind through the script', async ({
    stack,
    scratch,
  }) => {
    const group = `${scratch.name}.tiphys.dev`;
    const kind = { group, version: 'v1', plural: 'clusters', namespace: scratch.namespace };
    await operatorFor(scratch, group);
    const cluster = (name: string, annotations = {}) => ({
      apiVersion: `${group}/v1`,
      kind: 'Cluster',
      metadata: { name, annotations },
      spec: { size: 1 },
    });
    await scratch.apply(cluster('good'));
    await scratch.apply(cluster('bad', { 'standin.tiphys.dev/script': 'Creating:1s,Failed' }));
    const seen = new Set<string>();
    const state = async (name: string) => {
      const object = await stack.custom.getNamespacedCustomObject({ ...kind, name });
      return object.status;
    };
    await waitFor(
      'good to run',
      async () => {
        const status = await state('good');
        seen.add(status?.phase);
        return status?.phase === 'Running' && status.ready === true;
      },
      { intervalMs: 100 },
    );
    expect([...seen].filter(Boolean)).toEqual(['Creating', 'Running']);
    expect((await state('good')).observedGeneration).toBe(1);
    expect((await state('bad')).phase).toBe('Failed');
    await scratch.apply({ ...cluster('good'), spec: { size: 2 } });
    await waitFor('the new generation', async () => {
      const status = await state('good');
      return status.phase === 'Running' && status.observedGeneration === 2;
    });
    // Its own script taken away, the object goes by that of all.
    await scratch.apply(cluster('bad'));
    await waitFor('bad to run', async () => (await state('bad')).phase === 'Running');
  });
});

/** A kind `Cluster` in that group, and a stand-in that operates it with the rights of its own ServiceAccount. */
async function operatorFor(scratch: Scratch, group: string) {
  await scratch.apply(clusterKind(group));
  const metadata = { name: 'operator' };
  const rbac = 'rbac.authorization.k8s.io';
  await scratch.apply({ apiVersion: 'v1', kind: 'ServiceAccount', metadata });
  await scratch.apply({
    apiVersion: `${rbac}/v1`,
    kind: 'Role',
    metadata,
    rules: [
      { apiGroups: [group], resources: ['clusters'], verbs: ['list', 'watch'] },
      { apiGroups: [group], resources: ['clusters/status'], verbs: ['patch'] },
    ],
  } as never);
  await scratch.apply({
    apiVersion: `${rbac}/v1`,
    kind: 'RoleBinding',
    metadata,
    roleRef: { apiGroup: rbac, kind: 'Role', name: 'operator' },
    subjects: [{ kind: 'ServiceAccount', name: 'operator', namespace: scratch.namespace }],
  } as never);
  const operator = deployment({ name: 'operator' });
  const { spec } = operator.spec.template;
  const container = {
    ...spec.containers[0],
    ...standin(
      'operate',
      `--group=${group}`,
      '--resource=clusters',
      `--namespace=${scratch.namespace}`,
      '--script=Creating:3s,Running',
      '--extra={"Running": {"ready": true}}',
      '--observe-generation',
    ),
  };
  Object.assign(spec, { serviceAccountName: 'operator', containers: [container] });
  await scratch.apply(operator);
}
