// What an Argo CD is to Tiphys, in sentences that can be tried.
import type { Lab } from './lab.ts';

export interface Case {
  /** A sentence that is true of every world. */
  readonly title: string;
  readonly check: (lab: Lab) => Promise<void>;
  /** It changes what others see: settings of Argo CD. */
  readonly alone?: boolean;
}
