import { expect, test } from 'vitest';
import { buildPlan } from './build-plan.ts';
import { compile } from './compile.ts';
import { timedBy } from './timed-plan.ts';

const PLAN = buildPlan(
  compile({
    file: 'shop',
    text: `
apiVersion: tiphys.dev/v1alpha1
kind: Platform
metadata: {name: shop}
spec:
  root: shop-root
  stacks:
    - name: s
      application: s-stack
      applications: [{name: db}, {name: cache}, {name: api, dependsOn: [db, cache]}]
`,
  }),
  { action: 'deploy' },
);

test('without a measurement, everything is as in the plan of the file', () => {
  const { measured, ...plan } = timedBy(PLAN, new Map());
  expect(plan).toEqual(PLAN);
  expect(measured.size).toBe(0);
});

test('measured durations decide the critical path and the whole duration', () => {
  const timed = timedBy(
    PLAN,
    new Map([
      ['app:cache', 400],
      ['app:db', 5],
      ['app:gone', 9],
    ]),
  );
  expect(PLAN.criticalPath).toContain('app:cache');
  expect(timedBy(PLAN, new Map([['app:db', 400]])).criticalPath).toContain('app:db');
  expect(timed.criticalPath).not.toContain('app:db');
  expect(timed.expectedDuration).toBe(PLAN.expectedDuration + 400 - 150);
  expect([...timed.measured].sort()).toEqual(['app:cache', 'app:db']);
});

test('the hash is that of the plan of the file', () => {
  expect(timedBy(PLAN, new Map([['app:db', 5]])).hash).toBe(PLAN.hash);
});
