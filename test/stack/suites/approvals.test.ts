// Gates that ask for approval, on a real Argo CD: by the embedded engine and by a Workflow.
import { describe, expect } from 'vitest';
import { family, memberName } from '../kit/family.ts';
import { full } from '../kit/full.ts';
import { countByApplication, operationsSince } from '../kit/operations.ts';
import { QUICK } from '../kit/platform.ts';
import { asked } from '../kit/run-events.ts';
import type { Scratch } from '../kit/scratch.ts';
import { test } from '../kit/test.ts';
import { deployed, Tiphys } from '../kit/tiphys.ts';
import {
  allowRuns,
  BY_WORKFLOW,
  environmentFor,
  loadExecutor,
  SHAPES,
} from '../kit/workflow-runs.ts';
import { configMap, deployment } from '../kit/workloads.ts';

const QUESTION = 'Unseal Vault';

/** One before, one behind, and one beside it. */
async function platform(scratch: Scratch): Promise<Tiphys> {
  const stack = (await family(scratch, [
    { suffix: 'first', manifests: configMap('first', {}) },
    { suffix: 'vault', manifests: deployment({ name: 'vault' }), dependsOn: ['first'] },
    { suffix: 'last', manifests: configMap('last', {}), dependsOn: ['vault'] },
    { suffix: 'beside', manifests: configMap('beside', {}) },
  ])) as { applications: { name: string }[] };
  const vault = memberName(scratch, 'vault');
  const applications = stack.applications.map((one) =>
    one.name === vault ? { ...one, gate: { approval: QUESTION } } : one,
  );
  const tiphys = new Tiphys(scratch);
  await tiphys.platform({ ...QUICK, stacks: [{ ...stack, applications }] });
  return tiphys;
}

describe.concurrent('approvals, by the embedded engine', () => {
  test('killed while it waits, it goes on waiting; approved, it is not asked for again', async ({
    stack,
    scratch,
  }) => {
    const tiphys = await platform(scratch);
    const vault = memberName(scratch, 'vault');
    const mark = await stack.audit.mark();
    const killed = tiphys.start(['deploy', '-o', 'json']);
    await asked(killed, `app:${vault}`);
    killed.child.kill('SIGKILL');
    await killed.ended;

    const again = tiphys.start(['deploy', '-o', 'json']);
    await asked(again, `app:${vault}`);
    const status = await tiphys.run('status');
    expect(status.stdout).toContain(`\`tiphys approve ${vault}\``);
    const explained = await tiphys.run('explain', memberName(scratch, 'last'));
    expect(explained.stdout).toContain(`approval is needed: ${QUESTION}`);
    const validated = await tiphys.run('validate');
    expect(validated.status).not.toBe(0);
    const approved = await tiphys.run('approve', vault, '-o', 'json');
    expect([approved.status, approved.stderr]).toEqual([0, '']);
    const who = JSON.parse(await stack.run('kubectl', 'auth', 'whoami', '-o', 'json'));
    const { username } = who.status.userInfo;
    expect(JSON.parse(approved.stdout).decision).toMatchObject({ approved: true, by: username });

    const end = deployed(await again.ended);
    expect([end.status, end.report.held], end.stdout).toEqual([0, []]);
    const node = end.report.nodes.find(({ id }) => id === `app:${vault}`);
    expect(node?.evidence?.approval).toMatchObject({ approved: true, by: username });
    const operations = await operationsSince(stack, mark, new RegExp(`^${scratch.name}-`));
    const names = ['parent', 'first', 'vault', 'last', 'beside'];
    expect(countByApplication(operations)).toEqual(
      Object.fromEntries(names.map((one) => [memberName(scratch, one), 1])),
    );

    const next = await tiphys.deploy();
    expect([next.status, next.report.counts.unchanged]).toEqual([0, 4]);
    expect((await tiphys.run('validate')).status).toBe(0);
    // A commit elsewhere in the repository changes nothing of it, and asks nobody.
    await scratch.repository.commit({ 'elsewhere/readme.yaml': configMap('elsewhere', {}) });
    expect((await tiphys.deploy()).report.counts.unchanged).toBe(4);
    // One that changes it asks again.
    await scratch.repository.commit({
      'vault/manifests.yaml': deployment({ name: 'vault', readyAfter: '1s' }),
    });
    const changed = tiphys.start(['deploy', '-o', 'json']);
    await asked(changed, `app:${vault}`);
    expect((await tiphys.run('approve', vault)).status).toBe(0);
    expect((await changed.ended).status).toBe(0);
  });

  test('denied, it fails with who and why, and what is beside it goes on', async ({ scratch }) => {
    const tiphys = await platform(scratch);
    const [vault, last, beside] = ['vault', 'last', 'beside'].map((one) =>
      memberName(scratch, one),
    );
    const early = await tiphys.run('approve', `${vault}`);
    expect([early.status, early.stderr]).toEqual([
      1,
      expect.stringContaining('approval-not-awaited'),
    ]);
    const run = tiphys.start(['deploy', '-o', 'json']);
    await asked(run, `app:${vault}`);
    const denied = await tiphys.run('approve', `${vault}`, '--deny', '--reason', 'no keys');
    expect([denied.status, denied.stderr]).toEqual([0, '']);
    const end = deployed(await run.ended);
    expect(end.status).toBe(2);
    expect(end.outcomes).toMatchObject({
      [`app:${vault}`]: 'failed',
      [`app:${last}`]: 'skipped',
      [`app:${beside}`]: 'healthy',
    });
    const cause = end.report.nodes.find(({ id }) => id === `app:${vault}`)?.cause;
    expect(cause?.message).toMatch(/^denied by .*: no keys$/);
    // The next run asks again, and goes on.
    const next = tiphys.start(['deploy', '-o', 'json']);
    await asked(next, `app:${vault}`);
    expect((await tiphys.run('approve', `${vault}`)).status).toBe(0);
    expect((await next.ended).status).toBe(0);
  });
});

// In whole-platform.test.ts, too.
test.runIf(full).for(SHAPES)(
  'approvals, by a Workflow with %s: it waits in the cluster, and goes on when somebody approves',
  async (shape, { scratch }) => {
    await loadExecutor(scratch);
    await allowRuns(scratch);
    const tiphys = await platform(scratch);
    await environmentFor(scratch);
    const vault = memberName(scratch, 'vault');
    const run = tiphys.start(['deploy', '-o', 'json', ...BY_WORKFLOW, '--nodes', shape]);
    await asked(run, `app:${vault}`);
    const approved = await tiphys.run('approve', vault);
    expect([approved.status, approved.stderr]).toEqual([0, '']);
    const end = deployed(await run.ended);
    expect([end.status, end.report.held], end.stdout).toEqual([0, []]);
    const node = end.report.nodes.find(({ id }) => id === `app:${vault}`);
    expect(node?.evidence?.approval?.approved).toBe(true);
  },
);
