// A rehearsal's report as text, from planted data.
import { expect, test } from 'vitest';
import type { RehearsalReport, RehearsedRun } from '../report/rehearsal-report.ts';
import { renderRehearsal } from './rehearsal-text.ts';

const RUN: RehearsedRun = {
  ...{ name: 'tiphys', startedAt: 0, endedAt: 60, end: 'killed', opened: 1 },
  ...{ report: null, errors: [] },
};

const REPORT: RehearsalReport = {
  apiVersion: 'tiphys.dev/v1alpha1',
  kind: 'Rehearsal',
  action: 'deploy',
  platform: 'shop',
  plan: 'sha256:0',
  scope: ['platform'],
  seed: 3,
  exitStatus: 2,
  duration: 60.4,
  expectedDuration: 90,
  faults: [],
  requests: { kubernetes: 3, argocd: 1, argocdWrites: 0 },
  forecast: {
    ...{ duration: 90, concurrency: 5, durationAtConcurrency: 90, criticalPath: [] },
    ...{ gains: [], blasts: [] },
  },
  runs: [RUN],
};

const gain = (id: string, ifInstant: number) => ({
  ...{ id, duration: 100, slack: 0, ifTwiceAsFast: ifInstant / 2, ifInstant },
});

test('what there is nothing to say of is left out', () => {
  expect(renderRehearsal(REPORT, [])).toBe(
    'Rehearsed: 1m, expected 1m30s with concurrency 5\n' +
      '  1 request to Argo CD, 0 of them writes; 3 to Kubernetes; seed 3\n',
  );
});

test('several starts of the command are told apart, with why one was refused', () => {
  const errors = [{ code: 'run-already-active' as const, message: 'Run r1 is active.' }];
  const refused: RehearsedRun = { ...RUN, name: 'tiphys-2', end: 'refused', errors };
  const text = renderRehearsal({ ...REPORT, runs: [RUN, refused] }, []);
  expect(text).toMatch(/^tiphys +0s +1m +1 +killed$/m);
  expect(text).toMatch(/^tiphys-2 +0s +1m +1 +refused: Run r1 is active\.$/m);
});

test('a fault that found nothing to happen to is told as such', () => {
  const faults = [
    { fault: 'app:db recreated at 5m', met: 0 },
    { fault: 'api drops 5%', met: 12 },
    { fault: 'git moves at 1m', met: 1 },
  ];
  expect(renderRehearsal({ ...REPORT, faults }, [])).toContain(
    'Faults:\n' +
      '  app:db recreated at 5m: did not happen\n' +
      '  api drops 5%: happened 12 times\n' +
      '  git moves at 1m: happened\n',
  );
});

test('long tables are cut, and what gains nothing is no row', () => {
  const gains = Array.from({ length: 10 }, (_, at) => gain(`app:a${at}`, 50 - at));
  const blasts = [
    { id: 'app:a0', blocks: ['b', 'c', 'd', 'e', 'f', 'g'].map((id) => `app:${id}`) },
  ];
  const forecast = { ...REPORT.forecast, gains: [...gains, gain('app:idle', 0)], blasts };
  const text = renderRehearsal({ ...REPORT, exitStatus: 0, forecast }, [
    ['tiphys plan', 'the order'],
  ]);
  expect(text).toMatch(/^a7 +1m40s +22s +43s$/m);
  expect(text).not.toMatch(/^a8 /m);
  expect(text).not.toContain('idle');
  expect(text).toContain('... and 2 more; -o json prints all of them');
  expect(text).toMatch(/^a0 +6 of 1 +b, c, d, e, f, \.\.\. \(1 more\)$/m);
  expect(text).toContain('Next:\n  # the order\n  tiphys plan\n');
});
