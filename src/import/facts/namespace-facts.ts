// Namespaces: made by a manifest or by CreateNamespace, and needed by everything in one that the application does not make.
import type { KubernetesObject } from '../material.ts';
import type { Facts, Needed, Provided, Subjects } from './fact.ts';
import { isKind, kindOf, nameOf, textOf, whereOf } from './object.ts';
import { isOpenShiftNamespace } from './openshift.ts';

/** They are there before anything is deployed. */
const ALWAYS = new Set(['', 'default', 'kube-system', 'kube-public', 'kube-node-lease']);
/** Some charts put a namespace into these all the same. `Cluster` alone is a kind of several operators that lies in one. */
const CLUSTER_SCOPED =
  /^(?:Cluster[A-Z].*|.*Class|.*WebhookConfiguration|ValidatingAdmissionPolicy(?:Binding)?|APIService|CSIDriver|CSINode|CustomResourceDefinition|FlowSchema|Namespace|Node|PersistentVolume|PriorityLevelConfiguration|SecurityContextConstraints)$/;
/** Named like those, but not one of them. */
const NO_CLUSTER_SCOPED = /^(?:ClusterServiceVersion|ClusterLogForwarder|ClusterLogging)$/;
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
    if (isAlways(namespace) || namespace === argocdNamespace) return [];
    return [
      {
        evidence: 'namespace',
        wants: [{ subject: 'namespace', key: namespace }],
        strength: 'hard',
        // Put beside another application's objects on purpose; in its own namespace it is an accident who makes it.
        confidence: namespace === own ? 'medium' : 'high',
        text: `${kindOf(object).kind} needs namespace ${namespace}`,
        where: whereOf(object),
      },
    ];
  });
}

const isAlways = (namespace: string) => ALWAYS.has(namespace) || isOpenShiftNamespace(namespace);

function placeOf(object: KubernetesObject, own: string): string | undefined {
  const { kind } = kindOf(object);
  if (CLUSTER_SCOPED.test(kind) && !NO_CLUSTER_SCOPED.test(kind)) return undefined;
  return textOf(object.metadata?.namespace) ?? (NAMESPACED.has(kind) ? own : undefined);
}
