// Gates with a probe, on a real cluster: its Jobs run in pods, for the embedded engine and for a Workflow.
import { describe, expect, vi } from 'vitest';
import { family, memberName } from '../kit/family.ts';
import { full } from '../kit/full.ts';
import { countByApplication, operationsSince } from '../kit/operations.ts';
import { QUICK } from '../kit/platform.ts';
import type { Scratch } from '../kit/scratch.ts';
import { test } from '../kit/test.ts';
import { type Deployed, Tiphys } from '../kit/tiphys.ts';
import {
  allowRuns,
  BY_WORKFLOW,
  environmentFor,
  loadExecutor,
  probesOf,
  SHAPES,
} from '../kit/workflow-runs.ts';
import { configMap, deployment, service } from '../kit/workloads.ts';

const STANDIN = 'localhost/standin:1';

interface Given {
  /** Of the gate of `vault`, which has a Service on port 80. */
  readonly probe: (host: string) => object;
  readonly timeouts?: object;
  readonly manifests?: object;
}

/** Healthy to Argo CD, since nothing asks its pod; `/readyz` answers 503. */
function unready() {
  const { spec, ...rest } = deployment({ name: 'vault', readyAfter: '1h' });
  const { template } = spec;
  const containers = template.spec.containers.map(({ readinessProbe: _, ...one }) => one);
  const pod = { ...template, spec: { ...template.spec, containers } };
  return { ...rest, spec: { ...spec, template: pod } };
}

/** One behind it, and one beside it. */
async function platform(scratch: Scratch, given: Given): Promise<Tiphys> {
  const { probe, timeouts, manifests = deployment({ name: 'vault' }) } = given;
  await loadExecutor(scratch);
  await allowRuns(scratch);
  const served = [manifests, service('vault')];
  const stack = (await family(scratch, [
    { suffix: 'vault', manifests: served },
    { suffix: 'last', manifests: configMap('last', {}), dependsOn: ['vault'] },
    { suffix: 'beside', manifests: configMap('beside', {}) },
  ])) as { applications: { name: string }[] };
  const vault = memberName(scratch, 'vault');
  const gate = { probe: probe(`vault.${scratch.namespace}.svc.cluster.local`) };
  const applications = stack.applications.map((one) =>
    one.name === vault ? { ...one, gate, ...(timeouts && { timeouts }) } : one,
  );
  const tiphys = new Tiphys(scratch);
  await tiphys.platform({ ...QUICK, stacks: [{ ...stack, applications }] });
  await environmentFor(scratch);
  return tiphys;
}

interface Job {
  readonly metadata: { readonly name: string };
  readonly spec: { readonly template: { readonly spec: object } };
  readonly status: { readonly succeeded?: number; readonly failed?: number };
}

async function jobsOf(scratch: Scratch): Promise<readonly Job[]> {
  const get = ['-n', probesOf(scratch), 'get', 'jobs', '-o', 'json'];
  return JSON.parse(await scratch.stack.run('kubectl', ...get)).items;
}

const nodeOf = ({ report }: Deployed, scratch: Scratch) =>
  report.nodes.find(({ id }) => id === `app:${memberName(scratch, 'vault')}`);

const SHORT = { timeouts: { health: '90s' } };

async function opens(scratch: Scratch, given: Given, message: string | RegExp): Promise<void> {
  const tiphys = await platform(scratch, given);
  const end = await tiphys.deploy();
  expect([end.status, end.report.held], end.stdout + end.stderr).toEqual([0, []]);
  const { evidence } = nodeOf(end, scratch) ?? {};
  expect(evidence?.probe).toMatchObject({
    succeeded: true,
    message: expect.stringMatching(message),
  });
}

async function staysShut(scratch: Scratch, given: Given, message: RegExp): Promise<void> {
  const tiphys = await platform(scratch, { ...SHORT, ...given });
  const end = await tiphys.deploy();
  expect(end.status, end.stdout + end.stderr).toBe(2);
  const [vault, last, beside] = ['vault', 'last', 'beside'].map((one) => memberName(scratch, one));
  expect(end.outcomes).toMatchObject({
    [`app:${vault}`]: 'failed',
    [`app:${last}`]: 'skipped',
    [`app:${beside}`]: 'healthy',
  });
  expect(nodeOf(end, scratch)?.cause?.message).toMatch(message);
}

describe.concurrent('probes, by the embedded engine', () => {
  test('http that answers 200; the next run probes what is unchanged, and looks make no Job', async ({
    stack,
    scratch,
  }) => {
    const mark = await stack.audit.mark();
    const tiphys = await platform(scratch, { probe: (host) => ({ http: `http://${host}/` }) });
    const end = await tiphys.deploy();
    expect([end.status, end.report.held], end.stdout + end.stderr).toEqual([0, []]);
    expect(nodeOf(end, scratch)?.evidence?.probe).toMatchObject({
      ...{ succeeded: true, message: 'HTTP 200', tries: 1 },
    });
    const [job, ...others] = await jobsOf(scratch);
    expect(others).toEqual([]);
    expect(job?.spec.template.spec).toMatchObject({
      ...{ automountServiceAccountToken: false, securityContext: { runAsNonRoot: true } },
      containers: [{ securityContext: { readOnlyRootFilesystem: true } }],
    });

    const again = await tiphys.deploy();
    expect([again.status, again.report.counts.unchanged], again.stdout).toEqual([0, 3]);
    expect(nodeOf(again, scratch)?.evidence?.probe?.succeeded).toBe(true);
    expect(await jobsOf(scratch)).toHaveLength(2);

    const vault = memberName(scratch, 'vault');
    const validated = await tiphys.run('validate');
    expect([validated.status, validated.stdout]).toEqual([
      0,
      expect.stringContaining(`Not probed, because only deployments run probes: ${vault}`),
    ]);
    for (const look of [['status'], ['explain', vault], ['deploy', '--dry-run']]) {
      const { status, stdout, stderr } = await tiphys.run(...look);
      expect([status, stderr], look.join(' ')).toEqual([0, '']);
      expect(stdout).toMatch(/probe/);
    }
    expect(await jobsOf(scratch)).toHaveLength(2);
    const operations = await operationsSince(stack, mark, new RegExp(`^${scratch.name}-`));
    expect(countByApplication(operations)[vault]).toBe(1);
  });

  test('http that answers 503: nothing behind it is deployed, whatever Argo CD calls Healthy', async ({
    stack,
    scratch,
  }) => {
    const mark = await stack.audit.mark();
    const probe = (host: string) => ({ http: `http://${host}/readyz` });
    const given = { manifests: unready(), probe };
    await staysShut(scratch, given, /last result: HTTP 503, not 200 to 399$/);
    const last = memberName(scratch, 'last');
    const operations = await operationsSince(stack, mark, new RegExp(`^${scratch.name}-`));
    expect(countByApplication(operations)[last]).toBeUndefined();
    const jobs = await jobsOf(scratch);
    expect(jobs.length).toBeGreaterThan(1);
    expect(jobs.every(({ status }) => status.succeeded === undefined)).toBe(true);
  });

  test('tcp that is open', async ({ scratch }) => {
    await opens(scratch, { probe: (host) => ({ tcp: `${host}:80` }) }, 'connected');
  });

  test('tcp that is closed', async ({ scratch }) => {
    const given = { probe: (host: string) => ({ tcp: `${host}:81`, timeout: '3s' }) };
    await staysShut(scratch, given, /last result: no answer: /);
  });

  test('a program that succeeds', async ({ scratch }) => {
    const command = (host: string) => ['/bin/standin', 'get', '--attempts=5', `http://${host}/`];
    const given = {
      probe: (host: string) => ({ job: { image: STANDIN, command: command(host) } }),
    };
    await opens(scratch, given, /succeeded|Complete|^.+$/);
  });

  test('a program that fails', async ({ scratch }) => {
    const job = { image: STANDIN, command: ['/bin/standin', 'exit', '--code=3'] };
    await staysShut(
      scratch,
      { probe: () => ({ job }) },
      /last result: .*(exit status 3|BackoffLimit)/,
    );
  });

  test('an image that cannot be had says so', async ({ scratch }) => {
    const job = { image: 'localhost/nothing:1', command: ['x'] };
    await staysShut(scratch, { probe: () => ({ job }) }, /did not finish in time: .*(Pull|Image)/);
  });

  test('killed while its Job runs, it goes on with that Job', async ({ scratch }) => {
    const command = ['/bin/standin', 'exit', '--code=0', '--after=20s'];
    const given = { probe: () => ({ job: { image: STANDIN, command } }) };
    const tiphys = await platform(scratch, given);
    const killed = tiphys.start(['deploy', '-o', 'json']);
    await vi.waitFor(async () => expect(await jobsOf(scratch)).toHaveLength(1), {
      ...{ timeout: 120_000, interval: 500 },
    });
    killed.child.kill('SIGKILL');
    await killed.ended;
    const end = await tiphys.deploy();
    expect(end.status, end.stdout + end.stderr).toBe(0);
    expect(await jobsOf(scratch)).toHaveLength(1);
  });
});

// One that succeeds: in whole-platform.test.ts, too.
test.runIf(full).for(SHAPES)(
  'probes, by a Workflow with %s: with the rights of its pods',
  async (shape, { scratch }) => {
    const probe = (host: string) => ({ http: `http://${host}/readyz`, status: 200 });
    const tiphys = await platform(scratch, { ...SHORT, probe });
    const end = await tiphys.deploy(...BY_WORKFLOW, '--nodes', shape);
    expect([end.status, end.report.held], end.stdout + end.stderr).toEqual([0, []]);
    expect(nodeOf(end, scratch)?.evidence?.probe).toMatchObject({
      ...{ succeeded: true, message: 'HTTP 200' },
    });
    await scratch.repository.commit({
      'vault/manifests.yaml': [unready(), service('vault')],
    });
    const bad = await tiphys.deploy(...BY_WORKFLOW, '--nodes', shape);
    expect(bad.status, bad.stdout + bad.stderr).toBe(2);
    const [vault, last] = ['vault', 'last'].map((one) => memberName(scratch, one));
    expect(bad.outcomes).toMatchObject({ [`app:${vault}`]: 'failed', [`app:${last}`]: 'skipped' });
    expect(nodeOf(bad, scratch)?.cause?.message).toMatch(/last result: HTTP 503, not 200$/);
  },
);
