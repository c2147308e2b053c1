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

export interface Leases {
  readonly get: (name: string) => Promise<LeaseView | undefined>;
  readonly create: (lease: Omit<LeaseView, 'resourceVersion'>) => Promise<WriteResult>;
  /** Only if nobody wrote meanwhile: `conflict` otherwise. */
  readonly update: (lease: LeaseView) => Promise<WriteResult>;
}
