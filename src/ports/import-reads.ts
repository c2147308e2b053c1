// What an import reads of a cluster beyond what runs look at: Applications whole, what they deploy, who made which kind.
import type { ApplicationAddress } from '../model/platform.ts';
import type { ReadObject } from './read-object.ts';

/** A CustomResourceDefinition, as far as it tells who made it. */
export interface Definition {
  /** PLURAL.GROUP. */
  readonly name: string;
  readonly group: string;
  readonly kind: string;
  readonly owners: readonly {
    readonly group: string;
    readonly kind: string;
    readonly name: string;
  }[];
  readonly labels: ReadonlyMap<string, string>;
}

export interface ImportReads {
  /** As Kubernetes has them, in one list for each namespace. */
  readonly applications: (namespaces: readonly string[]) => Promise<readonly unknown[]>;
  /** `unknown`: they may not be read. */
  readonly definitions: () => Promise<readonly Definition[] | 'unknown'>;
  /** What an Application deploys, as Argo CD compared it last; of hooks those that are in the cluster. */
  readonly objects: (address: ApplicationAddress) => Promise<readonly ReadObject[]>;
  /** What its source renders now, hooks included. Costly for Argo CD. */
  readonly manifests: (address: ApplicationAddress) => Promise<readonly ReadObject[]>;
}
