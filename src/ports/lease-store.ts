// Kubernetes Leases.
import type { WriteResult } from './write-result.ts';

/** A Kubernetes Lease. Times are what its writer said; only whether they change counts. */
export interface LeaseView {
  readonly name: string;
  readonly resourceVersion: string;
  readonly holder: string;
  readonly durationSeconds: number;
  readonly renewTime: string;
  readonly transitions: number;
  readonly annotations: ReadonlyMap<string, string>;
}

export interface LeaseReads {
  readonly get: (name: string) => Promise<LeaseView | undefined>;
}

export interface Leases extends LeaseReads {
  readonly create: (lease: Omit<LeaseView, 'resourceVersion'>) => Promise<WriteResult>;
  /** Only if there was no other write meanwhile: `conflict` otherwise. */
  readonly update: (lease: LeaseView) => Promise<WriteResult>;
}
