// A platform in which one application never becomes ready: what is behind it, what is beside it, and what comes after.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Explanation } from '../../../src/report/explanation.ts';
import type { Status } from '../../../src/report/platform-status.ts';
import type { Validation } from '../../../src/report/validation.ts';
import { heldApplications, QUICK } from '../kit/platform.ts';
import { isDeployed, test } from '../kit/test.ts';
import { Tiphys } from '../kit/tiphys.ts';
import { healthySince, operationsOf } from '../kit/traces.ts';
import { configMap, deployment } from '../kit/workloads.ts';

/** A run's end, and then this long. */
const LATER_MS = 30_000;

test('a pod that never becomes ready holds back what is behind it, and nothing else', async ({
  stack,
  scratch,
}) => {
  const n = (suffix: string) => `${scratch.name}-${suffix}`;
  const id = (suffix: string) => `app:${n(suffix)}`;
  await scratch.repository.commit({
    'good/app.yaml': configMap('good', {}),
    'beside/app.yaml': configMap('beside', { drift: 'no' }),
    'bad/app.yaml': deployment({ name: 'bad', readyAfter: '1h' }),
    'behind/app.yaml': configMap('behind', {}),
    'last/app.yaml': configMap('last', {}),
  });
  await heldApplications(scratch, 'good', 'beside', 'bad', 'behind', 'last');
  const tiphys = new Tiphys(scratch);
  await tiphys.platform({
    ...QUICK,
    stacks: [
      {
        name: 's',
        applications: [
          { name: n('good') },
          { name: n('beside'), dependsOn: [n('good')] },
          { name: n('bad'), timeouts: { health: '20s' } },
          { name: n('behind'), dependsOn: [n('bad'), n('good')] },
          { name: n('last'), dependsOn: [n('behind')] },
        ],
      },
    ],
  });
  const begin = await stack.audit.mark();
  const first = await tiphys.deploy();
  const end = Date.now();
  expect(first.status).toBe(2);
  expect(first.outcomes).toEqual({
    [id('good')]: 'healthy',
    [id('beside')]: 'healthy',
    [id('bad')]: 'failed',
    [id('behind')]: 'skipped',
    [id('last')]: 'skipped',
  });
  const pods = await stack.core.listNamespacedPod({ namespace: scratch.namespace });
  const pod = `Pod ${scratch.namespace}/${pods.items[0]?.metadata?.name}`;
  for (const suffix of ['bad', 'behind', 'last']) {
    const cause = first.report.nodes.find((node) => node.id === id(suffix))?.cause;
    expect(cause).toMatchObject({ node: id('bad'), resource: pod });
    expect(cause?.message).toContain('0/1 containers ready');
  }
  const healthy = await healthySince(scratch, begin);
  expect([...healthy.keys()].sort()).toEqual(['beside', 'good']);

  const held = [id('bad'), id('behind'), id('last')];
  expect(first.report.held.toSorted()).toEqual(held);
  const explained = await tiphys.run('explain', n('last'), '-o', 'json');
  const { chain }: Explanation = JSON.parse(explained.stdout);
  expect(chain.map(({ node }) => node)).toEqual([id('last'), id('behind'), id('bad')]);
  expect(chain.at(-1)).toMatchObject({ condition: 'healthy', resource: pod });
  expect(chain.at(-1)?.message).toContain('0/1 containers ready');
  expect((await tiphys.run('explain', n('last'))).stdout).toContain(pod);
  const status: Status = JSON.parse((await tiphys.run('status', '-o', 'json')).stdout);
  expect(status.held.toSorted()).toEqual(held);
  expect(status).toMatchObject({ active: null, lastRun: { exitStatus: 2 } });
  expect((await tiphys.run('status')).stdout).toMatch(new RegExp(`${n('last')}.*on hold`));
  const validated = await tiphys.run('validate', '-o', 'json');
  const validation: Validation = JSON.parse(validated.stdout);
  expect(validated.status).toBe(2);
  expect(validation.held.toSorted()).toEqual(held);

  // Argo CD is awake and would sync what is held: the one beside, which was handed over, is healed.
  const drift = ['configmap', 'beside', '--patch', '{"data":{"drift":"yes"}}'];
  await stack.run('kubectl', '--namespace', scratch.namespace, 'patch', ...drift);
  const { namespace } = scratch;
  await stack.reminded(n('beside'), 'healed', async () => {
    const { data } = await stack.core.readNamespacedConfigMap({ name: 'beside', namespace });
    return data?.drift === 'no';
  });
  while (Date.now() < end + LATER_MS) {
    for (const suffix of ['behind', 'last']) await stack.argocd.application(n(suffix), 'normal');
    await sleep(5_000);
  }
  const made = await operationsOf(scratch, begin);
  const alone = made.filter(({ automated }) => automated).map(({ application }) => application);
  expect(new Set(alone)).toEqual(new Set(['beside']));
  expect(new Set(made.map(({ application }) => application))).toEqual(
    new Set(['good', 'beside', 'bad']),
  );
  for (const suffix of ['behind', 'last']) {
    const { status } = await stack.argocd.application(n(suffix));
    expect(status).not.toHaveProperty('operationState');
    expect(status).toMatchObject({ sync: { status: 'OutOfSync' }, health: { status: 'Missing' } });
  }

  await scratch.repository.commit({ 'bad/app.yaml': deployment({ name: 'bad' }) });
  const fixed = await stack.audit.mark();
  const second = await tiphys.deploy();
  expect(second.status).toBe(0);
  expect(second.outcomes).toEqual({
    [id('good')]: 'unchanged',
    [id('beside')]: 'unchanged',
    [id('bad')]: 'healthy',
    [id('behind')]: 'healthy',
    [id('last')]: 'healthy',
  });
  const touched = (await operationsOf(scratch, fixed)).map(({ application }) => application);
  expect(touched).toEqual(['bad', 'behind', 'last']);
  for (const suffix of ['bad', 'behind', 'last'])
    await stack.application(n(suffix), 'deployed', isDeployed);
  const { spec, metadata } = await stack.argocd.project(scratch.name);
  expect(spec.syncWindows ?? []).toEqual([]);
  expect(metadata?.annotations ?? {}).not.toHaveProperty(['tiphys.dev/hold']);
});
