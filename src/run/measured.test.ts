import { expect, test } from 'vitest';
import type { Outcome, RunEvent } from './events.ts';
import { COUNTED, measured } from './measured.ts';

const NONE = { wait: 100, sync: 0, health: 0, dwell: 0 };

const finished = (node: string, times: object, outcome: Outcome = 'healthy') =>
  ({ type: 'node.finished', node, outcome, durations: { ...NONE, ...times } }) as RunEvent;

test('sync, health and dwell count, but not the wait for dependencies', () => {
  const run = [finished('app:db', { sync: 1.2, health: 7.4, dwell: 10 })];
  expect([...measured([run])]).toEqual([['app:db', 19]]);
});

test('of several deployments the median counts', () => {
  const runs = [30, 10, 400].map((health) => [finished('app:db', { health })]);
  expect(measured(runs).get('app:db')).toBe(30);
  expect(measured(runs.slice(0, 2)).get('app:db')).toBe(20);
});

test('only the newest deployments count', () => {
  const fast = Array.from({ length: COUNTED }, () => [finished('app:db', { health: 10 })]);
  const slow = Array.from({ length: 20 }, () => [finished('app:db', { health: 500 })]);
  expect(measured([...fast, ...slow]).get('app:db')).toBe(10);
});

test.each<Outcome>(['failed', 'skipped', 'unchanged', 'removed'])('%s is no measurement', (end) => {
  expect(measured([[finished('app:db', { health: 10 }, end)]])).toEqual(new Map());
});

test('a record cannot make an application take less than no time', () => {
  expect(measured([[finished('app:db', { health: -50, dwell: 3 })]]).get('app:db')).toBe(3);
});
