// Somebody else syncs an application before what it depends on is Healthy: who and when are told, by the run and afterwards.
import { setTimeout } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Validation } from '../../../src/report/validation.ts';
import { accountToken } from '../kit/account.ts';
import { ArgocdClient } from '../kit/argocd-client.ts';
import { QUICK } from '../kit/platform.ts';
import type { Scratch } from '../kit/scratch.ts';
import { isDeployed, test } from '../kit/test.ts';
import { deployed, Tiphys } from '../kit/tiphys.ts';
import { configMap, deployment } from '../kit/workloads.ts';
import { waitFor } from '../run.ts';

/** a, then b, then c. */
async function chain(scratch: Scratch): Promise<Tiphys> {
  await scratch.repository.commit({
    'a/app.yaml': deployment({ name: 'a', readyAfter: '25s' }),
    'b/app.yaml': configMap('b', {}),
    'c/app.yaml': configMap('c', {}),
  });
  const [a, b, c] = ['a', 'b', 'c'].map((suffix) => `${scratch.name}-${suffix}`);
  for (const path of ['a', 'b', 'c']) await scratch.application(path, { path });
  const tiphys = new Tiphys(scratch);
  const applications = [{ name: a }, { name: b, dependsOn: [a] }, { name: c, dependsOn: [b] }];
  await tiphys.platform({ ...QUICK, stacks: [{ name: 's', applications }] });
  return tiphys;
}

async function somebody(scratch: Scratch): Promise<ArgocdClient> {
  const rights = ['get', 'sync'].map((verb) => `applications, ${verb}, ${scratch.name}/*`);
  return new ArgocdClient(await accountToken(scratch, rights));
}

test('before its dependencies are Healthy: named by the run, by a validation, and by status', async ({
  stack,
  scratch,
}) => {
  const tiphys = await chain(scratch);
  const other = await somebody(scratch);
  const started = tiphys.start(['deploy', '--strict', '-o', 'json']);
  await waitFor('the first request for a sync', () =>
    started.stdout().includes('"node.sync-requested"'),
  );
  const c = `${scratch.name}-c`;
  // Times of Argo CD are whole seconds: in a later one than the beginning of the run.
  await setTimeout(2_000);
  await other.sync(c);
  const synced = await stack.application(c, 'Synced and Healthy', isDeployed);
  const at = new Date(synced.status?.operationState?.startedAt ?? '').toISOString();
  const run = deployed(await started.ended);
  expect(run.outcomes[`app:${c}`]).toBe('unchanged');
  expect([run.status, run.report.exitStatus]).toEqual([2, 2]);
  const who = { node: `app:${c}`, application: c, by: scratch.name, at };
  const before = ['a', 'b'].map((suffix) => `app:${scratch.name}-${suffix}`);
  expect(run.report.bypasses).toEqual([{ ...who, before }]);
  expect(run.report.warnings.join()).toContain(`"${c}" was synced by "${scratch.name}" at ${at}`);

  const validated = await tiphys.run('validate', '--strict', '-o', 'json');
  const validation = JSON.parse(validated.stdout) as Validation;
  expect([validated.status, validation.state]).toEqual([2, 'Healthy']);
  expect(validation.bypasses).toEqual([{ ...who, before: [`app:${scratch.name}-b`] }]);
  expect((await tiphys.run('validate')).status).toBe(0);
  expect((await tiphys.run('status')).stdout).toContain(
    `${c} was last synced by "${scratch.name}"`,
  );

  // Once more, now that all are Healthy: that is in order.
  await other.sync(c);
  await stack.reminded(c, 'its next operation', async () => {
    const { status } = await stack.argocd.application(c);
    const { startedAt, phase } = status?.operationState ?? {};
    return phase === 'Succeeded' && new Date(startedAt ?? '').toISOString() !== at;
  });
  const again = await tiphys.deploy('--strict');
  expect([again.status, again.report.bypasses, again.report.counts.unchanged]).toEqual([
    ...[0, undefined],
    3,
  ]);
  expect((await tiphys.run('validate', '--strict')).status).toBe(0);
});
