// Good answers of a cluster, which are made bad.
import { readFileSync } from 'node:fs';
import { chunkOf } from '../../../src/session/record/chunk.ts';
import { packed } from '../../../src/session/record/packed.ts';

const TIME = '2026-11-18T07:00:00Z';
const recorded = ['healthy', 'hook-failed', 'not-rendered', 'job-resumed', 'repository-away'].map(
  (name) => JSON.parse(readFileSync(`test/recordings/gate/${name}.json`, 'utf8')),
);

/** As of the platform `shop`. */
export const APPLICATIONS: readonly unknown[] = recorded.map(({ application }) => ({
  ...application,
  metadata: {
    ...application.metadata,
    name: 'api',
    namespace: 'argocd',
    labels: { a: 'b' },
    annotations: { a: 'b' },
  },
  spec: {
    ...application.spec,
    project: 'default',
    syncPolicy: { automated: { prune: true }, syncOptions: ['CreateNamespace=true'] },
  },
}));

const secret = (password: string) =>
  JSON.stringify({
    ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 's', managedFields: [] } },
    data: { password },
  });

export const MANAGED: readonly unknown[] = [
  ...recorded.flatMap(({ managedResources }) => managedResources ?? []),
  {
    items: [
      {
        ...{ kind: 'Secret', namespace: 'n', name: 's', hook: false },
        ...{ liveState: secret('+'), normalizedLiveState: secret('+') },
        ...{ targetState: secret('++'), predictedLiveState: secret('++') },
      },
    ],
  },
  {
    items: [
      {
        group: 'apps',
        kind: 'StatefulSet',
        namespace: 'n',
        name: 'db',
        liveState: JSON.stringify({
          metadata: {
            uid: 'u',
            generation: 2,
            finalizers: ['a/b'],
            ownerReferences: [{ kind: 'A', name: 'b' }],
          },
          spec: { volumeClaimTemplates: [{ metadata: { name: 'data' } }] },
          status: {
            observedGeneration: 1,
            conditions: [{ type: 'Ready', observedGeneration: '2' }],
          },
        }),
      },
    ],
  },
];

export const TREE = {
  nodes: [
    { kind: 'Deployment', uid: 'd', name: 'd', health: { status: 'Progressing' } },
    {
      kind: 'Pod',
      uid: 'p',
      name: 'p',
      parentRefs: [{ uid: 'd' }],
      health: { status: 'Degraded', message: 'bad' },
      info: [{ name: 'Status Reason', value: 'ImagePullBackOff' }],
    },
  ],
};

export const PROJECT = {
  metadata: {
    ...{ name: 'default', namespace: 'argocd', resourceVersion: '7' },
    annotations: {
      'tiphys.dev/hold': 'shop/r1',
      'kubectl.kubernetes.io/last-applied-configuration': '{"spec":{"syncWindows":[]}}',
    },
    managedFields: [
      { manager: 'kubectl', operation: 'Apply', fieldsV1: { 'f:spec': { 'f:syncWindows': {} } } },
    ],
  },
  spec: {
    syncWindows: [
      {
        kind: 'deny',
        schedule: '0-59 0-23 * * *',
        duration: '8784h',
        applications: ['api'],
        manualSync: true,
      },
      { kind: 'allow', schedule: '0 8 * * *', duration: '2h', applications: ['*'] },
    ],
  },
};

export const WINDOWS = {
  assignedWindows: [
    { kind: 'deny', schedule: '0 8 * * *', duration: '2h', manualSync: false, timeZone: 'UTC' },
  ],
  activeWindows: [{ kind: 'deny', schedule: '0 8 * * *', duration: '2h', manualSync: false }],
};

export const LEASE = {
  metadata: {
    ...{ name: 'tiphys-shop', resourceVersion: '3' },
    annotations: {
      'tiphys.dev/run': 'r1',
      'tiphys.dev/plan': 'sha256:0',
      'tiphys.dev/holds': 'default',
      'tiphys.dev/ending': 'e',
    },
  },
  spec: {
    holderIdentity: 'workflow argo/w/u',
    leaseDurationSeconds: 15,
    renewTime: '2026-11-18T07:59:59.000000Z',
    leaseTransitions: 1,
  },
};

const resource = { group: 'apps', kind: 'Deployment', namespace: 'n', name: 'd' };
const unmet = {
  condition: 'healthy',
  message: 'health is Degraded',
  resource: 'apps/Deployment n/d',
};
const durations = { wait: 1, sync: 2, health: 3, dwell: 0 };
const cause = { node: 'app:api', message: 'bad', resource: 'Pod n/p' };
const ended = {
  cause,
  attempts: 2,
  operations: ['r1/app:api/1'],
  revisions: ['abc'],
  repositories: ['https://git/a'],
};
const node = { node: 'app:api' };

/** One of each type that a record has. */
export const EVENTS: readonly unknown[] = [
  {
    type: 'run.started',
    action: 'deploy',
    platform: 'shop',
    plan: 'sha256:0',
    engine: 'embedded',
    scope: [],
    nodes: 2,
    expectedDuration: 9,
    resumed: false,
    startedBy: { trigger: 'workflow', user: 'sa', argocdAccount: 'tiphys', submittedBy: 'jane' },
  },
  { type: 'run.warning', message: 'w' },
  { type: 'run.waiting', unmet },
  { type: 'hold.changed', project: 'default', held: ['api'] },
  { type: 'object.delete-requested', resource, cluster: 'c' },
  { type: 'object.removed', resource },
  { type: 'object.left', resource, why: 'w', announced: false, command: 'kubectl delete d' },
  { type: 'node.started', ...node, application: 'api' },
  {
    type: 'node.sync-requested',
    ...node,
    operation: 'r1/app:api/1',
    attempt: 2,
    application: 'api',
  },
  { type: 'node.delete-requested', ...node, uid: 'u' },
  { type: 'node.finalizers-removed', ...node, resource, finalizers: ['a/b'] },
  { type: 'node.snapshot-requested', ...node, claim: resource, name: 's' },
  { type: 'node.waiting', ...node, unmet },
  { type: 'node.attempt-failed', ...node, attempt: 1, message: 'm', resource: 'r' },
  {
    type: 'gate.opened',
    ...node,
    evidence: { uid: 'u', approval: { approved: true, by: 'jane', at: TIME } },
  },
  { type: 'gate.closed', ...node, unmet },
  {
    type: 'node.finished',
    ...node,
    outcome: 'failed',
    ...ended,
    durations,
    members: [{ application: 'x', outcome: 'failed', evidence: null, ...ended }],
  },
  {
    type: 'run.finished',
    exitStatus: 1,
    reason: 'r',
    counts: { healthy: 0, failed: 1 },
    held: ['app:api'],
  },
].map((event) => ({ time: TIME, run: 'r1', ...event }));

/** A ConfigMap with these lines, each an event as JSON, as the program writes it. */
export function recordOf(lines: readonly string[]) {
  const head = { number: 0, started: TIME, exitStatus: 1, cut: false };
  const bytes = packed(lines.map((line) => `${line}\n`).join(''));
  const { name, labels, annotations, data } = chunkOf(
    { platform: 'shop', run: 'r1', plan: 'sha256:0' },
    head,
    bytes,
  );
  const encoded = [...data].map(([key, value]) => [key, Buffer.from(value).toString('base64')]);
  return {
    metadata: {
      name,
      labels: Object.fromEntries(labels),
      annotations: Object.fromEntries(annotations),
    },
    binaryData: Object.fromEntries(encoded),
  };
}

export const WORKFLOW = {
  metadata: {
    name: 'w',
    namespace: 'argo',
    uid: 'u',
    creationTimestamp: '2026-11-18T07:00:00Z',
    labels: { 'tiphys.dev/platform': 'shop' },
    annotations: {},
  },
  status: {
    ...{ phase: 'Running', message: 'm', compressedNodes: '', offloadNodeStatusVersion: '' },
    nodes: {
      a: {
        displayName: 'begin',
        phase: 'Succeeded',
        message: '',
        outputs: { parameters: [{ name: 'run', value: 'r1' }] },
      },
      b: { displayName: 'app-api(0)', phase: 'Pending', message: 'Unschedulable: 0/3 nodes' },
    },
  },
};

export const FAILED_WORKFLOW = {
  ...WORKFLOW,
  status: {
    phase: 'Failed',
    message: 'm',
    nodes: { a: { displayName: 'begin(0)', phase: 'Failed', message: 'Error (exit code 3): no' } },
  },
};

export const TASK_SET = {
  metadata: { name: 'w', labels: {} },
  spec: {
    tasks: {
      t1: { plugin: { tiphys: { action: 'begin', started: TIME } } },
      t2: { plugin: { tiphys: { action: 'node', node: 'app:api', run: 'r1', started: TIME } } },
    },
  },
  status: { nodes: { t0: { phase: 'Succeeded' } } },
};

/** What refuses: of Kubernetes, of Argo CD, and of whatever stands before them. */
export const REFUSALS: readonly unknown[] = [
  {
    kind: 'Status',
    apiVersion: 'v1',
    status: 'Failure',
    message: 'no such thing',
    reason: 'NotFound',
    code: 404,
    details: { retryAfterSeconds: 1 },
  },
  { error: 'permission denied', code: 7, message: 'permission denied' },
  { error: 'a', code: 9, message: 'another operation is already in progress' },
];
