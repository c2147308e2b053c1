// The remaining time that the progress of a run shows.
import { expect, test } from 'vitest';
import { buildPlan } from '../plan/build-plan.ts';
import { compile } from '../plan/compile.ts';
import { timedBy } from '../plan/timed-plan.ts';
import type { RunEvent } from '../run/events.ts';
import { RunFold } from '../run/run-state.ts';
import { renderLines } from './lines.ts';
import { renderProgress } from './progress-text.ts';

const PLAN = buildPlan(
  compile({
    file: 'shop',
    text: `
apiVersion: tiphys.dev/v1alpha1
kind: Platform
metadata: {name: shop}
spec: {stacks: [{name: s, applications: [{name: api}, {name: web, dependsOn: [api]}]}]}
`,
  }),
  { action: 'deploy' },
);

const at = (second: number) => `2026-11-15T07:42:${String(second).padStart(2, '0')}.000Z`;
const node = { run: 'r1', node: 'app:api' };
const STARTED: RunEvent = { ...node, type: 'node.started', time: at(10), application: 'api' };

/** Ten seconds after the first application started. */
function head(events: readonly RunEvent[], seconds: Readonly<Record<string, number>> = {}) {
  const fold = new RunFold();
  for (const event of events) fold.add(event);
  const screen = { now: Date.parse(at(20)), columns: 80, rows: 24 };
  const plan = timedBy(PLAN, new Map(Object.entries(seconds)));
  return renderLines(renderProgress(plan, fold.state, screen)).split('\n')[0];
}

test('is marked as an estimate, unless all of it was measured', () => {
  expect(head([STARTED])).toMatch(/about 4m50s remaining \(estimate\)$/);
  expect(head([STARTED], { 'app:api': 20 })).toMatch(/about 2m40s remaining \(estimate\)$/);
  expect(head([STARTED], { 'app:api': 20, 'app:web': 30 })).toMatch(/about 40s remaining$/);
});

test('has the wait for the next attempt, and that attempt', () => {
  const retry = { inSeconds: 300, attempts: 3 };
  const failed: RunEvent = {
    ...{ ...node, type: 'node.attempt-failed', time: at(20), attempt: 1, message: 'no', retry },
  };
  expect(head([STARTED, failed])).toMatch(/about 10m remaining \(estimate\)$/);
});
