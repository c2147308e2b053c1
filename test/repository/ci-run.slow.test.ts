// `.ci/run` must fail whenever it cannot say that everything passed. Here its commands are small programs that leave what a test wants.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const PROGRAM = join('.ci', 'run');
const FLOORS = new Map(
  [...readFileSync(PROGRAM, 'utf8').matchAll(/^(?:unit_tests (\S+)|(stack_tests)) (\d+)$/gm)].map(
    ([, script, stack, floor]) => [script ?? stack ?? '', Number(floor)],
  ),
);
const floorOf = (part: string): number => FLOORS.get(part) ?? Number.NaN;
const report = (passed: number, failed: number, success = failed === 0): string =>
  JSON.stringify({ numPassedTests: passed, numFailedTests: failed, success });

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tiphys-ci-'));
  mkdirSync(join(folder, 'bin'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** What a part leaves; undefined: nothing. */
interface Left {
  readonly text: string | undefined;
  readonly status: number;
}

/** Its last line, and the status. */
function run(parts: Readonly<Record<'test' | 'test:slow' | 'stack_tests', Left>>) {
  for (const [part, { text, status }] of Object.entries(parts)) {
    const name = part.replace(':', '-');
    if (text !== undefined) writeFileSync(join(folder, name), text);
    writeFileSync(join(folder, `${name}.status`), String(status));
  }
  // npm ci; npm run --silent lua:check; npm run --silent stack -- packages; npm run --silent test:stack; npm run SCRIPT -- … --outputFile.json=FILE
  const npm = `#!/bin/sh
case "$*" in
  ci | "run --silent stack -- packages" | "run --silent lua:check") exit 0 ;;
  "run --silent test:stack") cat ${folder}/stack_tests 2>/dev/null; exit $(cat ${folder}/stack_tests.status) ;;
esac
name=$(echo "$2" | tr : -)
for last; do :; done
cp ${folder}/$name "\${last#--outputFile.json=}" 2>/dev/null
exit $(cat ${folder}/$name.status)
`;
  writeFileSync(join(folder, 'bin', 'npm'), npm);
  chmodSync(join(folder, 'bin', 'npm'), 0o755);
  const env = {
    ...process.env,
    PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
    TMPDIR: folder,
  };
  const { stdout, stderr, status } = spawnSync(PROGRAM, { env, encoding: 'utf8' });
  return { last: stdout.trimEnd().split('\n').at(-1), status, stderr };
}

const good = (part: string): Left => ({ text: report(floorOf(part), 0), status: 0 });
const stack = (passed: number, failed: number, status: number): Left => ({
  ...{ text: `some lines\n${passed} passed, ${failed} failed\n`, status },
});
const GOOD = {
  test: good('test'),
  'test:slow': good('test:slow'),
  stack_tests: stack(floorOf('stack_tests'), 0, 0),
};
/** One more is the module of Lua, which is not counted by a report. */
const ALL = floorOf('test') + floorOf('test:slow') + floorOf('stack_tests') + 1;

test('every part has a floor', () => {
  expect([...FLOORS.keys()]).toEqual(['test', 'test:slow', 'stack_tests']);
  for (const floor of FLOORS.values()) expect(floor).toBeGreaterThan(20);
});

test('everything passed', () => {
  expect(run(GOOD)).toEqual({ last: `${ALL} passed, 0 failed`, status: 0, stderr: '' });
});

describe('of the tests without a cluster', () => {
  const less = ALL - floorOf('test');
  const floor = floorOf('test');
  const whole = report(floor, 0);
  test.each<[string, Left, number, number]>([
    ['a missing report', { text: undefined, status: 0 }, less, 1],
    ['an empty report', { text: '', status: 0 }, less, 1],
    ['a truncated report', { text: whole.slice(0, -9), status: 0 }, less, 1],
    ['a truncated report of tests that failed', { text: whole.slice(0, -9), status: 1 }, less, 1],
    ['a report of something else', { text: '{"numPassedTests": 9999}', status: 0 }, less, 1],
    ['too few tests', { text: report(floor - 1, 0), status: 0 }, ALL - 1, 1],
    ['a failed command with a good report', { text: whole, status: 1 }, ALL, 1],
    ['a file that did not load', { text: report(floor, 0, false), status: 0 }, ALL, 1],
    ['failed tests', { text: report(floor, 3), status: 1 }, ALL, 3],
  ])('%s is a failure', (_, left, passed, failed) => {
    const { last, status } = run({ ...GOOD, test: left });
    expect({ last, status }).toEqual({ last: `${passed} passed, ${failed} failed`, status: 1 });
  });

  test('so it is of the slower ones', () => {
    const { last, status } = run({ ...GOOD, 'test:slow': { text: undefined, status: 0 } });
    const passed = ALL - floorOf('test:slow');
    expect({ last, status }).toEqual({ last: `${passed} passed, 1 failed`, status: 1 });
  });
});

describe('of the tests on the real stack', () => {
  const less = ALL - floorOf('stack_tests');
  const floor = floorOf('stack_tests');
  test.each<[string, Left, number, number]>([
    ['no output', { text: undefined, status: 0 }, less, 1],
    ['another last line', { text: `${floor} passed, 0 failed\nbye\n`, status: 0 }, less, 1],
    ['too few tests', stack(floor - 1, 0, 0), ALL - 1, 1],
    ['a failed command with a good last line', stack(floor, 0, 1), ALL, 1],
    ['failed tests', stack(floor, 2, 1), ALL, 2],
  ])('%s is a failure', (_, left, passed, failed) => {
    const { last, status } = run({ ...GOOD, stack_tests: left });
    expect({ last, status }).toEqual({ last: `${passed} passed, ${failed} failed`, status: 1 });
  });
});
