// Every exit status of both actions, with logs, report and metrics, against a simulated cluster on a port.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { processIo } from '../../../src/process.ts';
import { serve } from '../built-command.ts';
import { execute } from './executor.ts';

vi.setConfig({ testTimeout: 60_000 });

const scratch = mkdtempSync(join(tmpdir(), 'tiphys-executor-'));
afterAll(() => rmSync(scratch, { recursive: true }));

const ENVIRONMENT_FILE =
  'name: staging\ndomain: example.org\ngitRepository: https://git.example.org/p\ngitRevision: main\n';
const PLATFORM = `apiVersion: tiphys.dev/v1alpha1
kind: Platform
metadata: {name: small}
spec:
  gate: {dwell: 1s, degradedGrace: 0s}
  retries: {maxAttempts: 1}
  stacks:
    - name: one
      applications: [{name: a}, {name: b, dependsOn: [a]}, {name: c}]
`;
const platform = join(scratch, 'platform.yaml');
writeFileSync(platform, PLATFORM);

/** A container that is configured for a simulated cluster. */
async function container(...faults: string[]) {
  const file = join(scratch, `kubeconfig-${Math.random()}`);
  const given = faults.flatMap((fault) => ['--fault', fault]);
  const { end } = await serve(
    '-f',
    platform,
    '--speed',
    '100x',
    '--kubeconfig-out',
    file,
    ...given,
  );
  return {
    end,
    environment: {
      ENVIRONMENT: 'staging',
      KUBECONFIG_DATA: readFileSync(file, 'base64'),
      METRICS_FILE: '/metrics/executor.prom',
    },
    mounts: { '/config/environment.yaml': ENVIRONMENT_FILE, '/config/dag.yaml': PLATFORM },
  };
}

test('0: deployed, deployed again, and validated', async () => {
  const { end, ...healthy } = await container();
  const first = await execute(['deploy'], healthy);
  expect(first.report.failures).toEqual([]);
  expect(first.status).toBe(0);
  expect(first.report).toMatchObject({
    ...{ kind: 'ExecutorReport', action: 'deploy', environment: 'staging', exitStatus: 0 },
    summary: { status: 'success', platform: 'small', dryRun: false },
    statistics: { components: 3, healthy: 3, failures: 0 },
    ...{ recommendations: [], result: { kind: 'Report', counts: { healthy: 3 } } },
  });
  const said = first.log.map(({ component, message }) => `${component}: ${message}`);
  expect(said).toContain('a: healthy');
  expect(said.at(-1)).toBe('executor: deploy: success');
  // A cluster without Argo Workflows is deployed to from here, also where the image is known.
  const { environment, mounts } = healthy;
  const image = { ...environment, EXECUTOR_IMAGE: 'executor:1' };
  const again = await execute(['deploy'], { environment: image, mounts });
  expect([again.status, again.report.components.map(({ state }) => state)]).toEqual([
    0,
    ['unchanged', 'unchanged', 'unchanged'],
  ]);
  const validated = await execute(['validate'], healthy);
  expect([validated.status, validated.report.result?.kind]).toEqual([0, 'Validation']);
  expect(validated.report.components[0]).toEqual({ name: 'a', state: 'Healthy', healthy: true });
  await end();
});

test('0: a dry run writes nothing and says so', async () => {
  const { end, environment, mounts } = await container();
  const tried = await execute(['deploy'], {
    ...{ mounts, environment: { ...environment, DRY_RUN: 'true', TARGET_SCOPE: 'app:a' } },
  });
  expect(tried.status).toBe(0);
  expect(tried.report.summary.dryRun).toBe(true);
  expect(tried.report.components).toEqual([{ name: 'a', state: 'sync', healthy: false }]);
  await end();
});

test('1: nothing became Healthy; validated as unhealthy or not reachable', async () => {
  const { end, ...failing } = await container('app:a sync-fails x9', 'app:c sync-fails x9');
  const deployed = await execute(['deploy'], failing);
  expect(deployed.status).toBe(1);
  expect(deployed.report.failures.map(({ component }) => component)).toEqual(['a', 'c']);
  const validated = await execute(['validate'], failing);
  expect([validated.status, validated.report.summary.status]).toEqual([1, 'failure']);
  await end();
  const gone = await execute(['validate'], failing);
  expect([gone.status, gone.report.failures[0]?.type]).toEqual([1, 'cluster-unreachable']);
  expect(gone.written.get('/metrics/executor.prom')).toContain(
    'executor_errors_total{action="validate",environment="staging",type="cluster-unreachable"} 1',
  );
});

test('2: partly deployed, validated as degraded; metrics tell it', async () => {
  const { end, ...partial } = await container('app:a degraded');
  const deployed = await execute(['deploy'], partial);
  expect(deployed.status).toBe(2);
  const states = Object.fromEntries(
    deployed.report.components.map(({ name, state }) => [name, state]),
  );
  expect(states).toEqual({ a: 'failed', b: 'skipped', c: 'healthy' });
  expect(deployed.report.recommendations[0]).toBe('Fix a in Git, then rerun the action to resume.');
  const levels = new Map(
    deployed.log.map(({ message = '', level }) => [message.split(':')[0], level]),
  );
  expect([levels.get('failed'), levels.get('skipped')]).toEqual(['error', 'warn']);
  const metrics = deployed.written.get('/metrics/executor.prom') ?? '';
  const labels = 'action="deploy",environment="staging"';
  for (const line of [
    '# TYPE executor_action_duration_seconds histogram',
    `executor_action_duration_seconds_bucket{${labels},le="+Inf"} 1`,
    `executor_action_duration_seconds_count{${labels}} 1`,
    `executor_action_status{${labels},status="partial"} 1`,
    `executor_action_status{${labels},status="success"} 0`,
    `executor_component_health{${labels},component="a"} 0`,
    `executor_component_health{${labels},component="c"} 1`,
    `executor_errors_total{${labels},type="application-failed"} 1`,
  ]) {
    expect(metrics.split('\n')).toContain(line);
  }
  const validated = await execute(['validate'], partial);
  expect([validated.status, validated.report.summary.status]).toEqual([2, 'partial']);
  await end();
});

test('0: taken down as a dry run was approved, then nothing is left; 1: not what was approved', async () => {
  const { end, environment, mounts } = await container();
  await execute(['deploy'], { environment, mounts });
  const teardown = { ...environment, PV_POLICY: 'retain' };
  const run = (more: Readonly<Record<string, string>>) =>
    execute(['teardown'], { environment: { ...teardown, ...more }, mounts });
  const tried = await run({ DRY_RUN: 'true' });
  expect([tried.status, tried.report.result?.kind]).toEqual([0, 'Inventory']);
  expect(tried.report.components.map(({ name, state }) => `${name} ${state}`).sort()).toEqual([
    ...['a there', 'b there', 'c there'],
  ]);
  const [, token = ''] =
    /CONFIRMATION_TOKEN to (\S+)\.$/.exec(tried.report.recommendations.join('\n')) ?? [];
  const wrong = await run({ CONFIRMATION_TOKEN: `small@sha256:${'0'.repeat(64)}` });
  expect([wrong.status, wrong.report.summary.status]).toEqual([1, 'failure']);
  const done = await run({ CONFIRMATION_TOKEN: token });
  expect(done.report.failures).toEqual([]);
  expect([done.status, new Set(done.report.components.map(({ state }) => state))]).toEqual([
    0,
    new Set(['removed']),
  ]);
  const again = await run({ DRY_RUN: 'true' });
  expect([again.status, again.report.components]).toEqual([0, []]);
  await end();
});

test('4: time was up', async () => {
  const { end, ...slow } = await container();
  const { status, report } = await execute(['deploy', '--timeout', '1s'], slow);
  expect([status, report.summary.status]).toEqual([4, 'timeout']);
  await end();
});

test('2: asked once to end, it stops in good order and leaves in time', async () => {
  const { end, ...asked } = await container('app:a slow x100', 'app:c slow x100');
  let ask = () => {};
  let times = 0;
  const io = {
    onSignal: (listener: () => void) => {
      ask = listener;
      return () => {};
    },
    endWithin: () => {},
    stderr: (text: string) => {
      const once = text.includes('sync requested') && times++ === 0;
      if (once) ask();
    },
  };
  const started = processIo.clock.monotonic();
  const { status, report } = await execute(['deploy'], { ...asked, io });
  expect(status).toBe(2);
  expect(report.result).toMatchObject({ kind: 'Report', reason: 'interrupted' });
  // Not at once, and before the patience of 10 s is over.
  const seconds = (processIo.clock.monotonic() - started) / 1000;
  expect([seconds > 4, seconds < 12]).toEqual([true, true]);
  await end();
});

test('a request to end counts before anything has begun', async () => {
  const ended: number[] = [];
  const io = {
    onSignal: (listener: () => void) => {
      listener();
      return () => {};
    },
    endWithin: (_: number, exitStatus: number) => void ended.push(exitStatus),
  };
  await execute(['deploy'], { io });
  expect(ended).toEqual([2]);
});

test('metrics that cannot be written do not change how it ends', async () => {
  const io = {
    writeFile: () => {
      throw new Error('read-only file system');
    },
  };
  const { status, log } = await execute(['deploy'], { environment: { METRICS_FILE: '/m' }, io });
  expect(status).toBe(3);
  expect(log.at(-1)?.message).toBe('cannot write the metrics: read-only file system');
});

test('the program is the executor where it is called so', () => {
  const program = join(scratch, 'executor');
  symlinkSync(resolve('dist/main.js'), program);
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [program, ...args], { encoding: 'utf8', env: {} });
  expect(run('--version').stdout).toBe('executor 0.1.0\n');
  expect(run('deploy')).toMatchObject({
    status: 3,
    stderr: expect.stringContaining('ENVIRONMENT'),
  });
});
