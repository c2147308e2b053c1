// Applications as tests need them: Healthy and Synced after an operation of ours, but for what a test changes.

import type { AwaitedOperation, GateInput } from '../../src/gate/conditions.ts';
import type { Evidence } from '../../src/gate/evidence.ts';
import { judge } from '../../src/gate/gate.ts';
import type {
  ApplicationView,
  LiveResource,
  ManagedObject,
  OperationState,
  ResourceView,
} from '../../src/ports/application-view.ts';

const OPERATION: AwaitedOperation = {
  id: 'run/app:api/1',
  finishedAt: 100,
  revisions: ['rev-1'],
};

export const resource = (changes: Partial<ResourceView> = {}): ResourceView => ({
  group: 'apps',
  kind: 'Deployment',
  namespace: 'web',
  name: 'api',
  status: 'Synced',
  health: { status: 'Healthy', message: '' },
  requiresPruning: false,
  ...changes,
});

/** What is in the cluster of it: all that Argo CD does not miss, with nothing to do for its controllers. */
export const liveObjects = (
  { resources }: ApplicationView,
  changes: Partial<LiveResource> = {},
): LiveResource[] =>
  resources.map(({ group, kind, namespace, name, health }) => ({
    ...{ group, kind, namespace, name, present: health?.status !== 'Missing' },
    ...{ generation: 1, observedGeneration: 1, unfinishedJob: false },
    ...changes,
  }));

/** Plain, but for what a test changes: it goes with its Application. */
export const managedObject = (
  kind: string,
  name: string,
  changes: Partial<ManagedObject> = {},
): ManagedObject => ({
  ...{ group: '', kind, namespace: 'data', name, uid: `uid-${name}`, finalizers: [] },
  deleting: false,
  ...{ tracker: undefined, owner: undefined, syncOptions: [], keptByHelm: false, wave: 0 },
  ...{
    isLoadBalancer: false,
    registersCluster: false,
    claimTemplates: [],
    deletesClaims: false,
    defines: undefined,
  },
  ...changes,
});

export const operationState = (changes: Partial<OperationState> = {}): OperationState => ({
  infos: new Map([['tiphys/op', OPERATION.id ?? '']]),
  automated: false,
  username: 'tiphys',
  phase: 'Succeeded',
  message: 'successfully synced',
  startedAt: 98,
  finishedAt: OPERATION.finishedAt,
  revisions: OPERATION.revisions,
  results: [],
  ...changes,
});

export const application = (changes: Partial<ApplicationView> = {}): ApplicationView => ({
  name: 'api',
  namespace: 'argocd',
  project: 'platform',
  uid: 'uid-1',
  resourceVersion: '10',
  createdAt: 1,
  labels: new Map(),
  deleting: false,
  skipped: false,
  refreshPending: false,
  hydrated: false,
  automated: undefined,
  syncOptions: [],
  leavesWindows: false,
  wanted: 'spec-1',
  compared: 'spec-1',
  repositories: ['repository'],
  operation: undefined,
  operationState: operationState(),
  firstDeployedAt: OPERATION.finishedAt,
  deployments: [],
  deployed: OPERATION.revisions,
  sync: { status: 'Synced', revisions: OPERATION.revisions },
  health: { status: 'Healthy', message: '', lastTransition: 't1' },
  reconciledAt: OPERATION.finishedAt + 1,
  conditions: [],
  resources: [resource()],
  hooks: [],
  applicationSet: undefined,
  trackedBy: undefined,
  finalizers: [],
  createsNamespace: undefined,
  remoteCluster: undefined,
  ...changes,
});

export const gateInput = (
  changes: Partial<ApplicationView> = {},
  input: Partial<GateInput> = {},
): GateInput => ({
  application: application(changes),
  live: [],
  decision: undefined,
  probe: undefined,
  uid: 'uid-1',
  settings: {
    dwell: 10,
    degradedGrace: 60,
    allowSuspended: false,
    allowEmpty: false,
    ignoreOutOfSync: [],
  },
  operation: OPERATION,
  laterThan: OPERATION.finishedAt,
  before: undefined,
  ...input,
});

/** Of a gate that is open. */
export function evidence(): Evidence {
  const verdict = judge(gateInput());
  if (!verdict.open) throw new Error(verdict.unmet.message);
  return verdict.evidence;
}
