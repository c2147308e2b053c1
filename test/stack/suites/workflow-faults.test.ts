// A Workflow whose parts are killed finishes all the same: no application gets a second operation, and nobody else runs
// meanwhile.
import { describe, expect } from 'vitest';
import { full } from '../kit/full.ts';
import { heldApplications, QUICK } from '../kit/platform.ts';
import type { Scratch } from '../kit/scratch.ts';
import { test } from '../kit/test.ts';
import { deployed, Tiphys } from '../kit/tiphys.ts';
import { operationsOf } from '../kit/traces.ts';
import {
  allowRuns,
  BY_WORKFLOW,
  environmentFor,
  loadExecutor,
  podOf,
  SHAPES,
} from '../kit/workflow-runs.ts';
import { type Workflow, workflowEnded } from '../kit/workflows.ts';
import { configMap, deployment } from '../kit/workloads.ts';
import { waitFor } from '../run.ts';

/** One that takes its time, and one behind it. */
async function platform(scratch: Scratch, readyAfter: string): Promise<Tiphys> {
  await loadExecutor(scratch);
  await allowRuns(scratch);
  await scratch.repository.commit({
    'slow/app.yaml': deployment({ name: 'slow', readyAfter }),
    'after/app.yaml': configMap('after', {}),
  });
  await heldApplications(scratch, 'slow', 'after');
  const tiphys = new Tiphys(scratch);
  const [slow, after] = ['slow', 'after'].map((suffix) => `${scratch.name}-${suffix}`);
  const applications = [{ name: slow }, { name: after, dependsOn: [slow] }];
  await tiphys.platform({ ...QUICK, stacks: [{ name: 's', applications }] });
  await environmentFor(scratch);
  return tiphys;
}

async function workflowOf({ stack, namespace }: Scratch): Promise<string> {
  const list = ['get', 'workflows', '-n', namespace, '-o', 'jsonpath={.items[*].metadata.name}'];
  return await waitFor('a Workflow', async () => (await stack.run('kubectl', ...list)).trim());
}

const suffixes = (made: Awaited<ReturnType<typeof operationsOf>>) =>
  made.map(({ application }) => application).sort();

describe.runIf(full).each(SHAPES)('a Workflow by %s', (shape) => {
  const by = [...BY_WORKFLOW, '--nodes', shape];

  test('goes on without its pod, its controller and whoever followed it', async ({
    stack,
    scratch,
  }) => {
    const tiphys = await platform(scratch, '25s');
    const mark = await stack.audit.mark();
    const { child, ended } = tiphys.start(['deploy', '-o', 'json', ...by]);
    const node = `app:${scratch.name}-slow`;
    const pod = await podOf(scratch, node, shape);
    await waitFor('its operation', async () => (await operationsOf(scratch, mark)).length > 0);

    // Nobody else may run meanwhile, neither here nor as another Workflow.
    const other = await tiphys.run('deploy', ...by);
    expect([other.status, other.stderr]).toEqual([1, expect.stringContaining('has not finished')]);
    const embedded = await tiphys.run('deploy', '--quiet');
    expect([embedded.status, embedded.stderr]).toEqual([
      1,
      expect.stringContaining('is active, held by "workflow '),
    ]);

    const follower = tiphys.start(['status', '--watch']);
    await waitFor('it to follow', () => follower.stderr().includes('waits'));
    follower.child.kill('SIGINT');
    const left = await follower.ended;
    expect([left.status, left.stderr]).toEqual([2, expect.stringContaining(' is still running; ')]);

    child.kill('SIGKILL');
    await ended;
    await stack.core.deleteNamespacedPod({ name: pod, namespace: scratch.namespace });
    await stack.kill('workflow-controller');
    await stack.restart('workflow-controller');
    const watched = await tiphys.run('status', '--watch', '-o', 'json');
    expect(watched.stderr).toBe('');
    const { report, status } = deployed(watched);
    expect([status, report.exitStatus, report.held]).toEqual([0, 0, []]);
    const finished = await workflowEnded(scratch, await workflowOf(scratch));
    expect(finished.status?.phase).toBe('Succeeded');
    expect(suffixes(await operationsOf(scratch, mark))).toEqual(['after', 'slow']);
  });

  test('that is stopped keeps its hold, and the next one goes on with its operation', async ({
    stack,
    scratch,
  }) => {
    const tiphys = await platform(scratch, '60s');
    const mark = await stack.audit.mark();
    const started = await tiphys.run('deploy', '--detach', ...by);
    expect([started.status, started.stdout]).toEqual([0, expect.stringMatching(/^submitted /)]);
    await podOf(scratch, `app:${scratch.name}-slow`, shape);
    await waitFor('its operation', async () => (await operationsOf(scratch, mark)).length > 0);
    const stopped = await tiphys.run('stop');
    expect([stopped.status, stopped.stdout]).toEqual([0, expect.stringMatching(/^stopping /)]);
    const ended: Workflow = await workflowEnded(scratch, await workflowOf(scratch));
    expect(ended.status?.phase).toBe('Failed');
    const held = JSON.parse((await tiphys.run('status', '-o', 'json')).stdout).held;
    expect(held).toEqual(['slow', 'after'].map((suffix) => `app:${scratch.name}-${suffix}`));
    const again = await tiphys.deploy(...by);
    expect([again.status, again.report.held]).toEqual([0, []]);
    expect(suffixes(await operationsOf(scratch, mark))).toEqual(['after', 'slow']);
  });

  test('that finds something wrong says what, and does nothing', async ({ stack, scratch }) => {
    const tiphys = await platform(scratch, '1s');
    const missing = { name: 'nobody' };
    await tiphys.platform({ ...QUICK, stacks: [{ name: 's', applications: [missing] }] });
    const mark = await stack.audit.mark();
    const { status, stderr } = await tiphys.run('deploy', ...by);
    expect([status, stderr]).toEqual([
      3,
      expect.stringContaining('Argo CD has no Application "nobody"'),
    ]);
    expect(await operationsOf(scratch, mark)).toEqual([]);
  });

  test.for(['deleted', 'terminated'] as const)(
    'that is %s is taken over by the next one',
    async (how, { stack, scratch }) => {
      const tiphys = await platform(scratch, '90s');
      const mark = await stack.audit.mark();
      await tiphys.run('deploy', '--detach', ...by);
      await podOf(scratch, `app:${scratch.name}-slow`, shape);
      await waitFor('its operation', async () => (await operationsOf(scratch, mark)).length > 0);
      const workflow = ['workflow', await workflowOf(scratch), '-n', scratch.namespace];
      // No exit handler runs then.
      const terminate = JSON.stringify({ spec: { shutdown: 'Terminate' } });
      if (how === 'deleted') await stack.run('kubectl', 'delete', ...workflow);
      else await stack.run('kubectl', 'patch', ...workflow, '--type=merge', '-p', terminate);
      const again = await tiphys.deploy(...by, '--wait');
      expect([again.status, again.report.held]).toEqual([0, []]);
      expect(suffixes(await operationsOf(scratch, mark))).toEqual(['after', 'slow']);
    },
  );
});

describe.runIf(full)('an agent', () => {
  test('that was evicted leaves its end to a pod, and the next Workflow goes on', async ({
    stack,
    scratch,
  }) => {
    const by = [...BY_WORKFLOW, '--nodes', 'agent'];
    const tiphys = await platform(scratch, '90s');
    const mark = await stack.audit.mark();
    const { ended } = tiphys.start(['deploy', '-o', 'json', ...by]);
    const pod = await podOf(scratch, '', 'agent');
    await waitFor('its operation', async () => (await operationsOf(scratch, mark)).length > 0);
    // As an eviction does: the pod has failed, and stays.
    const late = JSON.stringify({ spec: { activeDeadlineSeconds: 1 } });
    await stack.run('kubectl', 'patch', 'pod', pod, '-n', scratch.namespace, '-p', late);
    const { status, report } = deployed(await ended);
    expect([status, report.exitStatus]).toEqual([2, 2]);
    // The other one may have become Healthy meanwhile.
    expect(report.held).toContain(`app:${scratch.name}-after`);
    const again = await tiphys.deploy(...by);
    expect([again.status, again.report.held]).toEqual([0, []]);
    expect(suffixes(await operationsOf(scratch, mark))).toEqual(['after', 'slow']);
  });
});
