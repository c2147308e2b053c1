// Any objects of a cluster, and what tends to be left of them: what a teardown needs to know beside the Applications.
import type { ResourceName } from './application-view.ts';
import type { WriteResult } from './write-result.ts';

/** An object that is there, as far as its going is concerned. */
export interface PresentObject {
  readonly uid: string;
  readonly finalizers: readonly string[];
  /** Since when it is being deleted; undefined: it is not. */
  readonly deletingSince: number | undefined;
}

/** One of many, with what tells whose it is. */
export interface ListedObject extends ResourceName {
  readonly uid: string;
  /** Whom its tracking id names, as Argo CD calls an Application. */
  readonly tracker: string | undefined;
  readonly owned: boolean;
  /** Since when it is being deleted; undefined: it is not. */
  readonly deletingSince: number | undefined;
}

/** Not everything can be listed: nothing is known to be empty. */
export interface Unlisted {
  readonly unlisted: string;
}

/** Any objects of the cluster, straight from Kubernetes. `unknown`: they may not be read. */
export interface ObjectReads {
  readonly get: (resource: ResourceName) => Promise<PresentObject | undefined | 'unknown'>;
  /** All of a kind, in one namespace or in all; none where the kind is not served. */
  readonly list: (
    kind: Pick<ResourceName, 'group' | 'kind'>,
    namespace?: string,
  ) => Promise<readonly ListedObject[] | 'unknown'>;
  /** Everything in a namespace, of any kind and version. */
  readonly contents: (namespace: string) => Promise<readonly ListedObject[] | Unlisted>;
}

export interface ClusterObjects extends ObjectReads {
  /** Only if it is still the one with that uid: `conflict` otherwise. What it owns goes first. */
  readonly remove: (resource: ResourceName, uid: string) => Promise<WriteResult>;
  /** Reads it, and gives the write that takes all finalizers off, only if it is still the one with that uid, and is being deleted. */
  readonly prepareFinalizerRemoval: (
    resource: ResourceName,
    uid: string,
  ) => Promise<() => Promise<WriteResult>>;
}

/** What tends to remain after a teardown. `unknown`: it may not be read. */
export interface Residue {
  /** Why a namespace that is being deleted has not gone; undefined: it is not being deleted, or there is none. */
  readonly terminating: (namespace: string) => Promise<string | undefined>;
  readonly volumes: () => Promise<readonly VolumeView[] | 'unknown'>;
  readonly webhooks: () => Promise<readonly WebhookView[] | 'unknown'>;
}

/** VolumeSnapshots. */
export interface SnapshotReads {
  readonly served: () => Promise<boolean>;
  /** Undefined: there is none of that name. */
  readonly get: (snapshot: Named) => Promise<SnapshotView | undefined>;
}

export interface Snapshots extends SnapshotReads {
  readonly create: (snapshot: Named, claim: string) => Promise<WriteResult>;
}

interface SnapshotView {
  readonly ready: boolean;
  readonly error: string | undefined;
}

export type Named = Pick<ResourceName, 'namespace' | 'name'>;

interface VolumeView {
  readonly name: string;
  /** The claim that it is, or was, bound to. */
  readonly claim: (Named & { readonly uid: string }) | undefined;
  readonly phase: string;
}

interface WebhookView extends ResourceName {
  readonly services: readonly Named[];
}
