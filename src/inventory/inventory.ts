// What a teardown would find in the cluster: what goes, what stays and why, in the order of the plan. People approve it by
// its hash, so nothing is in the hash that changes while nobody changes anything.
import type { API_VERSION } from '../model/api-version.ts';
import type { ApplicationAddress } from '../model/platform.ts';
import type { ResourceName } from '../ports/application-view.ts';

/** `snapshot`: claims go as with `delete`, but a snapshot of each is taken before. */
export const VOLUMES = ['retain', 'delete', 'snapshot'] as const;
export type Volumes = (typeof VOLUMES)[number];

/** What the person who asks for a teardown has a say in. */
export interface Policy {
  readonly volumes: Volumes;
  /** Definitions of kinds go, too. */
  readonly crds: boolean;
  /** Namespaces that Argo CD made stay. */
  readonly keepNamespaces: boolean;
  /** Applications that parents made, but the platform file does not have, go with them. */
  readonly includeUnexpected: boolean;
}

export const CAUTIOUS: Policy = {
  ...{ volumes: 'retain', crds: false, keepNamespaces: false, includeUnexpected: false },
};

export interface Inventory {
  readonly apiVersion: typeof API_VERSION;
  readonly kind: 'Inventory';
  readonly platform: string;
  /** The plan's hash. */
  readonly plan: string;
  readonly volumes: Volumes;
  /** What exists, in the plan's order: each after all that depends on it. */
  readonly applications: readonly InventoryApplication[];
  /** Nodes whose Applications do not exist. */
  readonly gone: readonly string[];
  /** What exists and stays, since the teardown needs it, or it goes after that; absent where there is nothing. */
  readonly left?: readonly LeftApplication[];
  /** Those among them that the platform file does not have: each goes before the members of the stack that it is in. */
  readonly unexpected: readonly UnexpectedApplication[];
  /** What would make Applications again, and so is stopped before the first one goes. */
  readonly makers: readonly Maker[];
  /** Namespaces that Argo CD made for Applications (CreateNamespace=true): no Application has them. */
  readonly namespaces: readonly MadeNamespace[];
  /** Claims of which a snapshot is taken before they go. */
  readonly snapshots: readonly SnapshottedClaim[];
  /** Definitions of kinds that go at last, where they are to: Argo CD deletes none. */
  readonly definitions: readonly Definition[];
  /** Other clusters that are looked at, too; absent where there are none. */
  readonly clusters?: readonly ReachedCluster[];
  /** What a teardown does not begin with. */
  readonly refusals: readonly Finding[];
  /** What may hang or surprise. */
  readonly warnings: readonly Finding[];
  /** In flight when it was looked at. Not in the hash: they come and go. */
  readonly operations: readonly string[];
  /** Over the canonical JSON of all of this but `operations`. */
  readonly hash: string;
}

/** Absent: Argo CD's own. */
interface InCluster {
  readonly cluster?: string;
}

/** '' is Argo CD's own. */
export const inCluster = (cluster: string): InCluster => (cluster === '' ? {} : { cluster });

/** A cluster that Argo CD does not run in, and that a context of the kubeconfig reaches. */
export interface ReachedCluster {
  /** As destinations call it. */
  readonly cluster: string;
  readonly context: string;
  /** Of its Namespace kube-system: another one is another cluster, whatever the context is called. */
  readonly uid: string;
}

/** How that cluster is reached; undefined: it is Argo CD's own. */
export function reachedAs(
  { clusters = [] }: Pick<Inventory, 'clusters'>,
  cluster: string,
): ReachedCluster | undefined {
  return clusters.find((one) => one.cluster === cluster);
}

/** The cluster that has an Application's objects, '' for Argo CD's own; undefined: nothing but Argo CD looks at it. */
export const seenCluster = ({
  destination,
  cluster,
}: Pick<InventoryApplication, 'destination' | 'cluster'>): string | undefined =>
  destination === null ? '' : cluster;

export interface InventoryApplication {
  /** The plan's node. */
  readonly id: string;
  readonly name: string;
  readonly namespace: string;
  readonly project: string;
  readonly uid: string;
  /** The cluster that has its objects, as its destination calls it; null: Argo CD's own. */
  readonly destination: string | null;
  /** Where a destination is looked at: as the inventory calls that cluster, and '' if it is Argo CD's own after all. */
  readonly cluster?: string;
  readonly deleting: boolean;
  readonly deletes: readonly Deleted[];
  readonly keeps: readonly Kept[];
  /** On what is deleted, but for those of Kubernetes and of Argo CD themselves. */
  readonly finalizers: readonly ServedFinalizer[];
  /** Services with something outside of the cluster. */
  readonly loadBalancers: readonly ResourceName[];
}

export interface LeftApplication {
  /** The plan's node. */
  readonly id: string;
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly why: string;
}

/** With the reason, where it is not the plain one. */
export interface Deleted extends ResourceName {
  readonly why: string | null;
  /** Of Namespaces and claims: another one of the same name is somebody else's, and so are its volumes. */
  readonly uid?: string;
}

export interface Kept extends ResourceName {
  readonly why: string;
  /** Null: it is not known which ones there are. */
  readonly uid: string | null;
}

export interface ServedFinalizer {
  readonly resource: ResourceName;
  readonly finalizer: string;
  /** Applications of this teardown that define its kind and run something. None: nobody that this teardown removes. */
  readonly servedBy: readonly string[];
}

export interface UnexpectedApplication extends ApplicationAddress {
  /** The parent's Application. */
  readonly madeBy: string;
}

/** `why` it stays; null: it goes at last, if nothing is left in it. */
export interface MadeNamespace extends InCluster {
  readonly name: string;
  readonly uid: string;
  readonly why: string | null;
}

export interface SnapshottedClaim extends ResourceName, InCluster {
  /** The plan's node. */
  readonly node: string;
}

/** It goes if no object of its kind is left, whoever made that. */
export interface Definition extends ResourceName, InCluster {
  readonly uid: string;
  /** The plan's node. */
  readonly node: string;
  readonly defines: Pick<ResourceName, 'group' | 'kind'>;
}

export interface Maker {
  readonly kind: 'Application' | 'ApplicationSet';
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  /** What it would make again. */
  readonly makes: readonly string[];
}

export interface Finding {
  readonly code: FindingCode;
  /** The plan's node, or null. */
  readonly node: string | null;
  readonly message: string;
  readonly hint: string;
}

/** docs/teardown.md explains them; a test keeps the two alike. */
export const REFUSALS = [
  'dependent-outside',
  'application-unreadable',
  'application-unexpected',
  'application-early',
  'registration-early',
  'maker-outside',
  'resources-unknown',
  'volume-deleted',
  'snapshots-missing',
  'destination-wrong',
] as const;

export const WARNINGS = [
  'destination-remote',
  'finalizer-deadlock',
  'deletion-unconfirmed',
  'finalizer-missing',
  'namespace-deleted',
  'hooks',
  'left-alone',
  'leftovers-unknown',
  'left-for-primitives',
] as const;

type FindingCode = (typeof REFUSALS)[number] | (typeof WARNINGS)[number];
