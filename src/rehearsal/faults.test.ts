// Lines of faults: what they mean, and what is said of a wrong one.
import { describe, expect, test } from 'vitest';
import { TiphysError } from '../errors.ts';
import type { Fault } from './fault.ts';
import { FAULTS, NOT_REHEARSED } from './fault-table.ts';
import { parseFaultFile, parseProfile, profileOfRun } from './files.ts';
import { parseFault, parseFaults } from './parse-fault.ts';
import { exampleOf, renderFault } from './render-fault.ts';

const NAMES = ['vault', 'ceph-cluster', 'NAME'];
const fault = (line: string) => parseFault(line, NAMES);

test.each([
  [
    'app:vault degraded after 2m',
    { subject: 'app', name: 'vault', effect: 'degraded', after: 120 },
  ],
  ['app:ceph-cluster slow x3', { subject: 'app', name: 'ceph-cluster', effect: 'slow', factor: 3 }],
  ['app:vault slow', { subject: 'app', name: 'vault', effect: 'slow', factor: 3 }],
  ['argocd restart at 10m', { subject: 'argocd', effect: 'restart', at: 600, for: 20 }],
  ['api fails for 30s at 5m', { subject: 'api', effect: 'fails', at: 300, for: 30 }],
  ['  api   drops 5% ', { subject: 'api', effect: 'drops', rate: 0.05 }],
  [
    'api drops 0.5% at 1m for 10s',
    { subject: 'api', effect: 'drops', rate: 0.005, at: 60, for: 10 },
  ],
  ['watch silent at 3m', { subject: 'watch', effect: 'silent', at: 180 }],
  [
    'tiphys clock-jumps at 4m by -1h',
    { subject: 'tiphys', effect: 'clock-jumps', at: 240, by: -3600 },
  ],
  [
    'tiphys clock-jumps at 4m by +90s',
    { subject: 'tiphys', effect: 'clock-jumps', at: 240, by: 90 },
  ],
])('%s', (line, meant) => expect(fault(line)).toEqual(meant));

test.each([
  ['', 0, 'Unknown subject "".', 'A fault starts with api, watch,'],
  ['vault degraded', 0, 'Unknown subject "vault".', 'Did you mean "app:vault"?'],
  ['ap fails at 5m', 0, 'Unknown subject "ap".', 'Did you mean "api"?'],
  ['app: degraded', 0, 'The fault names no application.', 'Use app:NAME.'],
  ['app:valt degraded', 4, 'The platform has no application "valt".', 'Did you mean "vault"?'],
  [
    'app:qqqqqqq degraded',
    4,
    'The platform has no application "qqqqqqq".',
    'List the applications with `tiphys plan`.',
  ],
  ['api', 3, 'The fault is missing.', 'Faults for api: conflicts, busy,'],
  ['api fials at 5m', 4, 'Unknown fault "fials" for api.', 'Did you mean "fails"?'],
  [
    'git degraded',
    4,
    'Unknown fault "degraded" for git.',
    'Faults for git: unreachable, resolves-slowly, moves, busy.',
  ],
  ['api fails', 9, 'The fault lacks the time since the start.', 'api fails at TIME [for TIME].'],
  ['api fails at', 12, 'A value is missing for the time since', 'Use a value such as at 5m.'],
  [
    'api fails at 5 for 3s',
    13,
    '"5" is not valid for the time since',
    'Use a value such as at 5m.',
  ],
  [
    'api fails at 5m at 6m',
    16,
    'The fault sets the time since the start twice.',
    'api fails at TIME [for TIME].',
  ],
  ['api fails at 5m 10%', 16, '"fails" does not support "10%".', 'api fails at TIME [for TIME].'],
  ['api drops 500%', 10, '"500%" is not valid for the share', 'Use a value such as 5%.'],
  ['app:vault slow x0', 15, '"x0" is not valid for the factor', 'Use a value such as x3.'],
  ['app:vault degraded aftr 2m', 19, 'Unexpected "aftr".', 'Did you mean "after"?'],
  ['app:vault degraded bang 2m', 19, 'Unexpected "bang".', 'degraded [after TIME] [for'],
])('%j is wrong at %i', (line, offset, message, hint) => {
  expect(fault(line)).toMatchObject({
    offset,
    message: expect.stringContaining(message),
    hint: expect.stringContaining(hint),
  });
});

test('all wrong options are told at once, each with its line', () => {
  expect(() => parseFaults(['api fials at 5m', 'api drops 1%', 'app:x slow'], NAMES)).toThrow(
    'Unknown fault "fials" for api. ("api fials at 5m", character 5)\n' +
      'The platform has no application "x". ("app:x slow", character 5)',
  );
});

describe('the table', () => {
  test.each(FAULTS.map((kind) => [exampleOf(kind), kind] as const))('%s', (line, kind) => {
    const parsed = fault(line) as Fault;
    expect(parsed).toMatchObject({ subject: kind.subject, effect: kind.effect });
    expect(fault(renderFault(parsed))).toEqual(parsed);
  });

  test('has every class of the catalogue, or says why not', () => {
    const classes = [
      ...Array.from({ length: 10 }, (_, n) => `A${n + 1}`),
      ...Array.from({ length: 9 }, (_, n) => `B${n + 1}`),
      ...Array.from({ length: 9 }, (_, n) => `C${n + 1}`),
      ...Array.from({ length: 17 }, (_, n) => `D${n + 1}`),
    ];
    const left = NOT_REHEARSED.flatMap(([text]) => text.split(', ')).flatMap(range);
    const had = FAULTS.flatMap(({ classes: own }) => own);
    expect([...new Set(had), ...left].sort()).toEqual(classes.sort());
  });

  test('has no two of the same words', () => {
    const words = FAULTS.map(({ subject, effect }) => `${subject} ${effect}`);
    expect(new Set(words).size).toBe(words.length);
  });
});

/** "D11 to D14" -> four of them. */
function range(text: string): string[] {
  const [first = '', last = first] = text.split(' to ');
  const [from, to] = [Number(first.slice(1)), Number(last.slice(1))];
  return Array.from({ length: to - from + 1 }, (_, n) => `${first[0]}${from + n}`);
}

const source = (text: string) => ({ file: 'given', text });
const problemsOf = (run: () => unknown) => {
  try {
    run();
  } catch (error) {
    if (error instanceof TiphysError) return error.diagnostics;
    throw error;
  }
  return [];
};

describe('a file of faults', () => {
  test('is a list of lines', () => {
    const text = '# a bad day\n- app:vault slow x2\n- "api drops 5%"\n';
    expect(parseFaultFile(source(text), NAMES).map(renderFault)).toEqual([
      'app:vault slow x2',
      'api drops 5%',
    ]);
  });

  test('tells of every wrong line where it is', () => {
    const text = '- app:valt slow x2\n- "api dorps 5%"\n- api drops 5%\n';
    expect(problemsOf(() => parseFaultFile(source(text), NAMES))).toMatchObject([
      { code: 'reference-unknown', file: 'given', line: 1, column: 7 },
      { code: 'fault-invalid', file: 'given', line: 2, column: 8, hint: 'Did you mean "drops"?' },
    ]);
  });

  test('that is no list is refused', () => {
    const problems = problemsOf(() => parseFaultFile(source('api: drops'), NAMES));
    expect(problems).toMatchObject([{ code: 'value-type' }]);
  });
});

describe('durations', () => {
  test('from a profile', () => {
    const profile = parseProfile(source('applications: {vault: 4m, ceph-cluster: 90s}'), NAMES);
    expect([...profile]).toEqual([
      ['vault', 240],
      ['ceph-cluster', 90],
    ]);
  });

  test('a profile that names a stranger is refused with the nearest name', () => {
    const text = 'applications:\n  vualt: 4m\n  vault: 0s\n';
    expect(problemsOf(() => parseProfile(source(text), NAMES))).toMatchObject([
      { code: 'value-range', line: 3 },
    ]);
    expect(problemsOf(() => parseProfile(source(text.replace('0s', '9s')), NAMES))).toMatchObject([
      { code: 'reference-unknown', line: 2, column: 3, hint: 'Did you mean "vault"?' },
    ]);
  });

  const durations = { wait: 50, sync: 10.4, health: 20, dwell: 10 };
  const nodes = [
    { id: 'app:vault', outcome: 'healthy', attempts: 1, durations },
    { id: 'app:ceph-cluster', outcome: 'unchanged', attempts: 1, durations },
    { id: 'app:NAME', outcome: 'healthy', attempts: 0, durations },
    { id: 'app:stranger', outcome: 'healthy', attempts: 1, durations },
  ];

  test.each([
    ['a report', JSON.stringify({ kind: 'Report', nodes }, undefined, 2)],
    [
      'events',
      nodes
        .map(({ id, ...rest }) => JSON.stringify({ type: 'node.finished', node: id, ...rest }))
        .join('\n'),
    ],
    ['events and the report', `{"type":"run.started"}\n${JSON.stringify({ nodes })}\n`],
  ])('from %s of a real run', (_, text) => {
    expect([...profileOfRun(source(text), NAMES)]).toEqual([['vault', 40]]);
  });

  test('what was in progress when its run was killed has no duration', () => {
    const ends = ['app:vault', 'app:ceph-cluster'].map((node) => {
      return { type: 'node.finished', node, outcome: 'healthy', attempts: 1, durations };
    });
    const events = [
      { type: 'run.started', resumed: false },
      { type: 'node.sync-requested', node: 'app:ceph-cluster' },
      { type: 'run.started', resumed: true },
      { type: 'node.sync-requested', node: 'app:vault' },
      ...ends,
    ];
    const text = events.map((event) => JSON.stringify(event)).join('\n');
    expect([...profileOfRun(source(text), NAMES)]).toEqual([['vault', 40]]);
  });

  test.each(['', 'hello', '{"nodes": [{"id": "app:vault", "outcome": "healthy"}]}', '[1]\nnull'])(
    'what tells nothing is refused: %j',
    (text) => {
      expect(problemsOf(() => profileOfRun(source(text), NAMES))).toMatchObject([
        { code: 'run-file-invalid', file: 'given' },
      ]);
    },
  );
});
