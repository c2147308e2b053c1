// `tiphys rehearse deploy` and `validate` as users call them.
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { lastLine, REFERENCE, SHOP, start, tiphys } from './built-command.ts';

vi.setConfig({ testTimeout: 60_000 });

const scratch = mkdtempSync(join(tmpdir(), 'tiphys-rehearsal-'));
afterAll(() => rmSync(scratch, { recursive: true }));

function file(name: string, text: string): string {
  const path = join(scratch, name);
  writeFileSync(path, text);
  return path;
}

const rehearse = (...args: readonly string[]) => tiphys('rehearse', 'deploy', ...args);
const reported = (...args: readonly string[]) =>
  lastLine(rehearse(...SHOP, '-o', 'json', ...args).stdout);

interface Step {
  readonly id: string;
  readonly duration: number;
}
const durationOf = (report: { forecast: { gains: Step[] } }, id: string) =>
  report.forecast.gains.find((gain) => gain.id === id)?.duration ?? 0;

describe('a failure rehearsed', () => {
  const fault = ['--fault', 'app:ceph-cluster degraded after 5m'];

  test('says what is blocked and why, with exit status 2', () => {
    const { stdout, status } = rehearse(...REFERENCE, ...fault);
    expect(status).toBe(2);
    expect(stdout).toMatch(/^ceph-cluster failed after 3 attempts: Degraded/m);
    expect(stdout).toMatch(/^ {2}21 skipped: storage-classes, .*, vault, /m);
    expect(stdout).toContain('21 healthy, 1 failed, 21 skipped');
    expect(stdout).toContain('app:ceph-cluster degraded after 5m: happened');
    // What failed comes last, where it is read.
    expect(stdout.indexOf('ceph-cluster failed')).toBeGreaterThan(stdout.indexOf('Rehearsed:'));
    expect(stdout).not.toContain('IF IT FAILS');
  });

  test('gives the same bytes for the same seed, at any speed, and others for another', () => {
    const json = [...REFERENCE, ...fault, '-o', 'json'];
    const first = rehearse(...json);
    expect(first.stderr).toBe('');
    expect(first.status).toBe(2);
    expect(rehearse(...json, '--speed', '2000x').stdout).toBe(first.stdout);
    expect(rehearse(...json, '--seed', '2').stdout).not.toBe(first.stdout);
    expect(lastLine(first.stdout)).toMatchObject({
      kind: 'Rehearsal',
      exitStatus: 2,
      seed: 1,
      faults: [{ fault: 'app:ceph-cluster degraded after 5m', met: 1 }],
    });
  });
});

test('without a fault all is Healthy in about the time that is expected', () => {
  const { exitStatus, duration, expectedDuration, runs } = reported();
  expect(exitStatus).toBe(0);
  expect(runs).toHaveLength(1);
  expect(duration / expectedDuration).toBeGreaterThan(0.97);
  expect(duration / expectedDuration).toBeLessThan(1.03);
});

describe('durations', () => {
  const profile = file('profile.yaml', 'applications: {db: 25m, api: 1m}\n');

  test('come from a profile', () => {
    const report = reported('--profile', profile);
    expect(Math.round(durationOf(report, 'app:api') / 60)).toBe(1);
    expect(durationOf(reported(), 'app:api')).toBeGreaterThan(140);
  });

  test('come from what another run printed, under those of a profile', () => {
    const slow = ['--fault', 'app:dns slow x2', '--fault', 'app:api slow x2'];
    const measured = file('run.json', rehearse(...SHOP, '-o', 'json', ...slow).stdout);
    const report = reported('--from-run', measured, '--profile', profile);
    expect(durationOf(report, 'app:dns')).toBeGreaterThan(250);
    expect(Math.round(durationOf(report, 'app:api') / 60)).toBe(1);
  });
});

describe('what befalls the command itself', () => {
  test('killed, it is started again, and no operation is made twice', () => {
    const report = reported('--fault', 'tiphys killed at 3m');
    expect(report.runs.map(({ end }: { end: string }) => end)).toEqual(['killed', 'reported']);
    expect(report.exitStatus).toBe(0);
    const last = report.runs.at(-1).report;
    expect(last.run).toBe(lastLine(rehearse(...SHOP, '-o', 'json').stdout).runs[0].report.run);
    for (const { attempts } of last.nodes) expect(attempts).toBeLessThanOrEqual(1);
  });

  test('started twice, the second is refused', () => {
    const { runs, exitStatus } = reported('--fault', 'tiphys doubled at 3m');
    expect(exitStatus).toBe(0);
    expect(runs[1]).toMatchObject({ end: 'refused', errors: [{ code: 'run-already-active' }] });
  });

  test('asked to stop, it ends in good order and goes on later', () => {
    const { runs, exitStatus } = reported('--fault', 'tiphys stopped at 3m');
    expect(runs.map((run: { report: { exitStatus: number } }) => run.report.exitStatus)).toEqual([
      2, 0,
    ]);
    expect(exitStatus).toBe(0);
  });
});

test('Ctrl-C ends it in good order and at once, however slowly its time passes', async () => {
  const { child, ended } = start('rehearse', 'deploy', ...SHOP, '--speed', '1x', '-o', 'json');
  await once(child.stdout, 'data');
  child.kill('SIGINT');
  const { stdout, stderr, status } = await ended;
  expect(stderr).toContain('Stopping: ');
  expect([status, lastLine(stdout)]).toMatchObject([
    2,
    { runs: [{ report: { reason: 'interrupted' } }] },
  ]);
});

describe('what is wrong is told with its place', () => {
  test('in options, all at once', () => {
    const { stderr, status } = rehearse(
      ...SHOP,
      ...['--fault', 'app:bd slow x3', '--fault', 'api fials at 5m'],
    );
    expect(status).toBe(3);
    expect(stderr).toBe(
      'error[reference-unknown]: The platform has no application "bd". ("app:bd slow x3", character 5)\n' +
        '  hint: Did you mean "db"?\n' +
        'error[fault-invalid]: Unknown fault "fials" for api. ("api fials at 5m", character 5)\n' +
        '  hint: Did you mean "fails"?\n',
    );
  });

  test('in files, all at once', () => {
    const faults = file('faults.yaml', '- app:db slow x3\n- api drops lots\n');
    const wrong = file('wrong.yaml', 'applications: {bd: 1m}\n');
    const { stderr, status } = rehearse(...SHOP, '--fault-file', faults, '--profile', wrong);
    expect(status).toBe(3);
    expect(stderr).toContain(`${faults}:2:13: error[fault-invalid]: Unexpected "lots".`);
    expect(stderr).toContain(`${wrong}:1:16: error[reference-unknown]:`);
  });

  test('a scope whose dependencies are not there is refused as on a real cluster', () => {
    const { stderr, status } = rehearse(...SHOP, '--scope', 'db');
    expect(status).toBe(1);
    expect(stderr).toContain('error[dependencies-not-healthy]');
  });
});

describe('validate', () => {
  test('finds the platform Healthy after a deployment', () => {
    const { stdout, status } = tiphys('rehearse', 'validate', ...SHOP);
    expect(stdout).toContain('"shop" is Healthy');
    expect(status).toBe(0);
  });

  test('finds what a fault has left', () => {
    const fault = ['--fault', 'app:api degraded after 1m'];
    const { stdout, status } = tiphys('rehearse', 'validate', ...SHOP, ...fault);
    expect(stdout).toMatch(/^api +web +Degraded /m);
    expect(status).toBe(2);
  });
});
