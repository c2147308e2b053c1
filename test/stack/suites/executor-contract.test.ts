// Every row of the tables in docs/executor.md, of a container that reaches its cluster. What is refused before that is in
// test/commands/executor/settings.test.ts.
import { readFile } from 'node:fs/promises';
import { describe, expect } from 'vitest';
import { tokenFile } from '../config.ts';
import {
  ENVIRONMENT,
  type Executed,
  execute,
  mountConfig,
  mountSecrets,
  mounts,
} from '../kit/executor-pod.ts';
import { full } from '../kit/full.ts';
import { QUICK } from '../kit/platform.ts';
import type { Scratch } from '../kit/scratch.ts';
import { test } from '../kit/test.ts';
import { ownUser } from '../kit/user.ts';
import { loadExecutor } from '../kit/workflow-runs.ts';
import { configMap, deployment } from '../kit/workloads.ts';

const GOOD = { ENVIRONMENT: 'development' };
const lines = ({ log }: Executed) => log.split('\n').filter((line) => line !== '');
const message = ({ report }: Executed) => report.failures[0]?.message;

/** One that is good, and one that never is. */
async function platform(scratch: Scratch) {
  await loadExecutor(scratch);
  await scratch.repository.commit({
    'a/app.yaml': configMap('a', {}),
    'never/app.yaml': deployment({ name: 'never', readyAfter: '1h' }),
  });
  const a = await scratch.application('a', { path: 'a' });
  const never = await scratch.application('never', { path: 'never' });
  const timeouts = { ...QUICK.timeouts, run: '10m' };
  const applications = [{ name: a }, { name: never, dependsOn: [a], timeouts: { health: '20s' } }];
  await mounts(scratch, { ...QUICK, timeouts, stacks: [{ name: 's', applications }] });
  const user = await ownUser(scratch);
  const kubeconfig = await readFile(user.kubeconfig, 'utf8');
  const token = (await readFile(tokenFile(scratch.stack.config), 'utf8')).trim();
  return { a, never, kubeconfig, token };
}

describe.runIf(full)('the executor, as a container', () => {
  test('environment and mounts', async ({ scratch }) => {
    const { a, kubeconfig, token } = await platform(scratch);
    const environment = { ...GOOD, KUBECONFIG_DATA: btoa(kubeconfig), TARGET_SCOPE: `app:${a}` };
    const run = (action: string, more: object = {}, places: object = {}) =>
      execute(scratch, { action, environment: { ...environment, ...more }, ...places });

    // DRY_RUN: nothing is written, not even who runs.
    const dry = await run('deploy', { DRY_RUN: 'true' });
    expect([dry.status, dry.report.summary.status]).toEqual([0, 'success']);
    const lease = ['get', 'lease', `tiphys-${scratch.name}`, '-n', 'argocd', '--ignore-not-found'];
    expect(await scratch.stack.run('kubectl', ...lease)).toBe('');

    // LOG_FORMAT, TRACE_ID and SPAN_ID, METRICS_FILE.
    const ids = { TRACE_ID: 'ab'.repeat(16), SPAN_ID: 'cd'.repeat(8) };
    const json = await run('deploy', { ...ids, METRICS_FILE: '/dev/stdout' });
    expect(json.status).toBe(0);
    const logged = lines(json).filter((line) => line.startsWith('{"timestamp"'));
    expect(logged.length).toBeGreaterThan(3);
    for (const line of logged)
      expect(JSON.parse(line)).toMatchObject({ traceId: ids.TRACE_ID, spanId: ids.SPAN_ID });
    expect(json.log).toContain('executor_action_status{');
    const text = await run('deploy', { LOG_FORMAT: 'text' });
    expect(lines(text)[0]).toMatch(/^\S+Z INFO \[deploy\/orchestration\//);
    // LOG_LEVEL: all that is left is the report.
    const quiet = await run('validate', { LOG_LEVEL: 'error' });
    expect([quiet.status, lines(quiet).length]).toEqual([0, 1]);

    // KUBECONFIG_PATH, ARGOCD_TOKEN_FILE, and the mount of the token.
    await mountSecrets(scratch, 'elsewhere', { kubeconfig, token });
    const paths = { KUBECONFIG_DATA: '', KUBECONFIG_PATH: '/secrets/kubeconfig' };
    const byPath = { ...paths, ARGOCD_TOKEN_FILE: '/secrets/token' };
    expect((await run('validate', byPath, { secrets: 'elsewhere' })).status).toBe(0);
    const untold = await run('validate', paths, { secrets: 'elsewhere' });
    expect([untold.status === 0, untold.log.includes(token)]).toEqual([false, false]);
    expect(message(untold)).toContain('tiphys-argocd-token');

    // ENVIRONMENT: of another one. The files: without either.
    const production = { ...ENVIRONMENT, name: 'production' };
    await mountConfig(scratch, 'other', { 'environment.yaml': JSON.stringify(production) });
    const whole = { TARGET_SCOPE: 'platform' };
    expect(message(await run('deploy', whole, { config: 'other' }))).toContain('"production"');
    const reference = { ENVIRONMENT: 'production', ...whole };
    const shipped = await run('deploy', reference, { config: 'other' });
    expect([shipped.status, shipped.log]).toEqual([3, expect.stringContaining('platform-root')]);
    await mountConfig(scratch, 'empty', { readme: '' });
    const nothing = await run('deploy', {}, { config: 'empty' });
    expect([nothing.status, message(nothing)]).toEqual([3, expect.stringContaining('be read')]);
  });

  test('exit statuses, and a teardown that was confirmed', async ({ scratch }) => {
    const { a, never, kubeconfig } = await platform(scratch);
    const environment = { ...GOOD, KUBECONFIG_DATA: btoa(kubeconfig) };
    const run = (action: string, more: object = {}) =>
      execute(scratch, { action, environment: { ...environment, ...more } });

    const missing = await run('validate', { TARGET_SCOPE: `app:${never}` });
    expect([missing.status, missing.report.components[0]?.state]).toEqual([2, 'Missing']);
    const wrong = await run('deploy', { TARGET_SCOPE: 'stack:none' });
    expect([wrong.status, wrong.report.summary.status]).toEqual([3, 'invalid']);
    const good = await run('deploy', { TARGET_SCOPE: `app:${a}` });
    expect([good.status, good.report.summary.status]).toEqual([0, 'success']);
    const some = await run('deploy');
    expect([some.status, some.report.summary.status]).toEqual([2, 'partial']);
    const none = await run('deploy', { TARGET_SCOPE: `app:${never}` });
    expect([none.status, none.report.summary.status]).toEqual([1, 'failure']);
    const applications = [{ name: a }, { name: never, dependsOn: [a] }];
    const timeouts = { sync: '60s', health: '5m', run: '5s' };
    await mounts(scratch, { ...QUICK, timeouts, stacks: [{ name: 's', applications }] });
    const late = await run('deploy');
    expect([late.status, late.report.summary.status]).toEqual([4, 'timeout']);

    // PV_POLICY and CONFIRMATION_TOKEN: a dry run says what to confirm.
    const policy = { PV_POLICY: 'retain' };
    const planned = await run('teardown', { ...policy, DRY_RUN: 'true' });
    expect(planned.status).toBe(0);
    const told = planned.report.recommendations.join(' ');
    const [token = ''] = /[\w-]+@sha256:[0-9a-f]{64}/.exec(told) ?? [];
    const other = token.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
    const refused = await run('teardown', { ...policy, CONFIRMATION_TOKEN: other });
    expect([refused.status, refused.report.components]).toEqual([1, []]);
    const gone = await run('teardown', { ...policy, CONFIRMATION_TOKEN: token });
    expect(gone.report.failures).toEqual([]);
    expect(gone.status).toBe(0);
    const left = ['get', 'application', a, never, '-n', 'argocd', '--ignore-not-found'];
    expect(await scratch.stack.run('kubectl', ...left)).toBe('');
  });
});
