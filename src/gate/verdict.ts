// The verdict of a gate: the evidence on which it opened, or what keeps it shut.
import type { GateCondition, WaitCondition } from './conditions.ts';
import type { Evidence } from './evidence.ts';
import type { Reason } from './reason.ts';

/** The first condition that does not hold. */
export interface Unmet extends Reason {
  readonly condition: GateCondition | WaitCondition;
}

export type Verdict =
  | { readonly open: true; readonly evidence: Evidence }
  | { readonly open: false; readonly unmet: Unmet };
