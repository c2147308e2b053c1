import { expect, test } from 'vitest';
import { type Cause, type RunEvent, THE_RUN } from '../run/events.ts';
import { EventLines } from './event-lines.ts';
import { renderText } from './lines.ts';

const time = '2026-11-15T07:42:00.000Z';
const run = 'r1';
const none = { attempts: 0, operations: [], revisions: [], repositories: [] };
const durations = { wait: 0, sync: 0, health: 0, dwell: 0 };

const finished = (
  node: string,
  outcome: 'healthy' | 'failed' | 'skipped',
  cause?: Cause,
): RunEvent => ({
  type: 'node.finished',
  ...{ time, run, node, outcome, cause, durations, ...none },
});
const skipped = (node: string, cause: Cause) => finished(node, 'skipped', cause);
const opened = (node: string): RunEvent => ({
  type: 'gate.opened',
  time,
  run,
  node,
  evidence: null,
});
const closed = (node: string): RunEvent => ({
  type: 'gate.closed',
  ...{ time, run, node, unmet: { condition: 'healthy', message: 'it is Degraded' } },
});

function linesOf(events: readonly RunEvent[]): string[] {
  const lines = new EventLines();
  const all = [...events.flatMap((event) => lines.add(event)), ...lines.flush()];
  return all.map((line) => renderText(line).replace('07:42:00 ', ''));
}

test('a success is one line', () => {
  expect(linesOf([opened('app:db'), finished('app:db', 'healthy')])).toEqual(['db: healthy']);
});

test('the last attempt that fails is one line, with the number of attempts', () => {
  const cause = { node: 'app:db', message: 'it is Degraded' };
  const failed = (attempt: number, retry?: { inSeconds: number; attempts: number }): RunEvent => ({
    type: 'node.attempt-failed',
    ...{ time, run, attempt, ...cause, ...(retry && { retry }) },
  });
  const end: RunEvent = { ...finished('app:db', 'failed', cause), attempts: 2 } as RunEvent;
  expect(linesOf([failed(1, { inSeconds: 5, attempts: 2 }), failed(2), end])).toEqual([
    'db: attempt 1 of 2 failed: it is Degraded; next attempt in 5s',
    'db: failed after 2 attempts: it is Degraded',
  ]);
  expect(linesOf([failed(0)])).toEqual([
    'db: not healthy after an earlier sync: it is Degraded; syncing again',
  ]);
});

test('a gate that closes and opens again has a line for each', () => {
  const events = [finished('app:db', 'healthy'), closed('app:db'), opened('app:db')];
  expect(linesOf(events)).toEqual([
    'db: healthy',
    'db: no longer healthy: it is Degraded',
    'db: healthy again',
  ]);
});

test('skips are one line per cause, with stacks left out beside their applications', () => {
  const db = { node: 'app:db', message: 'it is Degraded' };
  const events = [
    finished('app:db', 'failed', db),
    ...['app:a', 'open:stack:s', 'app:b', 'app:c', 'app:d', 'close:stack:s'].map((node) =>
      skipped(node, db),
    ),
    finished('app:x', 'healthy'),
  ];
  expect(linesOf(events)).toEqual([
    'db: failed: it is Degraded',
    '4 skipped: db failed (a, b, c, ...)',
    'x: healthy',
  ]);
});

test('an interrupted run skips the rest in one line', () => {
  const stop = { node: THE_RUN, message: 'interrupted' };
  expect(linesOf(['app:a', 'app:b'].map((node) => skipped(node, stop)))).toEqual([
    '2 skipped: interrupted (a, b)',
  ]);
  expect(linesOf([skipped('close:stack:s', stop)])).toEqual(['1 skipped: interrupted (stack:s)']);
});
