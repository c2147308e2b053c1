// What every engine must do, tried on a real Argo CD: failure, skip, retry, timeout, cancel, resume, and who waits for whom.
// Their order is in workflow-engine.test.ts, and the same cases on a fake one in test/guards/workflows/.
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
  ENGINES,
  environmentFor,
  loadExecutor,
} from '../kit/workflow-runs.ts';
import { configMap, deployment } from '../kit/workloads.ts';
import { waitFor } from '../run.ts';

/** A chain of two with something beside it. */
async function platform(
  scratch: Scratch,
  first: object,
  more: object = {},
  ofFirst: object = {},
): Promise<Tiphys> {
  await loadExecutor(scratch);
  await allowRuns(scratch);
  await scratch.repository.commit({
    'first/app.yaml': first,
    'second/app.yaml': configMap('second', {}),
    'beside/app.yaml': configMap('beside', {}),
  });
  await heldApplications(scratch, 'first', 'second', 'beside');
  const tiphys = new Tiphys(scratch);
  const name = (suffix: string) => `${scratch.name}-${suffix}`;
  const applications = [
    { name: name('first'), ...ofFirst },
    { name: name('second'), dependsOn: [name('first')] },
    { name: name('beside') },
  ];
  await tiphys.platform({ ...QUICK, ...more, stacks: [{ name: 's', applications }] });
  await environmentFor(scratch);
  return tiphys;
}

const ids = ({ name }: Scratch, ...suffixes: string[]) =>
  suffixes.map((suffix) => `app:${name}-${suffix}`);

describe.runIf(full).each(ENGINES)('%s', (engine, by) => {
  test('retry, failure, skip: three attempts, what is behind is skipped, what is beside goes on', async ({
    stack,
    scratch,
  }) => {
    // No server takes it, so its operation fails at once.
    const bad = { ...configMap('first', {}), data: { 'not a key': 'x' } };
    const tiphys = await platform(scratch, bad, { retries: { maxAttempts: 3, backoff: '1s' } });
    const mark = await stack.audit.mark();
    const { status, report, outcomes } = await tiphys.deploy(...by);
    const [first = '', second = '', beside = ''] = ids(scratch, 'first', 'second', 'beside');
    expect([status, outcomes]).toEqual([
      2,
      { [first]: 'failed', [second]: 'skipped', [beside]: 'healthy' },
    ]);
    const failed = report.nodes.find(({ id }) => id === first);
    expect([failed?.attempts, failed?.operations.length]).toEqual([3, 3]);
    expect(report.nodes.find(({ id }) => id === second)?.cause?.node).toBe(first);
    expect([...report.held].sort()).toEqual([first, second].sort());
    const made = (await operationsOf(scratch, mark)).map(({ application }) => application);
    expect(made.filter((one) => one === 'first')).toHaveLength(3);
    expect(made).not.toContain('second');
  });

  test('timeout: what does not become Healthy in time has failed, after one operation', async ({
    stack,
    scratch,
  }) => {
    const never = deployment({ name: 'first', readyAfter: '1h' });
    const tiphys = await platform(scratch, never, {}, { timeouts: { health: '10s' } });
    const mark = await stack.audit.mark();
    const { status, outcomes } = await tiphys.deploy(...by);
    const [first = '', second = '', beside = ''] = ids(scratch, 'first', 'second', 'beside');
    expect([status, outcomes]).toEqual([
      2,
      { [first]: 'failed', [second]: 'skipped', [beside]: 'healthy' },
    ]);
    const made = (await operationsOf(scratch, mark)).map(({ application }) => application);
    expect(made.sort()).toEqual(['beside', 'first']);
  });

  test('time up: a run that takes too long ends with status 4, and what is not through stays held', async ({
    scratch,
  }) => {
    const slow = deployment({ name: 'first', readyAfter: '10m' });
    const tiphys = await platform(scratch, slow, { timeouts: { sync: '60s', health: '9m' } });
    const { status, report } = await tiphys.deploy(...by, '--timeout', '30s');
    expect(status).toBe(4);
    expect([...report.held].sort()).toEqual(ids(scratch, 'first', 'second').sort());
  });

  test('cancel and resume: what was ended stays held, and goes on with its own operation', async ({
    stack,
    scratch,
  }) => {
    const tiphys = await platform(scratch, deployment({ name: 'first', readyAfter: '70s' }));
    const mark = await stack.audit.mark();
    const running = tiphys.start(['deploy', '-o', 'json', ...by]);
    const made = async () => (await operationsOf(scratch, mark)).map((one) => one.application);
    await waitFor('its operation', async () => (await made()).includes('first'), {
      timeoutMs: 90_000,
    });
    if (engine === 'embedded') for (const _ of [1, 2]) running.child.kill('SIGINT');
    else await tiphys.run('stop');
    const { status, report } = deployed(await running.ended);
    expect(status).toBe(2);
    expect(report.held).toEqual(
      expect.arrayContaining(ids(scratch, 'first', 'second') as unknown[]),
    );
    const again = await tiphys.deploy(...by);
    expect([again.status, again.report.held]).toEqual([0, []]);
    expect((await made()).sort()).toEqual(['beside', 'first', 'second']);
  });
});

describe.runIf(full)('a second Workflow', () => {
  test('waits for the first where it is to, and then finds everything done', async ({
    stack,
    scratch,
  }) => {
    const tiphys = await platform(scratch, deployment({ name: 'first', readyAfter: '20s' }));
    const mark = await stack.audit.mark();
    const first = tiphys.start(['deploy', '-o', 'json', ...BY_WORKFLOW]);
    await waitFor('its operation', async () => (await operationsOf(scratch, mark)).length > 0, {
      timeoutMs: 90_000,
    });
    const refused = await tiphys.run('deploy', ...BY_WORKFLOW);
    expect([refused.status, refused.stderr]).toEqual([
      1,
      expect.stringContaining('has not finished'),
    ]);
    const second = await tiphys.deploy(...BY_WORKFLOW, '--wait');
    expect(deployed(await first.ended).report.counts.healthy).toBe(3);
    expect([second.status, second.report.counts.unchanged]).toEqual([0, 3]);
    expect(await operationsOf(scratch, mark)).toHaveLength(3);
  });
});
