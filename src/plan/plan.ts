// The plan: the ordered, hashed list of nodes for one action and scope. Durations in whole seconds.

import type { API_VERSION } from '../model/api-version.ts';
import type { Generated } from '../model/generator-keys.ts';
import type { ApplicationAddress } from '../model/platform.ts';
import type { Settings } from '../model/settings.ts';

export type Action = 'deploy' | 'teardown';
export const ACTIONS: readonly Action[] = ['deploy', 'teardown'];

export interface PlanNode {
  readonly id: string;
  readonly kind: 'application' | 'open' | 'close';
  /** The Argo CD Application that the node acts on; null for a join. */
  readonly application: string | null;
  /**
   * The node represents every Application that this selects. Its `application` is then the pattern of their names: no
   * Application has that name, so code that misses this case finds nothing.
   */
  readonly generated?: Generated | undefined;
  /** For an Application of a generated member: the pattern in the hold that covers it. Never in the plan of a file. */
  readonly heldAs?: string | undefined;
  readonly argocd: Pick<ApplicationAddress, 'namespace' | 'project'> | null;
  /** Null for the platform's own nodes. */
  readonly stack: string | null;
  /** Nodes of this plan that come first, sorted. */
  readonly dependsOn: readonly string[];
  /** The number of applications on the longest chain before it. For display only: nothing waits for a layer. */
  readonly layer: number;
  readonly timeouts: Settings['timeouts'];
  readonly retries: Settings['retries'];
  readonly gate: Settings['gate'];
  readonly expectedDuration: number;
}

export interface Plan {
  readonly apiVersion: typeof API_VERSION;
  readonly kind: 'Plan';
  readonly action: Action;
  readonly platform: string;
  readonly scope: readonly string[];
  readonly concurrency: number;
  readonly runTimeout: number;
  /** The timeout of one slow request to Argo CD, if the environment sets it. */
  readonly requestTimeout?: number | undefined;
  /**
   * Nodes outside the scope that the plan does not act on, but requires: deploy needs these gates open, teardown needs
   * these Applications deleted.
   */
  readonly requires: readonly string[];
  /** Every node after its dependencies. */
  readonly nodes: readonly PlanNode[];
  readonly criticalPath: readonly string[];
  readonly expectedDuration: number;
  /** The hash of the canonical JSON of all fields above. */
  readonly hash: string;
}
