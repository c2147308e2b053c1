import { expect, test } from 'vitest';
import { buildPlan } from '../plan/build-plan.ts';
import { compile } from '../plan/compile.ts';
import type { Plan } from '../plan/plan.ts';
import { expectedRunTime, runTimeWarning } from './run-time.ts';

function planOf(minutes: readonly number[], action: Plan['action'] = 'deploy'): Plan {
  const applications = minutes.map((of, at) => ({ name: `a${at}`, expectedDuration: `${of}m` }));
  const platform = {
    ...{ apiVersion: 'tiphys.dev/v1alpha1', kind: 'Platform', metadata: { name: 'p' } },
    spec: { stacks: [{ name: 's', applications }] },
  };
  return buildPlan(compile({ file: 'p.yaml', text: JSON.stringify(platform) }), { action });
}

const warningOf = (expected: number, runTimeout: number) =>
  runTimeWarning({ action: 'deploy', runTimeout, nodes: [] }, expected);

test('time that is just enough is no reason to warn, one second more is', () => {
  expect(warningOf(7200, 7200)).toBeUndefined();
  expect(warningOf(7201, 7200)).toBe(
    'the deployment is expected to take about 2h1s, but timeouts.run is 2h: set timeouts.run to 3h10m',
  );
});

test('half as much again, up to the next ten minutes', () => {
  expect(warningOf(7200, 3600)).toMatch(/ set timeouts.run to 3h$/);
  expect(warningOf(11_400, 7200)).toMatch(/ set timeouts.run to 4h50m$/);
});

test('no more than the file takes, and beyond it the platform is too large', () => {
  const hour = 3600;
  expect(warningOf(150 * hour, hour)).toMatch(/ set timeouts.run to 168h$/);
  expect(warningOf(168 * hour, hour)).toMatch(/ split the platform, because the maximum is 168h$/);
});

test('how long people take is not known, and the warning says so', () => {
  const plan = planOf([40, 30]);
  const [first, ...others] = plan.nodes;
  if (!first) throw new Error('no node');
  const asking = { ...first, gate: { ...first.gate, approval: 'Well?' } };
  const nodes = [...others, asking];
  expect(runTimeWarning({ ...plan, nodes, runTimeout: 60 }, 120)).toBe(
    'the deployment is expected to take about 2m, not counting approvals, but timeouts.run is 1m: set timeouts.run to 10m',
  );
});

test('the option is named where it was given', () => {
  const run = { action: 'deploy', runTimeout: 60, nodes: [] } as const;
  expect(runTimeWarning(run, 120, '--timeout')).toMatch(/ --timeout is 1m: set --timeout to 10m$/);
});

test('nothing is said of a teardown', () => {
  expect(runTimeWarning(planOf([1], 'teardown'), 999_999)).toBeUndefined();
});

test('what cannot run at the same time takes its time one after the other', () => {
  const plan = planOf([40, 30, 20]);
  expect(expectedRunTime(plan, 3)).toBe(40 * 60);
  expect(expectedRunTime(plan, 2)).toBe(50 * 60);
  expect(expectedRunTime(plan, 1)).toBe(90 * 60);
});

test('the times of a profile are taken instead of those of the plan', () => {
  const plan = planOf([40, 30]);
  expect(expectedRunTime(plan, 2, new Map([['app:a1', 6000]]))).toBe(6000);
});

test('a large plan is added up: the longest chain, or all work on all slots', () => {
  const plan = planOf(Array.from({ length: 600 }, (_, at) => (at === 0 ? 600 : 1)));
  expect(expectedRunTime(plan, 1)).toBe((600 + 599) * 60);
  expect(expectedRunTime(plan, 20)).toBe(600 * 60);
});
