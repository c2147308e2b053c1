// Requests the termination of an operation until Argo CD accepts it: an answer can be lost, and Argo CD refuses between a request
// and its start.
import { isForbidden, type WriteResult } from '../../ports/write-result.ts';

/** How long to wait for a terminated operation to end. */
export const TERMINATION_MS = 60_000;

export interface TerminationSteps {
  /** Argo CD terminates any operation that runs at that moment, so this is checked before each request; undefined: unknown. */
  readonly isStill: () => Promise<boolean | undefined>;
  /** Undefined: no answer. `not-allowed`: there must be no other request. */
  readonly send: () => Promise<WriteResult | 'not-allowed' | undefined>;
  /** Waits before the next request. False: it is too late for one. */
  readonly pause: () => Promise<boolean>;
}

export type Termination = 'accepted' | 'ended' | 'forbidden' | 'not-allowed' | 'late';

export async function requestTermination(steps: TerminationSteps): Promise<Termination> {
  do {
    const isStill = await steps.isStill();
    if (isStill === false) return 'ended';
    const sent = isStill ? await steps.send() : undefined;
    if (sent === 'not-allowed') return 'not-allowed';
    if (sent?.kind === 'done') return 'accepted';
    // Without the permission, asking again does not help.
    if (sent && isForbidden(sent)) return 'forbidden';
  } while (await steps.pause());
  return 'late';
}
