// Namespaces: made by a manifest or by CreateNamespace, and needed by whatever lies in one that the application does not make.
import type { KubernetesObject } from '../material.ts';
import type { Facts, Needed, Provided, Subjects } from './fact.ts';
import { isDefinition } from './kinds.ts';
import { isKind, kindOf, nameOf, textOf, whereOf } from './object.ts';

/** They are there before anything is deployed. */
const ALWAYS = new Set(['', 'default', 'kube-system', 'kube-public', 'kube-node-lease']);
const CLUSTER_SCOPED =
  /^(?:Cluster|Namespace$|PersistentVolume$|APIService$|CustomResource|GatewayClass$|StorageClass$|IngressClass$|PriorityClass$)/;
/** Kinds of Kubernetes that always lie in a namespace. */
const NAMESPACED = new Set([
  ...[
    'ConfigMap',
    'CronJob',
    'DaemonSet',
    'Deployment',
    'HorizontalPodAutoscaler',
    'Ingress',
    'Job',
  ],
  ...[
    'NetworkPolicy',
    'PersistentVolumeClaim',
    'Pod',
    'PodDisruptionBudget',
    'Role',
    'RoleBinding',
  ],
  ...['Secret', 'Service', 'ServiceAccount', 'StatefulSet'],
]);

export function namespaceFacts(subjects: Subjects): Facts {
  const { application, objects } = subjects;
  const own = application.destination.namespace;
  const manifests = objects.filter((object) => isKind(object, '', 'Namespace')).map(nameOf);
  const provides: Provided[] = [
    ...manifests.map((key): Provided => ({ subject: 'namespace', key, rank: 'shown' })),
    ...(application.createsNamespace
      ? [{ subject: 'namespace', key: own, rank: 'assumed' } as Provided]
      : []),
  ];
  return { provides, needs: needs(subjects) };
}

function needs({ application, objects, argocdNamespace }: Subjects): Needed[] {
  const own = application.destination.namespace;
  const first = new Map<string, KubernetesObject>();
  for (const object of objects) {
    const namespace = placeOf(object, own);
    if (namespace !== undefined && !first.has(namespace)) first.set(namespace, object);
  }
  return [...first].flatMap(([namespace, object]): Needed[] => {
    if (ALWAYS.has(namespace) || namespace === argocdNamespace) return [];
    return [
      {
        evidence: 'namespace',
        wants: [{ subject: 'namespace', key: namespace }],
        strength: 'hard',
        // Put beside somebody else's things on purpose; in its own namespace it is an accident who makes it.
        confidence: namespace === own ? 'medium' : 'high',
        text: `${kindOf(object).kind} lies in namespace ${namespace}`,
        where: whereOf(object),
      },
    ];
  });
}

function placeOf(object: KubernetesObject, own: string): string | undefined {
  const { kind } = kindOf(object);
  if (isDefinition(object) || CLUSTER_SCOPED.test(kind)) return undefined;
  return textOf(object.metadata?.namespace) ?? (NAMESPACED.has(kind) ? own : undefined);
}
