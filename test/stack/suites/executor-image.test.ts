// The executor's image as a container: not root, a read-only root file system, no shell, its contract kept as process 1.
import { readFile } from 'node:fs/promises';
import type { V1Pod } from '@kubernetes/client-node';
import { describe, expect } from 'vitest';
import type { ExecutorReport } from '../../../src/executor/report.ts';
import { tokenFile } from '../config.ts';
import { executorImageBytes } from '../executor-image.ts';
import { QUICK } from '../kit/platform.ts';
import type { Scratch } from '../kit/scratch.ts';
import { test } from '../kit/test.ts';
import { ownUser } from '../kit/user.ts';
import { EXECUTOR, loadExecutor } from '../kit/workflow-runs.ts';
import { configMap, deployment } from '../kit/workloads.ts';
import { waitFor } from '../run.ts';

interface Container {
  readonly action: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Seconds after which it is asked to end. */
  readonly endAfter?: number;
}

interface Ended {
  readonly status: number | undefined;
  readonly report: ExecutorReport;
  readonly log: string;
}

async function execute(scratch: Scratch, { action, environment = {}, endAfter }: Container) {
  const { namespace, stack } = scratch;
  const name = `executor-${action}-${Math.random().toString(36).slice(2, 8)}`;
  const pod: V1Pod = {
    ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace } },
    spec: {
      restartPolicy: 'Never',
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      ...(endAfter === undefined ? {} : { activeDeadlineSeconds: endAfter }),
      securityContext: { runAsNonRoot: true },
      containers: [
        {
          ...{ name: 'main', image: EXECUTOR, imagePullPolicy: 'Never', args: [action] },
          env: Object.entries(environment).map(([key, value]) => ({ name: key, value })),
          securityContext: {
            ...{ readOnlyRootFilesystem: true, allowPrivilegeEscalation: false },
            capabilities: { drop: ['ALL'] },
          },
          volumeMounts: [
            { name: 'config', mountPath: '/config', readOnly: true },
            { name: 'secrets', mountPath: '/secrets', readOnly: true },
          ],
        },
      ],
      volumes: [
        { name: 'config', configMap: { name: 'config' } },
        { name: 'secrets', secret: { secretName: 'secrets' } },
      ],
    },
  };
  await stack.core.createNamespacedPod({ namespace, body: pod });
  const status = await waitFor(
    `${name} to end`,
    async () => {
      const now = await stack.core.readNamespacedPod({ name, namespace });
      return now.status?.containerStatuses?.[0]?.state?.terminated;
    },
    { timeoutMs: 120_000 },
  );
  const log = await stack.core.readNamespacedPodLog({ name, namespace });
  const last = log.split('\n').find((line) => line.includes('"ExecutorReport"')) ?? '{}';
  return { status: status.exitCode, report: JSON.parse(last), log } as Ended;
}

async function mounts(scratch: Scratch, platform: object): Promise<void> {
  scratch.afterwards(() => forgetRuns(scratch));
  const environment = {
    ...{ name: 'test', domain: 'example.org', gitRepository: 'file:///none', gitRevision: 'main' },
  };
  await scratch.apply({
    ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'config' } },
    data: {
      'environment.yaml': JSON.stringify(environment),
      'dag.yaml': JSON.stringify({
        ...{
          apiVersion: 'tiphys.dev/v1alpha1',
          kind: 'Platform',
          metadata: { name: scratch.name },
        },
        spec: { argocd: { project: scratch.name }, ...platform },
      }),
    },
  } as never);
  const token = (await readFile(tokenFile(scratch.stack.config), 'utf8')).trim();
  await scratch.apply({
    ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'secrets' } },
    stringData: { 'argocd-token': token },
  } as never);
}

/** Lease and record stay in the cluster on purpose; a test leaves nothing. */
async function forgetRuns({ stack, name }: Scratch): Promise<void> {
  const remove = ['--namespace=argocd', 'delete', '--ignore-not-found'];
  await stack.run('kubectl', ...remove, 'lease', `tiphys-${name}`);
  await stack.run('kubectl', ...remove, 'configmap', '-l', `tiphys.dev/platform=${name}`);
}

describe('the image', () => {
  test('keeps the contract as process 1', async ({ scratch }) => {
    await loadExecutor(scratch);
    await scratch.repository.commit({
      'a/app.yaml': configMap('a', {}),
      'slow/app.yaml': deployment({ name: 'slow', readyAfter: '1h' }),
    });
    const a = await scratch.application('a', { path: 'a' });
    const slow = await scratch.application('slow', { path: 'slow' });
    const applications = [{ name: a }, { name: slow, dependsOn: [a] }];
    await mounts(scratch, { ...QUICK, stacks: [{ name: 's', applications }] });

    const bare = await execute(scratch, { action: 'deploy' });
    expect(bare.status).toBe(3);
    // In a pod the cluster itself is known; this one may not use it.
    expect(bare.report.failures.map(({ message }) => message)).toEqual(['ENVIRONMENT is not set.']);
    const nobody = { ENVIRONMENT: 'development' };
    const alone = await execute(scratch, { action: 'deploy', environment: nobody });
    expect([alone.status, alone.report.failures[0]?.type]).toEqual([3, 'kubeconfig-invalid']);

    const { kubeconfig } = await ownUser(scratch);
    const environment = {
      ENVIRONMENT: 'development',
      KUBECONFIG_DATA: await readFile(kubeconfig, 'base64'),
    };
    const scope = { ...environment, TARGET_SCOPE: `app:${a}` };
    const deployed = await execute(scratch, { action: 'deploy', environment: scope });
    expect([deployed.status, deployed.report.components]).toEqual([
      0,
      [{ name: a, state: 'healthy', healthy: true }],
    ]);
    const validated = await execute(scratch, { action: 'validate', environment });
    expect([validated.status, validated.report.summary.status]).toEqual([2, 'partial']);
    const asked = await execute(scratch, { action: 'deploy', environment, endAfter: 12 });
    expect([asked.status, asked.report.result]).toEqual([
      2,
      expect.objectContaining({ kind: 'Report', reason: 'interrupted' }),
    ]);
    for (const { log } of [bare, deployed, validated, asked])
      expect(log).not.toContain(environment.KUBECONFIG_DATA);
    console.info(`the image has ${(executorImageBytes() / 1e6).toFixed(0)} MB`);
  });
});
