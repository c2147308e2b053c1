// Events in, text out.
import { expect, test } from 'vitest';
import { buildPlan } from '../plan/build-plan.ts';
import { compile } from '../plan/compile.ts';
import { reportOf } from '../report/run-report.ts';
import type { RunEvent } from '../run/events.ts';
import { RunFold } from '../run/run-state.ts';
import { renderEvent } from './event-text.ts';
import { renderLines } from './lines.ts';
import { renderProgress } from './progress-text.ts';
import { renderReport } from './report-text.ts';
import { widthOf } from './width.ts';

const PLAN = buildPlan(
  compile({
    file: 'shop',
    text: `
apiVersion: tiphys.dev/v1alpha1
kind: Platform
metadata: {name: shop}
spec:
  stacks:
    - name: s
      applications: [{name: db}, {name: api, dependsOn: [db]}, {name: web, dependsOn: [api]}]
`,
  }),
  { action: 'deploy' },
);

const at = (second: number) => `2026-11-15T07:42:${String(second).padStart(2, '0')}.000Z`;
const run = 'r1';
const nothing = {
  attempts: 1,
  operations: ['r1/app:db/1'],
  revisions: ['0123456789'],
  repositories: [],
};
const durations = { wait: 0, sync: 1.5, health: 2, dwell: 10 };

const EVENTS: RunEvent[] = [
  {
    type: 'run.started',
    time: at(0),
    run,
    action: 'deploy',
    platform: 'shop',
    plan: PLAN.hash,
    engine: 'embedded',
    scope: ['platform'],
    nodes: 7,
    expectedDuration: 450,
    resumed: true,
  },
  { type: 'hold.changed', time: at(1), run, project: 'default', held: ['api', 'db', 'web'] },
  { type: 'node.started', time: at(1), run, node: 'app:db', application: 'db' },
  {
    type: 'node.sync-requested',
    time: at(1),
    run,
    node: 'app:db',
    operation: 'r1/app:db/1',
    attempt: 1,
  },
  { type: 'gate.opened', time: at(14), run, node: 'app:db', evidence: null },
  {
    type: 'node.finished',
    time: at(14),
    run,
    node: 'app:db',
    outcome: 'healthy',
    ...nothing,
    durations,
  },
  { type: 'node.started', time: at(14), run, node: 'app:api', application: 'api' },
  {
    type: 'node.sync-requested',
    time: at(14),
    run,
    node: 'app:api',
    operation: 'r1/app:api/1',
    attempt: 1,
  },
  {
    type: 'node.waiting',
    time: at(15),
    run,
    node: 'app:api',
    unmet: {
      condition: 'healthy',
      message: 'health is Progressing',
      resource: 'apps/Deployment web/api',
    },
  },
];

const cause = {
  node: 'app:api',
  message: 'not Healthy within the timeout',
  resource: 'Pod web/api-1',
};

const END: RunEvent[] = [
  { type: 'node.attempt-failed', time: at(50), run, attempt: 1, ...cause },
  {
    type: 'node.finished',
    time: at(50),
    run,
    node: 'app:api',
    outcome: 'failed',
    cause,
    ...nothing,
    durations,
  },
  {
    type: 'node.finished',
    time: at(50),
    run,
    node: 'app:web',
    outcome: 'skipped',
    cause,
    ...nothing,
    attempts: 0,
    durations: { wait: 0, sync: 0, health: 0, dwell: 0 },
  },
  { type: 'run.warning', time: at(51), run, message: 'git was deployed at 2 revisions' },
  {
    type: 'run.finished',
    time: at(51),
    run,
    exitStatus: 2,
    counts: { healthy: 1, unchanged: 0, failed: 1, skipped: 1, removed: 0 },
    held: ['app:api', 'app:web'],
  },
];

const stateAfter = (events: readonly RunEvent[]) => {
  const fold = new RunFold();
  for (const event of events) fold.add(event);
  return fold.state;
};

test('one line for each event', () => {
  expect([...EVENTS, ...END].map(renderEvent).join('\n')).toMatchInlineSnapshot(`
    "07:42:00 run r1 resumed: deploy of "shop"
    07:42:01 on hold in project default: api, db, web

    07:42:01 db: sync requested

    07:42:14 db: healthy

    07:42:14 api: sync requested
    07:42:15 api: waiting: apps/Deployment web/api: health is Progressing
    07:42:50 api: attempt 1 failed: Pod web/api-1: not Healthy within the timeout
    07:42:50 api: failed: Pod web/api-1: not Healthy within the timeout
    07:42:50 web: skipped: api failed: Pod web/api-1: not Healthy within the timeout
    07:42:51 warning: git was deployed at 2 revisions
    07:42:51 run r1 finished"
  `);
});

test('the screen in the middle of a run', () => {
  const screen = { now: Date.parse(at(20)), columns: 80, rows: 24 };
  expect(renderLines(renderProgress(PLAN, stateAfter(EVENTS), screen))).toMatchInlineSnapshot(`
    "1 of 3 healthy, 1 in progress, about 4m54s remaining (estimate)
      api  6s  waiting 5s: apps/Deployment web/api: health is Progressing
    next: web (waits for api)
    "
  `);
});

test('a teardown has no estimate', () => {
  const screen = { now: Date.parse(at(20)), columns: 80, rows: 24 };
  const [head] = renderProgress({ ...PLAN, action: 'teardown' }, stateAfter(EVENTS), screen);
  expect(renderLines([head ?? ''])).toBe('1 of 3 deleted, 1 in progress\n');
});

const shownAt = (second: number, events: readonly RunEvent[]) =>
  renderLines(
    renderProgress(PLAN, stateAfter(events), {
      now: Date.parse(at(second)),
      columns: 80,
      rows: 24,
    }),
  ).split('\n')[1];

test('the screen counts down to the next attempt, and then says which it is', () => {
  const retry = { inSeconds: 10, attempts: 3 };
  const failed = { ...END[0], time: at(20), retry } as RunEvent;
  expect(shownAt(23, [...EVENTS, failed])).toBe(
    '  api  9s  attempt 1 of 3 failed, next attempt in 7s',
  );
  const again = { ...EVENTS[7], time: at(30), attempt: 2 } as RunEvent;
  expect(shownAt(31, [...EVENTS, failed, again])).toBe('  api  17s  attempt 2 of 3');
  const waits = { ...EVENTS[8], time: at(31) } as RunEvent;
  expect(shownAt(35, [...EVENTS, failed, again, waits])).toBe(
    '  api  21s  attempt 2 of 3, waiting 4s: apps/Deployment web/api: health is Prog…',
  );
});

test('the screen says how many more are in progress than it has room for', () => {
  const many = ['a', 'b', 'c', 'd'].map(
    (name): RunEvent => ({
      ...{ type: 'node.started', time: at(1), run, node: `app:${name}`, application: name },
    }),
  );
  const screen = { now: Date.parse(at(20)), columns: 80, rows: 7 };
  const lines = renderLines(renderProgress(PLAN, stateAfter(many), screen)).split('\n');
  expect(lines.slice(1, 4)).toEqual(['  a  19s', '  b  19s', '  and 2 more in progress']);
});

const planOf = (spec: string) =>
  buildPlan(
    compile({
      file: 'shop',
      text: `{apiVersion: tiphys.dev/v1alpha1, kind: Platform, metadata: {name: shop}, spec: ${spec}}`,
    }),
    { action: 'deploy' },
  );

test('what comes next waits through stacks without an Application', () => {
  const plan = planOf(`{stacks: [
    {name: s, applications: [{name: db}, {name: cache}]},
    {name: t, dependsOn: [stack:s], applications: [{name: web, dependsOn: [db]}]},
    {name: u, applications: [{name: api, dependsOn: [web]}]}]}`);
  const screen = { now: Date.parse(at(20)), columns: 80, rows: 24 };
  const nextAfter = (events: readonly RunEvent[]) =>
    renderLines(renderProgress(plan, stateAfter(events), screen)).match(/next: .*/)?.[0];
  expect(nextAfter([])).toBe('next: cache; db; web (waits for db, stack:s)');
  const healthy = (name: string): RunEvent => ({
    ...{ type: 'node.finished', time: at(9), run, node: `app:${name}`, outcome: 'healthy' },
    ...nothing,
    durations,
  });
  expect(nextAfter([healthy('db')])).toBe(
    'next: cache; web (waits for stack:s); api (waits for web)',
  );
  expect(nextAfter(['db', 'cache'].map(healthy))).toBe('next: web; api (waits for web)');
});

test('the screen tells what failed from what was skipped', () => {
  const [head] = renderProgress(PLAN, stateAfter([...EVENTS, ...END]), {
    ...{ now: Date.parse(at(59)), columns: 80, rows: 24 },
  });
  expect(renderLines([head ?? ''])).toContain('1 of 3 healthy, 0 in progress, 1 failed, 1 skipped');
});

test('skips are counted without stacks and the platform, as in the summary', () => {
  const plan = planOf(`{root: r, stacks: [{name: s, application: s-stack, applications: [
    {name: db}, {name: api, dependsOn: [db]}]}]}`);
  const finished = (node: string, outcome: 'failed' | 'skipped', by: string): RunEvent => ({
    ...{ type: 'node.finished', time: at(9), run, node, outcome, ...nothing, durations },
    cause: { node: by, message: 'Degraded' },
  });
  const shown = (by: string) =>
    renderReport(
      reportOf(
        plan,
        stateAfter([
          finished('app:db', 'failed', 'app:db'),
          ...['app:api', 'close:stack:s', 'close:platform'].map((id) =>
            finished(id, 'skipped', by),
          ),
        ]),
      ),
    );
  expect(shown('app:db')).toContain('1 skipped: api\n');
  expect(shown('run')).toContain('1 skipped: Degraded\n');
});

test('the screen takes no more room than there is', () => {
  const screen = { now: Date.parse(at(20)), columns: 30, rows: 5 };
  const lines = renderProgress(PLAN, stateAfter(EVENTS), screen);
  expect(lines.length).toBeLessThanOrEqual(5);
  expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(30);
});

test('the report', () => {
  const report = reportOf(PLAN, stateAfter([...EVENTS, ...END]));
  expect(renderReport(report)).toMatchInlineSnapshot(`
    "NAME  OUTCOME  WAITED  SYNC  HEALTH  DWELL  ATTEMPTS  REVISION
    db    healthy  -       1.5s  2.0s    10.0s  1         01234567
    api   failed   -       1.5s  2.0s    10.0s  1         01234567

    warning: git was deployed at 2 revisions

    On hold, so that Argo CD does not sync them out of order: api, web
      the next run takes the hold over; to lift it, run \`tiphys release\`

    deploy of "shop": 1 healthy, 1 failed, 1 skipped; run r1, exit status 2

    api failed: not Healthy within the timeout
      resource: Pod web/api-1
      1 skipped: web
      next: fix "api" in Git, then rerun the command; for details run \`tiphys explain api\`
    "
  `);
});
