// What a plan is: the ordered, hashed list of nodes for one action and scope. Durations in whole seconds.

import type { API_VERSION } from '../model/api-version.ts';
import type { Generated } from '../model/generator-keys.ts';
import type { ApplicationAddress } from '../model/platform.ts';
import type { Settings } from '../model/settings.ts';

export type Action = 'deploy' | 'teardown';
export const ACTIONS: readonly Action[] = ['deploy', 'teardown'];

export interface PlanNode {
  readonly id: string;
  readonly kind: 'application' | 'open' | 'close';
  /** The Argo CD Application that the node acts on; null for a mere join. */
  readonly application: string | null;
  /**
   * The node stands for every Application that these choose. Its `application` is the pattern of their names then: no Application
   * has that name, so that who overlooks this finds nothing.
   */
  readonly generated?: Generated | undefined;
  /** Of one that a generated member stands for: the pattern that it is held by. In no plan of a file. */
  readonly heldAs?: string | undefined;
  readonly argocd: Pick<ApplicationAddress, 'namespace' | 'project'> | null;
  /** Null for the platform's own nodes. */
  readonly stack: string | null;
  /** Nodes of this plan that come first, sorted. */
  readonly dependsOn: readonly string[];
  /** How many applications lie on the longest chain before it. Only to show the plan: nothing waits for a layer. */
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
  /** For one request that Argo CD needs long for, where the environment says it. */
  readonly requestTimeout?: number | undefined;
  /**
   * What is outside of the scope and not acted on, but must be so: deploy needs these gates open, teardown needs
   * these gone.
   */
  readonly requires: readonly string[];
  /** Every node after its dependencies. */
  readonly nodes: readonly PlanNode[];
  readonly criticalPath: readonly string[];
  readonly expectedDuration: number;
  /** Over the canonical JSON of all the above. */
  readonly hash: string;
}
