// The executor's image as a container: not root, a read-only root file system, no shell, its contract kept as process 1.
import { readFile } from 'node:fs/promises';
import { describe, expect } from 'vitest';
import { executorImage, executorImageBytes } from '../executor-image.ts';
import { execute, mounts } from '../kit/executor-pod.ts';
import { QUICK } from '../kit/platform.ts';
import { test } from '../kit/test.ts';
import { ownUser } from '../kit/user.ts';
import { EXECUTOR } from '../kit/workflow-runs.ts';
import { configMap, deployment } from '../kit/workloads.ts';
import { NODE_VERSION } from '../node.ts';

describe('the image', () => {
  test('keeps the contract as process 1', async ({ scratch }) => {
    await executorImage(scratch.stack.config, EXECUTOR);
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
    await scratch.stack.application(
      slow,
      'compared',
      ({ status }) => status?.sync?.status === 'OutOfSync',
    );
    const validated = await execute(scratch, { action: 'validate', environment });
    expect([validated.status, validated.report.summary.status]).toEqual([2, 'partial']);
    const asked = await execute(scratch, { action: 'deploy', environment, endAfter: 20 });
    expect([asked.status, asked.report.result]).toEqual([
      2,
      expect.objectContaining({ kind: 'Report', reason: 'interrupted' }),
    ]);
    for (const { log } of [bare, deployed, validated, asked])
      expect(log).not.toContain(environment.KUBECONFIG_DATA);
    console.info(
      `the image has ${(executorImageBytes() / 1e6).toFixed(0)} MB, Node.js ${NODE_VERSION}`,
    );
  });
});
