import { describe, expect, test } from 'vitest';
import { renderBootstrap } from '../view/bootstrap-text.ts';
import { reportOf } from './bootstrap-report.ts';
import { type BootstrapEvent, parseTold } from './events.ts';

const at = (second: number) => new Date(second * 1000).toISOString();

/** As the callback prints them, one second after the other. */
function told(...lines: readonly object[]): BootstrapEvent[] {
  return lines.map((line, second) => {
    const event = parseTold(JSON.stringify(line));
    if (!event) throw new Error(`not understood: ${JSON.stringify(line)}`);
    return { time: at(second), ...event };
  });
}

const role = 'argocd';
const phase = (name: string) => ({ type: 'phase.started', role, phase: name });
const task = (name: string, status: string, more: object = {}) => ({
  ...{ type: 'task.finished', role, phase: name, task: 'Install the chart', status },
  ...more,
});
const finished = (status: string) => ({
  ...{ type: 'role.finished', role, status, seconds: 1, failure: {} },
  ...{ version: '3.2.11', chart: 'argo-cd-9.3.7', revision: 1 },
});

const GOOD = [
  { type: 'role.started', role },
  ...[phase('pre-check'), task('pre-check', 'ok')],
  ...[phase('apply'), task('apply', 'changed'), task('apply', 'ok')],
  ...[phase('test'), task('test', 'ok'), phase('validate'), task('validate', 'ok')],
  ...[phase('result'), task('result', 'ok'), finished('success')],
];

const FAILED = task('validate', 'failed', {
  message: 'argocd-cm does not have it',
  object: 'ConfigMap argocd-cm in argocd',
});

const ROLLED_BACK = [
  { type: 'role.started', role },
  ...[phase('apply'), task('apply', 'changed'), phase('validate'), FAILED],
  ...[phase('rollback'), task('rollback', 'changed')],
  ...[phase('result'), task('result', 'ok'), finished('rolled_back')],
];

const asked = {
  ...({ platform: 'shop', action: 'install', check: false } as const),
  roles: ['argocd', 'gitops-handoff'] as const,
};
const end = { time: at(20), status: 0, interrupted: false, said: '' };

describe('a bootstrap as a report', () => {
  test('a role that is done, phase by phase', () => {
    const report = reportOf({ ...asked, roles: ['argocd'] }, told(...GOOD), end);
    expect(report).toMatchObject({ exitStatus: 0, changed: 1 });
    expect(report.roles[0]).toMatchObject({
      ...{ status: 'success', version: '3.2.11', revision: '1', failure: null },
      seconds: GOOD.length - 1,
    });
    expect(report.roles[0]?.phases.map(({ outcome }) => outcome)).toEqual([
      ...['done', 'done', 'done', 'done', 'skipped', 'done'],
    ]);
  });

  test('a role that was rolled back: the run stops there, and the cause is told', () => {
    const report = reportOf(asked, told(...ROLLED_BACK), { ...end, status: 2 });
    expect(report.exitStatus).toBe(1);
    expect(report.roles.map(({ status }) => status)).toEqual(['rolled_back', 'not_reached']);
    expect(report.roles[0]?.failure).toEqual({
      ...{ phase: 'validate', task: 'Install the chart', object: 'ConfigMap argocd-cm in argocd' },
      message: 'argocd-cm does not have it',
      hint: 'The role was rolled back. Fix the cause, and run again.',
    });
    expect(renderBootstrap(report)).toMatchInlineSnapshot(`
      "ROLE            STATUS       VERSION  CHANGED  SECONDS  PHASES
      argocd          rolled back  3.2.11   2        9.0      -pre-check +apply -test !validate +rollback +result
      gitops-handoff  not reached  -        0        0.0      -pre-check -apply -test -validate -rollback -result

      argocd: validate: Install the chart (ConfigMap argocd-cm in argocd)
        argocd-cm does not have it
        hint: The role was rolled back. Fix the cause, and run again.

      0 of 2 roles installed, 2 changes
      "
    `);
  });

  test('some roles done, some not: partly', () => {
    const second = { ...FAILED, role: 'gitops-handoff', phase: 'pre-check' };
    const started = { type: 'role.started', role: 'gitops-handoff' };
    const report = reportOf(asked, told(...GOOD, started, second), { ...end, status: 2 });
    expect(report.exitStatus).toBe(2);
    expect(report.roles[1]?.failure?.hint).toBe(
      'Nothing was changed. Fix the cause, and run again.',
    );
  });

  test('Ansible that dies in a role has failed there, with its last words and no password', () => {
    const said = 'lost https://me:secret@git.example.com/x';
    const events = told(...GOOD.slice(0, 4));
    const report = reportOf({ ...asked, roles: ['argocd'] }, events, { ...end, status: 1, said });
    expect(report.roles[0]).toMatchObject({
      status: 'failed',
      failure: { message: 'lost https://***@git.example.com/x' },
    });
  });

  test('an interrupted one is partial', () => {
    const report = reportOf(asked, told(...GOOD.slice(0, 4)), { ...end, interrupted: true });
    expect(report.exitStatus).toBe(2);
  });

  test('what only looks is no change, and all roles done with a failed Ansible is a failure', () => {
    const quiet = GOOD.filter((line) => !('status' in line && line.status === 'changed'));
    const only = { ...asked, roles: ['argocd'] as const };
    expect(reportOf(only, told(...quiet), end)).toMatchObject({ changed: 0, exitStatus: 0 });
    expect(reportOf(only, told(...quiet), { ...end, status: 2 }).exitStatus).toBe(1);
  });
});

test("of Helm's words the reason is told, not the command line", () => {
  const helm = task('apply', 'failed', {
    message: 'Failure when executing Helm command. Exited 1.\nstdout: \nstderr: Error: boom',
    details: 'WARNING: x\nError: INSTALLATION FAILED: context deadline exceeded\n',
  });
  const report = reportOf(asked, told({ type: 'role.started', role }, helm), { ...end, status: 2 });
  expect(report.roles[0]?.failure?.message).toBe('INSTALLATION FAILED: context deadline exceeded');
});

test('a task that fails says why without the password in it', () => {
  const message = 'cannot clone https://me:secret@git.example.com/x';
  const failing = task('apply', 'failed', { message });
  const events = told({ type: 'role.started', role }, failing);
  const report = reportOf(asked, events, { ...end, status: 2 });
  expect(report.roles[0]?.failure?.message).toBe('cannot clone https://***@git.example.com/x');
  expect(JSON.stringify(report) + renderBootstrap(report)).not.toContain('secret');
});

test.each(['', '[WARNING]: x', '{"type": "other"}', '{not json'])('%j is not an event', (line) => {
  expect(parseTold(line)).toBeUndefined();
});
