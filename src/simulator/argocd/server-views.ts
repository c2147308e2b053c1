// What argocd-server shows beside the Application itself, from what the last comparison saw.
import { textOf } from '../cluster/object-history.ts';
import type { Json, KubeObject } from '../cluster/object-store.ts';
import { merged } from '../cluster/patch.ts';
import type { Application } from './application.ts';
import type { Managed } from './compare.ts';
import { hideSecrets } from './hidden-secrets.ts';
import { normalized } from './ignore-differences.ts';

/** The Application with the health of each resource, which is not kept in the cluster. */
export function withHealth(application: Application, managed: readonly Managed[]): unknown {
  const { status } = application;
  if (!status?.resources) return application;
  const healths = new Map(managed.map((one) => [keyOf({ ...one }), one.health]));
  const resources = status.resources.map((resource) => {
    const health = healths.get(keyOf(resource));
    return health ? { ...resource, health } : resource;
  });
  return { ...application, status: { ...status, resources } };
}

export function managedResources(application: Application, managed: readonly Managed[]): unknown {
  return {
    items: managed.map((one) => {
      const { group, kind, namespace, name, target, live } = one;
      const [targetState, liveState, normalizedLiveState, predictedLiveState] = hideSecrets([
        ...[target, live, live && normalized(application, live), predictedOf(application, one)],
      ]).map((state) => (state ? textOf(state) : 'null'));
      const states = { targetState, liveState, normalizedLiveState, predictedLiveState };
      return { group, kind, namespace, name, ...states };
    }),
  };
}

/** As a sync would leave it. */
function predictedOf(application: Application, { target, live, status }: Managed) {
  const [before, after] = [live, target].map((one) => one && normalized(application, one));
  if (!before || !after) return after;
  return status === 'Synced' ? before : (merged(before, after) as KubeObject);
}

/** With what a workload makes below it: that is where people look. */
export function resourceTree(managed: readonly Managed[]): unknown {
  return { nodes: managed.flatMap(nodesOf) };
}

function nodesOf({ group, kind, namespace, name, live, health }: Managed): readonly object[] {
  if (!live) return [];
  const { uid, resourceVersion } = live.metadata;
  const own = { group, kind, namespace, name, uid };
  const node = { ...own, resourceVersion, ...(health ? { health } : {}) };
  if (!WITH_PODS.has(kind)) return [node];
  const setNames = { namespace, name: `${name}-1`, uid: `${uid}-set` };
  const set = { group: 'apps', kind: 'ReplicaSet', ...setNames };
  const isDeployment = kind === 'Deployment';
  const status = health?.status === 'Suspended' ? 'Healthy' : (health?.status ?? 'Progressing');
  const pod = {
    version: 'v1',
    kind: 'Pod',
    namespace,
    name: `${name}-0`,
    uid: `${uid}-pod`,
    parentRefs: [isDeployment ? set : own],
    health: status === 'Healthy' ? { status } : { status, message: messageOf(live, status) },
    info: [{ name: 'Containers', value: status === 'Healthy' ? '1/1' : '0/1' }],
  };
  return isDeployment ? [node, { ...set, version: 'v1', parentRefs: [own] }, pod] : [node, pod];
}

const WITH_PODS = new Set(['Deployment', 'StatefulSet', 'DaemonSet', 'Job']);
const FAILED = 'back-off 10s restarting failed container';

/** What a fault says, else what a pod says that ends again and again. */
function messageOf({ status }: NonNullable<Managed['live']>, health: string): string {
  const conditions = (status?.conditions as readonly { message?: string }[] | undefined) ?? [];
  const said = conditions.find(({ message }) => message)?.message ?? '';
  return health === 'Degraded' && (said === '' || /timed out/.test(said)) ? FAILED : said;
}

const keyOf = ({ group = '', kind, namespace = '', name }: Json): string =>
  `${group}/${kind} ${namespace}/${name}`;
