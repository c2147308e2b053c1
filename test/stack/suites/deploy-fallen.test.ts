// What becomes Degraded after its gate, when nothing waits for it any more: the run looks once more at its end, by every engine.
import { expect } from 'vitest';
import { memberName } from '../kit/family.ts';
import { full } from '../kit/full.ts';
import { heldApplications, QUICK } from '../kit/platform.ts';
import { heard } from '../kit/run-events.ts';
import type { Scratch } from '../kit/scratch.ts';
import { test } from '../kit/test.ts';
import { deployed, Tiphys } from '../kit/tiphys.ts';
import { allowRuns, ENGINES, environmentFor, loadExecutor } from '../kit/workflow-runs.ts';
import { deployment, service } from '../kit/workloads.ts';

/** Its pods need a ServiceAccount: without one the ReplicaSet can make no other pod, and is Degraded. */
function replicaSet(name: string) {
  const { spec } = deployment({ name });
  const { selector, template, replicas } = spec;
  const pod = { ...template, spec: { ...template.spec, serviceAccountName: name } };
  return {
    ...{ apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata: { name } },
    spec: { replicas, selector, template: pod },
  };
}

const account = (name: string) => ({
  ...{ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name } },
});

/** `late` is Healthy when its load balancer has an address, which nobody but the test gives it. */
async function platform(scratch: Scratch): Promise<Tiphys> {
  await scratch.apply(account('early'));
  const late = service('late');
  await scratch.repository.commit({
    'early/app.yaml': replicaSet('early'),
    'late/app.yaml': { ...late, spec: { ...late.spec, type: 'LoadBalancer' } },
  });
  await heldApplications(scratch, 'early', 'late');
  const tiphys = new Tiphys(scratch);
  // As long as the end of the run waits for what fell.
  const timeouts = { health: '60s' };
  const applications = [
    { name: memberName(scratch, 'early'), timeouts },
    { name: memberName(scratch, 'late') },
  ];
  await tiphys.platform({ ...QUICK, stacks: [{ name: 's', applications }] });
  return tiphys;
}

// By a Workflow on a simulated cluster: test/guards/workflows/fallen-at-end.test.ts.
test.for(full ? ENGINES : ENGINES.slice(0, 1))(
  '%s: what fell after its gate has failed, though everything else is Healthy',
  async ([engine, by], { stack, scratch }) => {
    const tiphys = await platform(scratch);
    if (engine !== 'embedded') {
      await loadExecutor(scratch);
      await allowRuns(scratch);
    }
    await environmentFor(scratch);
    const early = `app:${memberName(scratch, 'early')}`;
    // Of a whole stack the embedded engine would see it when it closes the stack.
    const names = ['early', 'late'].map((suffix) => memberName(scratch, suffix));
    const scope = engine === 'embedded' ? names.flatMap((one) => ['--scope', `app:${one}`]) : [];
    const run = tiphys.start(['deploy', '-o', 'json', ...by, ...scope]);
    await heard(run, (event) => event.type === 'gate.opened' && event.node === early);
    const inNamespace = ['--namespace', scratch.namespace, 'delete'];
    await stack.run('kubectl', ...inNamespace, 'serviceaccount', 'early');
    await stack.run('kubectl', ...inNamespace, 'pod', '--selector=app=early');
    const name = memberName(scratch, 'early');
    await stack.application(
      name,
      'Degraded',
      ({ status }) => status?.health?.status === 'Degraded',
    );
    expect(run.child.exitCode, run.stdout()).toBeNull();
    const patch = JSON.stringify({ status: { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } } });
    const status = ['--subresource=status', '--type=merge', '--patch', patch];
    await stack.run('kubectl', '-n', scratch.namespace, 'patch', 'service', 'late', ...status);
    const end = deployed(await run.ended);
    const late = `app:${memberName(scratch, 'late')}`;
    expect([end.status, end.outcomes], end.stdout).toEqual([
      2,
      { [early]: 'failed', [late]: 'healthy' },
    ]);
    const cause = end.report.nodes.find(({ id }) => id === early)?.cause;
    expect(cause?.message).toContain('no longer passes its gate: Degraded: ');
    expect(cause?.resource).toBe(`apps/ReplicaSet ${scratch.namespace}/early`);
    const closed = end.events.filter(({ type }) => type === 'gate.closed');
    expect(closed).toMatchObject([{ node: early }]);
  },
);
