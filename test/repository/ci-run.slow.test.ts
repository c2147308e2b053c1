// `.ci/run` must fail whenever it cannot say that everything passed.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Left, runCi } from './ci-program.ts';

const PROGRAM = '.ci/run';
const FLOORS = new Map(
  [
    ...readFileSync(PROGRAM, 'utf8').matchAll(
      /^unit_tests (\S+) (\d+)$|^counted log (\d+) (\S+)$/gm,
    ),
  ].map(([, script, floor, least, log]) => [script ?? log ?? '', Number(floor ?? least)]),
);
const floorOf = (part: string): number => FLOORS.get(part) ?? Number.NaN;
const report = (passed: number, failed: number, success = failed === 0): string =>
  JSON.stringify({ numPassedTests: passed, numFailedTests: failed, success });

const good = (part: string): Left => ({ text: report(floorOf(part), 0), status: 0 });
const log = (passed: number, failed: number, status: number): Left => ({
  ...{ text: `some lines\n${passed} passed, ${failed} failed\n`, status },
});
const GOOD = {
  test: good('test'),
  'test:slow': good('test:slow'),
  'docs:check': log(floorOf('docs:check'), 0, 0),
  'test:stack': log(floorOf('test:stack'), 0, 0),
};
/** One more is the module of Lua, which is not counted by a report. */
const ALL = [...FLOORS.values()].reduce((sum, floor) => sum + floor, 1);

test('every part has a floor', () => {
  expect([...FLOORS.keys()]).toEqual(['test', 'test:slow', 'docs:check', 'test:stack']);
  for (const floor of FLOORS.values()) expect(floor).toBeGreaterThan(20);
});

test('everything passed', () => {
  expect(runCi(PROGRAM, GOOD)).toEqual({ last: `${ALL} passed, 0 failed`, status: 0, stderr: '' });
});

test('Debian packages that cannot be installed stop it', () => {
  const { last, status, stderr } = runCi(PROGRAM, GOOD, { installed: false });
  expect({ last, status }).toEqual({ last: `${floorOf('test') + 1} passed, 1 failed`, status: 1 });
  expect(stderr).toContain('ci: apt-get cannot install chromium groff-base openssh-client\n');
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
    const { last, status } = runCi(PROGRAM, { ...GOOD, test: left });
    expect({ last, status }).toEqual({ last: `${passed} passed, ${failed} failed`, status: 1 });
  });

  test('so it is of the slower ones', () => {
    const { last, status } = runCi(PROGRAM, {
      ...GOOD,
      'test:slow': { text: undefined, status: 0 },
    });
    const passed = ALL - floorOf('test:slow');
    expect({ last, status }).toEqual({ last: `${passed} passed, 1 failed`, status: 1 });
  });
});

test('what failed is named at the end', () => {
  const assertionResults = [
    { status: 'passed', fullName: 'good' },
    { status: 'failed', fullName: 'a gate opens', failureMessages: ['\x1b[31mexpected 1\nstack'] },
  ];
  const testResults = [
    { name: 'a.test.ts', status: 'failed', assertionResults },
    { name: 'b.test.ts', status: 'failed', message: 'no such module\n...', assertionResults: [] },
  ];
  const text = JSON.stringify({ ...JSON.parse(report(floorOf('test'), 1)), testResults });
  const onStack = log(floorOf('test:stack'), 1, 1);
  const { stderr } = runCi(PROGRAM, {
    ...GOOD,
    test: { text, status: 1 },
    'test:stack': {
      ...onStack,
      text: `\x1b[31m FAIL \x1b[39m s.test.ts > deploys\nError: late\n\n${onStack.text}`,
    },
  });
  expect(stderr.split('\n').filter((line) => line.startsWith('ci: failed'))).toEqual([
    'ci: failed: a gate opens: expected 1',
    'ci: failed: b.test.ts: no such module',
    'ci: failed: s.test.ts > deploys: Error: late',
  ]);
});

describe.each(['docs:check', 'test:stack'])('of %s', (name) => {
  const less = ALL - floorOf(name);
  const floor = floorOf(name);
  test.each<[string, Left, number, number]>([
    ['no output', { text: undefined, status: 0 }, less, 1],
    ['another last line', { text: `${floor} passed, 0 failed\nbye\n`, status: 0 }, less, 1],
    ['too few tests', log(floor - 1, 0, 0), ALL - 1, 1],
    ['a failed command with a good last line', log(floor, 0, 1), ALL, 1],
    ['failed tests', log(floor, 2, 1), ALL, 2],
  ])('%s is a failure', (_, left, passed, failed) => {
    const { last, status } = runCi(PROGRAM, { ...GOOD, [name]: left });
    expect({ last, status }).toEqual({ last: `${passed} passed, ${failed} failed`, status: 1 });
  });
});
