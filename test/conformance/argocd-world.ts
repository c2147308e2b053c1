// A cluster with Argo CD in which a case can make a situation and look at it. The real stack is one, the rehearsal another:
// a case cannot tell which, and what it finds must be the same.
import type { Clock } from '../../src/ports/clock.ts';
import type { Target } from '../../src/ports/target.ts';
import type { Transport } from '../../src/targets/transport.ts';

/** A Kubernetes object, as JSON. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly finalizers?: readonly string[];
    readonly [field: string]: unknown;
  };
  readonly [field: string]: unknown;
}

/** How a thing behaves once it is applied. Seconds; `never` stays Progressing, `fails` becomes Degraded. */
export type Becomes = number | 'never' | 'fails';

export interface World {
  /** Names are made unique with it, so that cases do not meet. It is also the name of the AppProject and the namespace. */
  readonly id: string;
  readonly clock: Clock;
  /** The real client. */
  readonly target: Target;
  /** The same way to the cluster, for what the client does not ask; with the credentials of a cluster administrator. */
  readonly kubernetes: Transport;
  /** Argo CD's API, with this token. */
  readonly argocd: (token: string) => Transport;
  /** `tiphys` has the rights that Tiphys asks for, `reader` may only look. */
  readonly tokens: { readonly tiphys: string; readonly reader: string };
  /** Argo CD's own namespace. */
  readonly argocdNamespace: string;
  readonly repository: string;
  /** Replaces what a folder of the repository holds. Returns the revision of the branch `main`. */
  readonly commit: (folder: string, manifests: readonly Manifest[]) => Promise<string>;
  /** Makes the repository unreachable for Argo CD, or reachable again. */
  readonly gitReachable: (reachable: boolean) => Promise<void>;
  /** A Deployment that becomes ready so many seconds after each change of its spec. `version` changes its spec. */
  readonly deployment: (name: string, becomes: Becomes, version?: string) => Manifest;
  /** A Job that succeeds after so many seconds. */
  readonly job: (name: string, becomes: Becomes) => Manifest;
  /** Names of StorageClasses: one deletes volumes with their claims, one keeps them. */
  readonly storage: { readonly deletes: string; readonly keeps: string };
  /** Sets keys of argocd-cm (null removes one) until the case ends; it returns when Argo CD has taken them up. */
  readonly settings: (keys: Readonly<Record<string, string | null>>) => Promise<void>;
}
