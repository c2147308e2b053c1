// What a teardown would find in the cluster: what is deleted, what stays and why, in plan order. People approve it by its hash, so the
// hash covers nothing that changes without a user.
import type { API_VERSION } from '../model/api-version.ts';
import type { ApplicationAddress } from '../model/platform.ts';
import type { ResourceName } from '../ports/application-view.ts';

/** `snapshot`: claims are deleted as with `delete`, but each gets a snapshot first. */
export const VOLUMES = ['retain', 'delete', 'snapshot'] as const;
export type Volumes = (typeof VOLUMES)[number];

/** The choices of the person who requests a teardown. */
export interface Policy {
  readonly volumes: Volumes;
  /** CRDs are deleted, too. */
  readonly crds: boolean;
  /** Namespaces that Argo CD created stay. */
  readonly keepNamespaces: boolean;
  /** Applications that parents created, but the platform file does not have, are deleted with them. */
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
  /** What exists, in plan order: each after all its dependents. */
  readonly applications: readonly InventoryApplication[];
  /** Nodes whose Applications do not exist. */
  readonly gone: readonly string[];
  /** What exists and stays, because the teardown needs it, or it could only be deleted after that; absent if there is nothing. */
  readonly left?: readonly LeftApplication[];
  /** Those that the platform file does not have: each is deleted before the members of its stack. */
  readonly unexpected: readonly UnexpectedApplication[];
  /** What would recreate Applications, and so is stopped before the first deletion. */
  readonly makers: readonly Maker[];
  /** Namespaces that Argo CD created for Applications (CreateNamespace=true): no Application owns them. */
  readonly namespaces: readonly MadeNamespace[];
  /** Claims that get a snapshot before they are deleted. */
  readonly snapshots: readonly SnapshottedClaim[];
  /** CRDs that are deleted last, if requested: Argo CD deletes none. */
  readonly definitions: readonly Definition[];
  /** Other clusters that are read; absent if there are none. */
  readonly clusters?: readonly ReachedCluster[];
  /** What prevents a teardown from starting. */
  readonly refusals: readonly Finding[];
  /** What may get stuck or be unexpected. */
  readonly warnings: readonly Finding[];
  /** Operations in progress when it was read. Not in the hash: they come and go. */
  readonly operations: readonly string[];
  /** Over the canonical JSON of everything except `operations`. */
  readonly hash: string;
}

/** Absent: the cluster that runs Argo CD. */
interface InCluster {
  readonly cluster?: string;
}

/** '' is the cluster that runs Argo CD. */
export const inCluster = (cluster: string): InCluster => (cluster === '' ? {} : { cluster });

/** A cluster that does not run Argo CD, and that a kubeconfig context reaches. */
export interface ReachedCluster {
  /** Its name in destinations. */
  readonly cluster: string;
  readonly context: string;
  /** The uid of its Namespace kube-system: another uid is another cluster, also in a context of the same name. */
  readonly uid: string;
}

/** How that cluster is reached; undefined: it runs Argo CD. */
export function reachedAs(
  { clusters = [] }: Pick<Inventory, 'clusters'>,
  cluster: string,
): ReachedCluster | undefined {
  return clusters.find((one) => one.cluster === cluster);
}

/** The cluster with an Application's objects, '' for the one that runs Argo CD; undefined: only Argo CD reads it. */
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
  /** The cluster with its objects, by its name in destinations; null: the one that runs Argo CD. */
  readonly destination: string | null;
  /** If a destination is read: the name of that cluster in the inventory, and '' if it turns out to run Argo CD. */
  readonly cluster?: string;
  readonly deleting: boolean;
  readonly deletes: readonly Deleted[];
  readonly keeps: readonly Kept[];
  /** On deleted objects, except those of Kubernetes and of Argo CD. */
  readonly finalizers: readonly ServedFinalizer[];
  /** Services with something outside the cluster. */
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

/** With the reason, if it is not the usual one. */
export interface Deleted extends ResourceName {
  readonly why: string | null;
  /** For Namespaces and claims: another one of the same name belongs to someone else, and so do its volumes. */
  readonly uid?: string;
}

export interface Kept extends ResourceName {
  readonly why: string;
  /** Null: unknown. */
  readonly uid: string | null;
}

export interface ServedFinalizer {
  readonly resource: ResourceName;
  readonly finalizer: string;
  /** Applications of this teardown that define its kind and run workloads. None: no application that this teardown deletes. */
  readonly servedBy: readonly string[];
}

export interface UnexpectedApplication extends ApplicationAddress {
  /** The parent's Application. */
  readonly madeBy: string;
}

/** `why` it stays; null: it is deleted last, if nothing is left in it. */
export interface MadeNamespace extends InCluster {
  readonly name: string;
  readonly uid: string;
  readonly why: string | null;
}

export interface SnapshottedClaim extends ResourceName, InCluster {
  /** The plan's node. */
  readonly node: string;
}

/** It is deleted if no object of its kind remains, of any creator. */
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
  /** What it would recreate. */
  readonly makes: readonly string[];
}

export interface Finding {
  readonly code: FindingCode;
  /** The plan's node, or null. */
  readonly node: string | null;
  readonly message: string;
  readonly hint: string;
}

/** docs/teardown.md explains them; a test compares the two. */
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
