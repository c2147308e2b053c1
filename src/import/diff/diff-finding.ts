// One difference between a platform file and the evidence.
import type { Evidence } from '../proposal.ts';

export type FindingKind = 'missing' | 'contradicted' | 'gone' | 'new' | 'suggested' | 'unproved';
export type Level = 'error' | 'warning' | 'information';

/** Something of the file: an application, a stack, or one of their dependencies. */
export interface FilePlace {
  /** app:NAME, stack:NAME or platform. */
  readonly owner: string;
  /** As the file writes it. */
  readonly dependency?: string;
}

export interface DiffFinding {
  readonly level: Level;
  readonly kind: FindingKind;
  readonly application: string;
  readonly dependency?: string;
  readonly message: string;
  readonly evidence: readonly Evidence[];
  /** Where in the file; undefined: nowhere. */
  readonly place?: FilePlace | undefined;
}
