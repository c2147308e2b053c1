// What argocd-server shows beside the Application itself, from what the last comparison saw.
import { textOf } from '../cluster/history.ts';
import type { Application } from './application.ts';
import type { Managed } from './compare.ts';

/** The Application with the health of each resource, which is not kept in the cluster. */
export function withHealth(application: Application, managed: readonly Managed[]): unknown {
  const { status } = application;
  if (!status?.resources) return application;
  const healths = new Map(managed.map((one) => [keyOf(one), one.health]));
  const resources = status.resources.map((resource) => {
    const health = healths.get(keyOf(resource as unknown as Managed));
    return health ? { ...resource, health } : resource;
  });
  return { ...application, status: { ...status, resources } };
}

export function managedResources(managed: readonly Managed[]): unknown {
  return {
    items: managed.map(({ group, kind, namespace, name, target, live }) => ({
      ...{ group, kind, namespace, name },
      targetState: target ? textOf(target) : 'null',
      liveState: live ? textOf(live) : 'null',
      normalizedLiveState: live ? textOf(live) : 'null',
      predictedLiveState: live ? textOf(live) : 'null',
    })),
  };
}

/** With the pod below each workload, which is where people look. */
export function resourceTree(managed: readonly Managed[]): unknown {
  return {
    nodes: managed.flatMap(({ group, kind, namespace, name, live, health }) => {
      if (!live) return [];
      const { uid, resourceVersion } = live.metadata;
      const node = {
        group,
        kind,
        namespace,
        name,
        uid,
        resourceVersion,
        ...(health ? { health } : {}),
      };
      if (!WITH_PODS.has(kind) || health?.status === 'Healthy') return [node];
      const pod = {
        version: 'v1',
        kind: 'Pod',
        namespace,
        name: `${name}-0`,
        uid: `${uid}-pod`,
        parentRefs: [{ group, kind, namespace, name, uid }],
        health: { status: health?.status ?? 'Progressing', message: messageOf(live) },
        info: [{ name: 'Containers', value: '0/1' }],
      };
      return [node, pod];
    }),
  };
}

const WITH_PODS = new Set(['Deployment', 'StatefulSet', 'DaemonSet', 'Job']);

function messageOf({ status }: NonNullable<Managed['live']>): string {
  const conditions = (status?.conditions as readonly { message?: string }[] | undefined) ?? [];
  return conditions.find(({ message }) => message)?.message ?? '';
}

function keyOf({
  group,
  kind,
  namespace,
  name,
}: Pick<Managed, 'kind' | 'name'> & Partial<Managed>): string {
  return `${group ?? ''}/${kind} ${namespace ?? ''}/${name}`;
}
