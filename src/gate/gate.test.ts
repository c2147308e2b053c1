// Every known way to be fooled by Healthy. Each row must be shut by the condition it names, and must open when that
// condition is taken out: so every condition is needed, and none is there twice.
import { describe, expect, test } from 'vitest';
import {
  application,
  evidence,
  gateInput,
  operationState,
  resource,
} from '../../test/fakes/application.ts';
import type { LiveResource } from '../ports/application-view.ts';
import { CONDITIONS, type GateInput } from './conditions.ts';
import { judge } from './gate.ts';

const live = (changes: Partial<LiveResource>): GateInput['live'] => [
  {
    group: 'ceph.rook.io',
    kind: 'CephCluster',
    namespace: 'rook',
    name: 'rook',
    present: true,
    generation: 2,
    observedGeneration: 2,
    unfinishedJob: false,
    ...changes,
  },
];

const running = { infos: new Map(), automated: false, username: 'somebody' };

const asking = (decision: GateInput['decision']): GateInput =>
  gateInput({}, { settings: { ...gateInput().settings, approval: 'Unseal Vault' }, decision });

const PROBED = { succeeded: true, target: 'a:1', message: 'connected', at: 't', tries: 1 };
const probing = (probe: GateInput['probe']): GateInput => {
  const settings = { ...gateInput().settings, probe: { tcp: 'a:1', timeout: 10 } };
  return gateInput({}, { settings, probe });
};

/** The letters are those of the list of ways to be fooled; the rest are older friends. */
const FOOLED: readonly (readonly [string, string, GateInput])[] = [
  ['a: health from before the operation', 'compared-afterwards', gateInput({ reconciledAt: 99 })],
  ['b: the same second', 'compared-afterwards', gateInput({ reconciledAt: 100 })],
  ['never compared', 'compared-afterwards', gateInput({ reconciledAt: undefined })],
  [
    'a hook failed after everything was applied',
    'right-operation',
    gateInput({ operationState: operationState({ phase: 'Failed' }) }, { operation: undefined }),
  ],
  [
    'c: the watch cache lags behind the apply',
    'synced',
    gateInput({ sync: { status: 'OutOfSync', revisions: ['rev-1'] } }),
  ],
  [
    'd: the controller has not looked at the new generation',
    'generations-observed',
    gateInput({}, { live: live({ observedGeneration: 1 }) }),
  ],
  [
    'e: a resource is missing, seen by Argo CD',
    'synced',
    gateInput({ resources: [resource({ status: 'OutOfSync', health: undefined })] }),
  ],
  [
    'e: a resource is missing, seen live',
    'all-present',
    gateInput({}, { live: live({ present: false }) }),
  ],
  [
    'f: manifests could not be rendered',
    'synced',
    gateInput({ sync: { status: 'Unknown', revisions: ['rev-1'] } }),
  ],
  [
    'f: an error of the comparison',
    'no-error',
    gateInput({ conditions: [{ type: 'ComparisonError', message: 'no such path', since: 90 }] }),
  ],
  [
    'h: a refresh that was asked for is still to come',
    'no-refresh-pending',
    gateInput({ refreshPending: true }),
  ],
  [
    'i: the status did not fit into the object',
    'no-error',
    gateInput({
      conditions: [{ type: 'UnknownError', message: 'request is too large', since: 90 }],
    }),
  ],
  [
    'k: the spec changed and was not compared',
    'compared-to-the-spec',
    gateInput({ wanted: 'spec-2' }),
  ],
  [
    'n: a Job that was resumed and runs',
    'jobs-finished',
    gateInput({}, { live: live({ unfinishedJob: true }) }),
  ],
  [
    'o: pruning was skipped',
    'synced',
    gateInput({
      sync: { status: 'OutOfSync', revisions: ['rev-1'] },
      resources: [resource(), resource({ status: 'OutOfSync', requiresPruning: true })],
    }),
  ],
  [
    'q: another operation ran after the one of this run',
    'right-operation',
    gateInput({ operationState: operationState({ infos: new Map() }) }),
  ],
  [
    'q: one that ended later',
    'right-operation',
    gateInput({ operationState: operationState({ finishedAt: 100.5 }) }),
  ],
  [
    'the record of the operation is gone',
    'right-operation',
    gateInput({ operationState: undefined }),
  ],
  [
    'the operation failed, and health is from before',
    'right-operation',
    gateInput({ operationState: operationState({ phase: 'Failed' }) }),
  ],
  ['an operation waits to be taken up', 'no-operation-running', gateInput({ operation: running })],
  [
    'Running with an end: it waits for a retry',
    'no-operation-running',
    gateInput({ operationState: operationState({ phase: 'Running' }) }, { operation: undefined }),
  ],
  [
    'Terminating without a request: its end was never written',
    'no-operation-running',
    gateInput(
      { operationState: operationState({ phase: 'Terminating', finishedAt: undefined }) },
      { operation: undefined },
    ),
  ],
  [
    'Git moved on, and changed it',
    'synced',
    gateInput({ sync: { status: 'OutOfSync', revisions: ['rev-2'] } }),
  ],
  ['deleted and made anew', 'same-object', gateInput({ uid: 'uid-2' })],
  ['being deleted', 'not-deleting', gateInput({ deleting: true })],
  ['its source is hydrated', 'not-hydrated', gateInput({ hydrated: true })],
  ['Argo CD was told to skip it', 'reconciled-at-all', gateInput({ skipped: true })],
  ['no resources at all', 'not-empty', gateInput({ resources: [] })],
  [
    'Progressing',
    'healthy',
    gateInput({ health: { status: 'Progressing', message: '', lastTransition: 't1' } }),
  ],
  [
    'Suspended',
    'healthy',
    gateInput({ health: { status: 'Suspended', message: '', lastTransition: 't1' } }),
  ],
  [
    'it flapped during the dwell',
    'still-so',
    gateInput(
      { reconciledAt: 120, health: { status: 'Healthy', message: '', lastTransition: 't3' } },
      { before: evidence() },
    ),
  ],
  ['nobody has approved it', 'approved', asking(undefined)],
  [
    'somebody denied it',
    'not-denied',
    asking({ approved: false, by: 'jane', at: '2026-01-02T03:04:05Z' }),
  ],
  ['its probe failed', 'probed', probing({ ...PROBED, succeeded: false })],
  ['it was not probed', 'probed', probing(undefined)],
  ['no second comparison after the dwell', 'compared-again', gateInput({}, { before: evidence() })],
];

describe.each(FOOLED)('%s', (_, condition, input) => {
  test(`is shut by ${condition}`, () => {
    const verdict = judge(input);
    expect(verdict.open ? 'open' : verdict.unmet.condition).toBe(condition);
  });

  test('would open without it', () => {
    const others = CONDITIONS.filter(({ name }) => name !== condition);
    expect(judge(input, others).open).toBe(true);
  });
});

test('every condition has a row', () => {
  const rows = new Set(FOOLED.map(([, condition]) => condition));
  expect(CONDITIONS.map(({ name }) => name).filter((name) => !rows.has(name))).toEqual([]);
});

test('opens with its evidence', () => {
  expect(
    judge(
      gateInput({
        resources: [resource(), resource({ group: 'x.io', kind: 'X', health: undefined })],
      }),
    ),
  ).toMatchInlineSnapshot(`
    {
      "evidence": {
        "finishedAt": 100,
        "healthSince": "t1",
        "ignored": [],
        "operation": "run/app:api/1",
        "reconciledAt": 101,
        "resourceVersion": "10",
        "resources": 2,
        "revisions": [
          "rev-1",
        ],
        "uid": "uid-1",
        "withoutHealth": [
          "x.io/X",
        ],
      },
      "open": true,
    }
  `);
});

test.each([
  ['from before the operation', 99, 'open'],
  ['of the second in which it ended', 100, 'open'],
  ['from after it', 101, 'no-error'],
  ['that does not say when', undefined, 'no-error'],
])('an automated try that failed, %s', (_, since, expected) => {
  const message = 'Failed last sync attempt';
  const verdict = judge(gateInput({ conditions: [{ type: 'SyncError', message, since }] }));
  expect(verdict.open ? 'open' : verdict.unmet.condition).toBe(expected);
});

test.each(['Failed', 'Error'] as const)(
  'an automated try that failed, before an operation that %s: that one keeps it shut',
  (phase) => {
    const conditions = [{ type: 'SyncError', message: 'Failed last sync attempt', since: 99 }];
    const state = { conditions, operationState: operationState({ phase }) };
    const inputs = [gateInput(state), gateInput(state, { operation: undefined })];
    expect(inputs.map((input) => judge(input).open)).toEqual([false, false]);
  },
);

describe('what a file may allow', () => {
  const settings = gateInput().settings;

  test('Suspended', () => {
    const suspended = { health: { status: 'Suspended', message: '', lastTransition: 't1' } };
    expect(
      judge(gateInput(suspended, { settings: { ...settings, allowSuspended: true } })).open,
    ).toBe(true);
  });

  test('no resources', () => {
    expect(
      judge(gateInput({ resources: [] }, { settings: { ...settings, allowEmpty: true } })).open,
    ).toBe(true);
  });

  test('one resource out of sync, and no other', () => {
    const tolerant = { settings: { ...settings, ignoreOutOfSync: ['CronJob/nightly'] } };
    const sync = { status: 'OutOfSync', revisions: ['rev-1'] };
    const nightly = resource({ kind: 'CronJob', name: 'nightly', status: 'OutOfSync' });
    expect(judge(gateInput({ sync, resources: [nightly] }, tolerant)).open).toBe(true);
    const other = resource({ status: 'OutOfSync' });
    expect(judge(gateInput({ sync, resources: [nightly, other] }, tolerant)).open).toBe(false);
    expect(judge(gateInput({ sync, resources: [resource()] }, tolerant)).open).toBe(false);
    const unknown = { ...nightly, status: 'Unknown' };
    expect(judge(gateInput({ sync, resources: [unknown] }, tolerant)).open).toBe(false);
    const lost = { status: 'Unknown', revisions: ['rev-1'] };
    expect(judge(gateInput({ sync: lost, resources: [nightly] }, tolerant)).open).toBe(false);
  });
});

test('the words name the resource that is to blame', () => {
  const pod = resource({ health: { status: 'Degraded', message: 'Back-off pulling image' } });
  const input = gateInput({
    resources: [resource({ name: 'other' }), pod],
    health: { status: 'Degraded', message: '', lastTransition: 't1' },
  });
  expect(judge(input)).toEqual({
    open: false,
    unmet: {
      condition: 'healthy',
      message: 'health is Degraded: Back-off pulling image',
      resource: 'apps/Deployment web/api',
    },
  });
});

test('the fake is what it says', () => expect(application().health.status).toBe('Healthy'));
