import { describe, expect, test } from 'vitest';
import { ZodError } from 'zod';
import { applicationView } from './view.ts';

const METADATA = { name: 'shop', namespace: 'argocd', uid: 'u', resourceVersion: '7' };
const bare = (more: object = {}) => ({ metadata: METADATA, spec: {}, ...more });

test('an Application that nobody has looked at yet', () => {
  expect(applicationView(bare())).toEqual({
    name: 'shop',
    namespace: 'argocd',
    project: 'default',
    uid: 'u',
    resourceVersion: '7',
    deleting: false,
    skipped: false,
    refreshPending: false,
    hydrated: false,
    deployments: [],
    automated: undefined,
    syncOptions: [],
    leavesWindows: false,
    wanted: 'null',
    compared: '',
    repositories: [],
    operation: undefined,
    operationState: undefined,
    deployed: [],
    sync: { status: 'Unknown', revisions: [] },
    health: { status: 'Unknown', message: '', lastTransition: undefined },
    reconciledAt: undefined,
    conditions: [],
    resources: [],
    labels: new Map(),
    applicationSet: undefined,
    trackedBy: undefined,
    finalizers: [],
    createsNamespace: undefined,
    remoteCluster: 'an unknown cluster',
    hooks: [],
  });
});

test('null is the same as absent, and unknown fields do not matter', () => {
  const odd = bare({ status: null, operation: null, more: 1 });
  expect(applicationView(odd)).toEqual(applicationView(bare()));
});

test('syncs of the past: who, and when they began', () => {
  const at = (second: number) => `1970-01-01T00:00:${second}Z`;
  const alice = { initiatedBy: { username: 'alice' }, deployStartedAt: at(10) };
  const history = [
    { id: 4, deployedAt: at(12), ...alice },
    { id: 5, deployedAt: at(20), initiatedBy: { automated: true } },
    { id: 6, deployedAt: at(30) },
  ];
  expect(applicationView(bare({ status: { history } })).deployments).toEqual([
    { username: 'alice', automated: false, startedAt: 10 },
    { username: '', automated: true, startedAt: 20 },
    { username: '', automated: false, startedAt: 30 },
  ]);
});

test.each([
  [
    [
      { id: 0, revision: 'a' },
      { revision: 'b', revisions: [] },
    ],
    ['b'],
  ],
  [
    [{ revision: 'a' }, { revision: '', revisions: ['b', '1.2.3'] }],
    ['b', '1.2.3'],
  ],
  [[{ id: 0 }], []],
])('the last entry of the history %j is what was deployed', (history, deployed) => {
  expect(applicationView(bare({ status: { history } })).deployed).toEqual(deployed);
});

test('metadata says who made it and what was asked for', () => {
  const annotations = {
    'argocd.argoproj.io/refresh': 'normal',
    'argocd.argoproj.io/skip-reconcile': 'true',
    'argocd.argoproj.io/tracking-id': 'root:argoproj.io/Application:argocd/shop',
  };
  const ownerReferences = [{ kind: 'ApplicationSet', name: 'shops' }];
  const metadata = { ...METADATA, annotations, ownerReferences, deletionTimestamp: '2026-01-01' };
  expect(applicationView(bare({ metadata }))).toMatchObject({
    refreshPending: true,
    skipped: true,
    deleting: true,
    applicationSet: 'shops',
    trackedBy: 'root',
  });
});

test.each<[object | undefined, string | undefined]>([
  [{ server: 'https://kubernetes.default.svc' }, undefined],
  [{ server: 'https://kubernetes.default.svc/', name: '' }, undefined],
  [{ name: 'in-cluster' }, undefined],
  [{ server: 'https://prod.example:6443' }, 'https://prod.example:6443'],
  [{ server: 'https://kubernetes.default.svc.prod.example' }, expect.any(String)],
  [{ name: 'hub' }, 'hub'],
  // Argo CD takes one of them, not both.
  [{ server: 'https://kubernetes.default.svc', name: 'hub' }, expect.any(String)],
  [{ server: 'https://prod.example:6443', name: 'in-cluster' }, expect.any(String)],
  [{ namespace: 'web' }, expect.any(String)],
  [undefined, expect.any(String)],
])(
  'what is not certain to be in Argo CD’s own cluster is in another one: %o',
  (destination, is) => {
    expect(applicationView(bare({ spec: { destination } })).remoteCluster).toEqual(is);
  },
);

test('what goes and stays with it: finalizers, hooks that were left, a namespace that it makes', () => {
  const finalizers = ['resources-finalizer.argocd.argoproj.io'];
  const job = { group: 'batch', kind: 'Job', namespace: 'n', name: 'j' };
  const spec = (...syncOptions: string[]) => ({
    destination: { namespace: 'web' },
    syncPolicy: { syncOptions },
  });
  const status = {
    resources: [
      { ...job, hook: true },
      { kind: 'ConfigMap', name: 'c' },
    ],
  };
  const metadata = { ...METADATA, finalizers };
  const given = { metadata, spec: spec('CreateNamespace=true'), status };
  expect(applicationView(given)).toMatchObject({
    ...{ finalizers, createsNamespace: 'web', hooks: [job], resources: [{ name: 'c' }] },
  });
  expect(applicationView({ ...given, spec: spec() }).createsNamespace).toBeUndefined();
});

test.each([
  ['of another object', 'root:argoproj.io/Application:argocd/other', undefined],
  ['of an Application elsewhere', 'team_root:argoproj.io/Application:argocd/shop', 'root'],
  ['without a form', 'nonsense', undefined],
])('a tracking id %s', (_, id, expected) => {
  const metadata = { ...METADATA, annotations: { 'argocd.argoproj.io/tracking-id': id } };
  expect(applicationView(bare({ metadata })).trackedBy).toBe(expected);
});

test.each([
  [{ automated: {} }, { prune: false, selfHeal: false }],
  [{ automated: { prune: true, selfHeal: true } }, { prune: true, selfHeal: true }],
  [{ automated: { enabled: true } }, { prune: false, selfHeal: false }],
  [{ automated: { enabled: false, prune: true } }, undefined],
  [{ automated: null, syncOptions: ['A=true'] }, undefined],
])('syncPolicy %j', (syncPolicy, expected) => {
  expect(applicationView(bare({ spec: { syncPolicy } })).automated).toEqual(expected);
});

test('an operation and its end', () => {
  const operation = {
    info: [{ name: 'tiphys/op', value: 'r/n/1' }],
    initiatedBy: { username: 'tiphys' },
  };
  const status = {
    operationState: {
      phase: 'Succeeded',
      message: 'done',
      startedAt: '2026-11-15T06:00:00Z',
      finishedAt: '2026-11-15T06:00:05Z',
      operation,
      syncResult: {
        revision: 'abc',
        resources: [
          {
            group: 'apps',
            kind: 'Deployment',
            namespace: 'n',
            name: 'd',
            status: 'Synced',
            hookPhase: 'Running',
          },
          {
            group: 'batch',
            kind: 'Job',
            namespace: 'n',
            name: 'j',
            hookType: 'PreSync',
            hookPhase: 'Failed',
          },
        ],
      },
    },
  };
  const view = applicationView(bare({ operation, status }));
  expect(view.operation).toEqual({
    infos: new Map([['tiphys/op', 'r/n/1']]),
    automated: false,
    username: 'tiphys',
  });
  expect(view.operationState).toMatchObject({
    phase: 'Succeeded',
    startedAt: 1_794_722_400,
    finishedAt: 1_794_722_405,
    revisions: ['abc'],
    results: [
      { status: 'Synced', hook: false },
      { status: 'Failed', hook: true },
    ],
  });
});

test('revisions of several sources, and where they are from', () => {
  const sources = [
    { repoURL: 'https://git/shop', path: 'x' },
    { repoURL: 'https://charts', chart: 'db', targetRevision: '1.2.3' },
  ];
  const status = { sync: { status: 'Synced', revision: '', revisions: ['abc', '1.2.3'] } };
  const view = applicationView(bare({ spec: { sources }, status }));
  expect(view.sync.revisions).toEqual(['abc', '1.2.3']);
  expect(view.repositories).toEqual(['https://git/shop', 'https://charts/db']);
});

test('resources are without hooks', () => {
  const resources = [
    { kind: 'ConfigMap', name: 'a', version: 'v1', status: 'Synced' },
    { kind: 'Job', name: 'b', group: 'batch', hook: true },
    {
      kind: 'Pod',
      name: 'c',
      status: 'OutOfSync',
      requiresPruning: true,
      health: { status: 'Healthy' },
    },
  ];
  expect(applicationView(bare({ status: { resources } })).resources).toEqual([
    {
      group: '',
      kind: 'ConfigMap',
      namespace: '',
      name: 'a',
      status: 'Synced',
      health: undefined,
      requiresPruning: false,
    },
    {
      group: '',
      kind: 'Pod',
      namespace: '',
      name: 'c',
      status: 'OutOfSync',
      health: { status: 'Healthy', message: '' },
      requiresPruning: true,
    },
  ]);
});

describe('what is malformed is an error and never overlooked', () => {
  test.each([
    ['no object', 'text'],
    ['no uid', { metadata: { ...METADATA, uid: undefined }, spec: {} }],
    ['conditions that are no list', bare({ status: { conditions: 'ComparisonError' } })],
    ['a phase that does not exist', bare({ status: { operationState: { phase: 'Odd' } } })],
    ['a time that is none', bare({ status: { reconciledAt: 'yesterday' } })],
    ['a status of a number', bare({ status: { sync: { status: 1 } } })],
  ])('%s', (_, given) => expect(() => applicationView(given)).toThrow(ZodError));
});

test('an Application that leaves windows as it finds them', () => {
  const options = (...syncOptions: string[]) => ({ syncPolicy: { syncOptions } });
  const pointers = (jsonPointers: string[]) => ({
    ignoreDifferences: [{ group: 'argoproj.io', kind: 'AppProject', jsonPointers }],
  });
  const respects = options('RespectIgnoreDifferences=true');
  const leaves = (spec: object) => applicationView(bare({ spec })).leavesWindows;
  expect(leaves({ ...respects, ...pointers(['/spec/syncWindows']) })).toBe(true);
  expect(leaves({ ...options(), ...pointers(['/spec/syncWindows']) })).toBe(false);
  expect(leaves({ ...respects, ...pointers(['/spec/roles']) })).toBe(false);
});

test('a long message is cut, after its passwords are removed', () => {
  const message = `${'a'.repeat(8_180)} https://u:secret@h ${'b'.repeat(150_000)}`;
  const [condition] = applicationView(
    bare({ status: { conditions: [{ type: 'ComparisonError', message }] } }),
  ).conditions;
  expect(condition?.message.length).toBeLessThan(8_200);
  expect(condition?.message).not.toContain('u:s');
});
