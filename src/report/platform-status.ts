// Where a platform stands, as data.
import type { Decision } from '../gate/decision.ts';
import type { API_VERSION } from '../model/api-version.ts';
import type { ForeignSync } from '../run/foreign-sync.ts';
import type { StartedBy } from '../run/started-by.ts';
import type { RunSummary } from './run-summary.ts';
import type { Where } from './where.ts';

export interface StatusNode {
  readonly id: string;
  readonly sync: string;
  readonly health: string;
  /** Seconds since Argo CD compared it. */
  readonly age: number | null;
  readonly held: boolean;
  /** Why what Argo CD says of it cannot be relied on. */
  readonly warning: string | null;
  /** Of a gate that asks for one. */
  readonly approval?: StatusApproval;
  /** What a deployment tries at its gate. A request for the status does not. */
  readonly probe?: { readonly target: string };
  /** Its last sync, if another client requested it. */
  readonly syncedBy?: ForeignSync;
  /** The last sync by a break-glass account that Argo CD recorded, if `syncedBy` is not that one. */
  readonly breakGlass?: ForeignSync;
}

interface StatusApproval {
  readonly question: string;
  /** `later`: it is not Synced and Healthy yet, so there is no question yet. */
  readonly state: 'approved' | 'denied' | 'awaited' | 'later';
  /** If there is a decision on what is deployed. */
  readonly decision?: Decision;
}

export interface StatusToken {
  /** Null: it is from a file. */
  readonly secret: string | null;
  /** ISO 8601; null: the token does not say so. */
  readonly expires: string | null;
  /** Where that is soon. */
  readonly warning: string | null;
}

export interface Status {
  readonly apiVersion: typeof API_VERSION;
  readonly kind: 'Status';
  readonly platform: string;
  /** Labels of the Applications that are shown; absent: all of them. */
  readonly selector?: string;
  /** Absent: a simulated cluster, or it was not read. */
  readonly where?: Where | undefined;
  readonly argocd: {
    /** As it says it. */
    readonly version: string;
    readonly isTried: boolean;
    /** The one in use, and those in Secrets that may be read. */
    readonly tokens: readonly StatusToken[];
  };
  /** Who has the platform now. */
  readonly active: {
    readonly run: string;
    readonly holder: string;
    /** Absent: its record does not say it. */
    readonly startedBy?: StartedBy;
  } | null;
  readonly lastRun: RunSummary | null;
  readonly held: readonly string[];
  readonly nodes: readonly StatusNode[];
}
