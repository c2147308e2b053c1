// Outcomes in, text out.
import { expect, test } from 'vitest';
import { THE_RUN } from '../run/events.ts';
import { renderReport } from './report-text.ts';

const none = { wait: 0, sync: 0, health: 0, dwell: 0 };
const node = (id: string, rest: object) => ({
  ...{ id, outcome: 'healthy', durations: none, attempts: 1, revisions: [], operations: [] },
  ...rest,
});
const shown = (nodes: readonly object[], isRehearsed = false, rest: object = {}): string =>
  renderReport(
    {
      ...{ action: 'deploy', platform: 'shop', run: 'r1', exitStatus: 2, counts: {} },
      ...{ nodes, held: [], warnings: [], ...rest },
    } as never,
    { isRehearsed },
  );

test('times are in tenths below a minute, and in minutes and hours above', () => {
  const durations = { wait: 59.94, sync: 59.96, health: 3661.2, dwell: 0.1 };
  const [, row] = shown([node('app:db', { durations })]).split('\n');
  expect(row?.split(/ +/).slice(0, 6)).toEqual(['db', 'healthy', '59.9s', '1m', '1h1m1s', '0.1s']);
});

test('advice that several failures in a row share stands once, below the last of them', () => {
  const cause = { node: THE_RUN, message: 'interrupted' };
  const own = { node: 'app:web', message: 'Degraded' };
  const nodes = [
    node('app:db', { outcome: 'failed', cause }),
    node('app:api', { outcome: 'failed', cause }),
    node('app:web', { outcome: 'failed', cause: own }),
  ];
  const [, end] = shown(nodes).split('exit status 2\n\n');
  expect(end?.split('\n')).toEqual([
    'db not finished: interrupted',
    '',
    'api not finished: interrupted',
    '  next: rerun the command to resume',
    '',
    'web failed: Degraded',
    '  next: fix "web" in Git, then rerun the command; for details run `tiphys explain web`',
    '',
  ]);
  expect(shown(nodes, true)).not.toContain('next:');
});

test('after an expired token the advice is a new token, in a rehearsal without a command', () => {
  const cause = { node: 'app:db', message: 'Argo CD does not accept the token.' };
  const nodes = [node('app:db', { outcome: 'failed', cause })];
  expect(shown(nodes)).toContain(
    '  next: renew the token (`tiphys bootstrap --only argocd`, or --argocd-token-file), then rerun the command\n',
  );
  expect(shown(nodes, true)).toContain('  next: renew the token, then rerun the command\n');
});

test('what an interrupted run left in progress has not failed, and the run says how to resume it', () => {
  const cause = {
    node: 'app:api',
    message: 'interrupted while it was in progress; the next run resumes it',
  };
  const counts = { healthy: 1, failed: 2 };
  const nodes = [
    node('app:db', {}),
    node('app:api', { outcome: 'failed', cause }),
    node('app:web', { outcome: 'failed', cause: { node: 'app:web', message: 'Degraded' } }),
  ];
  const text = shown(nodes, false, { counts });
  expect(text).toContain(': 1 healthy, 1 failed, 1 not finished; run r1');
  expect(text).toMatch(/^api +not finished /m);
  const between = { counts: { healthy: 1, skipped: 2 }, reason: 'interrupted' };
  expect(shown([node('app:db', {})], false, between)).toMatch(
    /\n\nnext: rerun the command to resume\n$/,
  );
  expect(shown([node('app:db', {})], true, between)).not.toContain('next:');
  expect(shown([node('app:db', {})])).not.toContain('next:');
});

test('at 80 columns, no line is longer, and nothing but the revision is left out', () => {
  const durations = { wait: 1111, sync: 1111, health: 1111, dwell: 10 };
  const cause = { node: 'app:prometheus-operator-new', message: 'Degraded: Back-off '.repeat(8) };
  const nodes = [
    node('app:prometheus-operator-new', {
      durations,
      revisions: ['0123456789'],
      cause,
      outcome: 'failed',
    }),
  ];
  const report = { action: 'deploy', platform: 'shop', run: 'r1', exitStatus: 2, counts: {} };
  const at = (columns: number | undefined) =>
    renderReport({ ...report, nodes, held: [], warnings: [] } as never, { look: { columns } });
  expect(
    Math.max(
      ...at(80)
        .split('\n')
        .map((line) => line.length),
    ),
  ).toBeLessThanOrEqual(80);
  expect(at(80)).toMatch(/^prometheus-operator-new +failed +18m31s .* 1\n/m);
  expect(at(undefined)).toMatch(/^prometheus-operator-new .* 01234567\n/m);
});

test('a rehearsal names at most eight applications on hold, and how many more there are', () => {
  const held = (count: number) => {
    const names = Array.from({ length: count }, (_, at) => `app:a${at}`);
    const report = { action: 'deploy', platform: 'shop', counts: {}, nodes: [], warnings: [] };
    const text = renderReport({ ...report, held: names } as never, { isRehearsed: true });
    return text.split('\n').find((line) => line.startsWith('On hold'));
  };
  expect(held(9)).toBe('On hold at the end: a0, a1, a2, a3, a4, a5, a6, a7, a8');
  expect(held(10)).toBe('On hold at the end: a0, a1, a2, a3, a4, a5, a6, a7, ... (2 more)');
});
