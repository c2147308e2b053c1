import { expect, test } from 'vitest';
import { TiphysError } from '../../errors.ts';
import type { Plan } from '../../plan/plan.ts';
import { shownPlan } from './shown-plan.ts';

const PLAN = { action: 'deploy', platform: 'shop', nodes: [] } as unknown as Plan;
const TEARDOWN = { ...PLAN, action: 'teardown' } as const;
const screen = () => ({ columns: 80, rows: 24 });
const failing = (error: Error) => ({ store: { list: () => Promise.reject(error) } });

test('records that cannot be read leave the estimates of the file', async () => {
  const forbidden = new TiphysError([{ code: 'cluster-forbidden', message: 'No.' }]);
  expect((await shownPlan({ screen }, PLAN, failing(forbidden))).measured).toEqual(new Set());
});

test('an error of the program is not hidden', async () => {
  const look = shownPlan({ screen }, PLAN, failing(new TypeError('x')));
  await expect(look).rejects.toThrow(TypeError);
});

test('nothing is read where nothing shows an estimate', async () => {
  const unread = failing(new Error('read'));
  expect(await shownPlan({ screen: () => undefined }, PLAN, unread)).toBe(PLAN);
  expect(await shownPlan({ screen }, TEARDOWN, unread)).toBe(TEARDOWN);
});
