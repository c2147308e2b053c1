// What a deployment would do now, as data.
import type { API_VERSION } from '../model/api-version.ts';
import type { Where } from './where.ts';

export interface DryRunNode {
  readonly id: string;
  readonly would: 'sync' | 'leave' | 'wait-for-parent';
  readonly reason: string;
  /** Seconds since Argo CD compared it. */
  readonly age: number | null;
}

export interface DryRun {
  readonly apiVersion: typeof API_VERSION;
  readonly kind: 'DryRun';
  readonly platform: string;
  /** Absent: a simulated cluster, or it was not read. */
  readonly where?: Where | undefined;
  readonly plan: string;
  readonly nodes: readonly DryRunNode[];
  /** AppProjects that would get a hold. */
  readonly holds: readonly string[];
  readonly unexpected: readonly string[];
}
