// The Applications of stacks and of the platform are two nodes of a plan. People know them by the name of the stack or of the
// Application: no text has the ids of these nodes.
import { expect, test } from 'vitest';
import { buildPlan } from '../plan/build-plan.ts';
import { compile } from '../plan/compile.ts';
import { shortName } from '../plan/platform-graph.ts';
import { reportOf } from '../report/run-report.ts';
import type { Outcome, RunEvent } from '../run/events.ts';
import { RunFold } from '../run/run-state.ts';
import { renderEvent } from './event-text.ts';
import { renderDot, renderMermaid } from './plan-graph.ts';
import { renderPlanText } from './plan-text.ts';
import { renderReport } from './report-text.ts';

const COMPILED = compile({
  file: 'shop',
  text: `
apiVersion: tiphys.dev/v1alpha1
kind: Platform
metadata: {name: shop}
spec:
  root: shop-root
  stacks:
    - {name: base, applications: [{name: dns}]}
    - {name: data, application: data-stack, dependsOn: [stack:base], applications: [{name: db}]}
`,
});
const PLAN = buildPlan(COMPILED, { action: 'deploy' });
const WIDE = { all: true, elsewhere: { environment: undefined, absent: [] } };
const INTERNAL = /\b(?:open|close):/;

test.each([
  ['app:dns', 'dns'],
  ['open:stack:data', 'stack:data'],
  ['close:stack:data', 'stack:data'],
  ['open:platform', 'platform'],
  ['close:platform', 'platform'],
  // Beside the platform itself, and beside what looks like a prefix.
  ['app:platform', 'app:platform'],
  ['app:open', 'open'],
])('%s is shown as %s', (id, name) => {
  expect(shortName(id)).toBe(name);
});

test('the wide plan shows each Application with what is done to it', () => {
  const text = renderPlanText(PLAN, WIDE);
  expect(text).not.toMatch(INTERNAL);
  expect(text.split('\n').slice(2, 9)).toEqual([
    'LAYER  APPLICATION  STEP          STACK  WAITS FOR               ESTIMATE  SYNC / HEALTH TIMEOUT',
    '0      shop-root    sync          -      -                       5s        5m / 5m',
    '0      dns          sync, health  base   -                       2m30s     5m / 5m',
    '1      data-stack   sync          data   stack:base              5s        5m / 5m',
    '1      db           sync, health  data   stack:base              2m30s     5m / 5m',
    '2      data-stack   health        data   db                      10s       5m / 5m',
    '2      shop-root    health        -      stack:base, stack:data  10s       5m / 5m',
  ]);
});

test('the wide plan of a teardown deletes each Application once', () => {
  const text = renderPlanText(buildPlan(COMPILED, { action: 'teardown' }), WIDE);
  expect(text).not.toMatch(INTERNAL);
  expect(text.match(/^\d+ +\S+ +delete /gm)?.map((row) => row.split(/ +/)[1])).toEqual([
    ...['db', 'data-stack', 'dns', 'shop-root'],
  ]);
});

test('pictures name the Application, and nothing where there is none', () => {
  const labels = [...renderDot(PLAN).matchAll(/label="(.*?)", shape=(\w+)/g)];
  expect(labels.map(([, label, shape]) => `${shape} ${label}`)).toEqual([
    ...['ellipse shop-root: sync\\n5s', 'ellipse shop-root: health\\n10s'],
    ...['point ', 'box dns\\n2m30s', 'point '],
    ...['ellipse data-stack: sync\\n5s', 'box db\\n2m30s', 'ellipse data-stack: health\\n10s'],
  ]);
  const mermaid = renderMermaid(PLAN);
  expect(mermaid).toContain('(["data-stack: health<br/>10s"])');
  expect(mermaid).toContain('((" "))');
  expect(mermaid).not.toMatch(/\b(?:open|close)\b/);
});

const at = { time: '2026-11-15T07:42:00.000Z', run: 'r1' } as const;
const message = 'the operation ended as Failed';

function finished(node: string, outcome: Outcome, cause?: string): RunEvent {
  return {
    ...{ type: 'node.finished', ...at, node, outcome, attempts: 1, operations: [], revisions: [] },
    ...{ repositories: [], durations: { wait: 0, sync: 0, health: 0, dwell: 0 } },
    ...(cause === undefined ? {} : { cause: { node: cause, message } }),
  } as RunEvent;
}

test('a stack is Healthy when its close is, and not when its members may start', () => {
  const evidence = { revisions: ['1'] } as never;
  const events: RunEvent[] = [
    { type: 'gate.opened', ...at, node: 'open:stack:data', evidence },
    finished('open:stack:data', 'healthy'),
    { type: 'gate.opened', ...at, node: 'close:stack:data', evidence },
    finished('close:stack:data', 'healthy'),
    finished('close:platform', 'skipped', 'open:stack:data'),
    finished('open:platform', 'removed'),
  ];
  expect(events.flatMap((event) => renderEvent(event) ?? [])).toEqual([
    '07:42:00 stack:data: healthy',
    `07:42:00 platform: skipped: stack:data failed: ${message}`,
    '07:42:00 platform: deleted',
  ]);
});

test('a gate that somebody approved says who did', () => {
  const approval = { approved: true, by: 'jane', at: '2026-11-15T07:41:00Z' };
  const evidence = { revisions: ['1'], approval } as never;
  const event: RunEvent = { type: 'gate.opened', ...at, node: 'app:vault', evidence };
  expect(renderEvent(event)).toBe('07:42:00 vault: approved by jane');
});

test('a report has one row for a parent: what it came to', () => {
  const fold = new RunFold();
  const failed = 'open:stack:data';
  for (const event of [
    finished('open:platform', 'healthy'),
    finished('app:dns', 'healthy'),
    finished(failed, 'failed', failed),
    finished('app:db', 'skipped', failed),
    finished('close:stack:data', 'skipped', failed),
    finished('close:platform', 'skipped', failed),
  ])
    fold.add(event);
  const text = renderReport(reportOf(PLAN, fold.state));
  expect(text).not.toMatch(INTERNAL);
  expect(text.match(/^\S+ +(?:healthy|failed|skipped) /gm)?.map((row) => row.trim())).toEqual([
    'dns         healthy',
    'stack:data  failed',
  ]);
  expect(text).toContain(`stack:data failed: ${message}\n  1 skipped: db\n`);
  expect(text).toContain('`tiphys explain stack:data`');
});
