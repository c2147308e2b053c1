// What came of a decision at a gate that asks for approval, as data.
import type { Decision } from '../gate/decision.ts';
import type { API_VERSION } from '../model/api-version.ts';

export interface Decided {
  readonly apiVersion: typeof API_VERSION;
  readonly kind: 'Approval';
  /** Its id. */
  readonly node: string;
  readonly decision: Decision;
  readonly question: string;
  readonly revisions: readonly string[];
  /** The active run; empty where none is. */
  readonly run: string;
  /** False: the active run has not renewed its Lease in time, and may be dead. */
  readonly isAlive: boolean;
  /** What counted before: here also a denial of the active run. */
  readonly before: 'approved' | 'denied' | 'another-question' | null;
  /** False: it was so before, and nothing was written. */
  readonly isNew: boolean;
}
