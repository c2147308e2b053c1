// Applications, as Argo CD's own API reads and changes them. Reads are retried inside, within the deadline of the caller; writes
// are sent once.
import type { ApplicationAddress } from '../model/platform.ts';
import type {
  ApplicationView,
  Culprit,
  LiveResource,
  ManagedObject,
  UnreadableApplication,
} from './application-view.ts';
import type { PredictedObject } from './predicted-object.ts';
import type { LongRequest, WriteResult } from './write-result.ts';

export interface SyncRequest {
  /** Becomes the operation's `info`: how a run knows its own operation again. */
  readonly infos: ReadonlyMap<string, string>;
  readonly prune: boolean;
  readonly syncOptions: readonly string[];
}

/** A window of an AppProject that applies to an application, as Argo CD judges it. */
export interface SyncWindow {
  readonly kind: 'allow' | 'deny';
  readonly schedule: string;
  readonly duration: string;
  readonly manualSync: boolean;
  readonly active: boolean;
}

export interface ApplicationReads {
  /** Straight from the cluster, never from a cache. Undefined if there is none. */
  readonly get: (address: ApplicationAddress) => Promise<ApplicationView | undefined>;
  /** Every one of these namespaces, straight from Kubernetes. `unreadable` is called for each that is left out. */
  readonly list: (
    namespaces: readonly string[],
    unreadable?: (application: UnreadableApplication) => void,
  ) => Promise<readonly ApplicationView[]>;
  /**
   * Asks Argo CD to compare with Git again, and waits until it did. Not a write. Returns the Application as it was then;
   * undefined if there is none, or if it took too long.
   */
  readonly refresh: (address: ApplicationAddress) => Promise<ApplicationView | undefined>;
  readonly liveResources: (address: ApplicationAddress) => Promise<readonly LiveResource[]>;
  /** What it has in the cluster, as Argo CD saw it last. */
  readonly managedObjects: (address: ApplicationAddress) => Promise<readonly ManagedObject[]>;
  /** What a sync would make of its objects, by the last comparison. Hooks are left out. */
  readonly predictedObjects: (address: ApplicationAddress) => Promise<readonly PredictedObject[]>;
  /** What is to blame where an Application is not Healthy, down to the pod. Undefined if nothing is. */
  readonly culprit: (address: ApplicationAddress) => Promise<Culprit | undefined>;
  readonly syncWindows: (address: ApplicationAddress) => Promise<readonly SyncWindow[]>;
}

export interface Applications extends ApplicationReads {
  /** Argo CD resolves revisions before it answers, which can take long. */
  readonly requestSync: (
    address: ApplicationAddress,
    request: SyncRequest,
    long?: LongRequest,
  ) => Promise<WriteResult>;
  readonly terminate: (address: ApplicationAddress) => Promise<WriteResult>;
  /** With all its resources, foreground. Answered at once; it is gone when reading says so. */
  readonly remove: (address: ApplicationAddress) => Promise<WriteResult>;
}
