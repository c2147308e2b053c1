// What an Argo CD is to Tiphys, in sentences that can be tried.
import type { Lab } from './lab.ts';

export interface Case {
  /** A sentence that is true of every world. */
  readonly title: string;
  readonly check: (lab: Lab) => Promise<void>;
  /** True of these versions alone: from 3.MINOR on, before 3.MINOR. */
  readonly from?: number;
  readonly before?: number;
  /** It changes what others see: settings of Argo CD. */
  readonly alone?: boolean;
}

/** Whether it is true of this Argo CD, given as MAJOR.MINOR with anything behind. */
export function belongsTo({ from = 0, before = Number.POSITIVE_INFINITY }: Case, version: string) {
  const minor = Number(/^v?3\.(\d+)/.exec(version)?.[1]);
  return from <= minor && minor < before;
}
