// Judges an open gate again that no longer seems to hold: it opens again, or the node has failed.

import { isDenial } from '../gate/decision.ts';
import { drift } from '../gate/drift.ts';
import type { Evidence } from '../gate/evidence.ts';
import type { PlanNode } from '../plan/plan.ts';
import { type ApplicationView, versionOf } from '../ports/application-view.ts';
import type { Cause, Emit } from '../run/events.ts';
import { Abandoned } from '../session/abandoned.ts';
import { deadlineIn, type LookContext } from './node-context.ts';
import { passGate } from './pass-gate.ts';
import { timeUntil } from './sync-time.ts';

/** What it was judged against before. */
export interface Before {
  readonly uid: string;
  readonly reconciledAt: number;
}

type JudgedAgain = { readonly evidence: Evidence } | { readonly cause: Cause };

/** A hint only: the gate itself is judged afterwards. `application`: as last seen; undefined: it is gone. */
export function hasFallen(
  { gate }: PlanNode,
  evidence: Evidence,
  application: ApplicationView | undefined,
): boolean {
  if (!application) return true;
  // Older than the state on which the gate was judged, or of an object that existed before: nothing new.
  if (versionOf(application) <= versionOf(evidence)) return false;
  if (application.uid !== evidence.uid || application.deleting) return true;
  const { status } = application.health;
  const healthy = status === 'Healthy' || (status === 'Suspended' && gate.allowSuspended);
  return !healthy || drift(application, gate) !== undefined;
}

/** The same as below, but an error while judging also counts as a failure. */
export async function judgeFallen(
  context: LookContext,
  before: Before,
  emit: Emit,
): Promise<JudgedAgain> {
  try {
    return await judgeAgain(context, before, emit);
  } catch (error) {
    const message =
      error instanceof Abandoned
        ? 'no longer passes its gate, and the run is stopping'
        : `its gate no longer holds and cannot be judged again: ${error instanceof Error ? error.message : error}`;
    return { cause: { node: context.node.id, message } };
  }
}

/** The evidence if it opens again, the cause if it does not. Emits events when it closes and opens. */
export async function judgeAgain(
  context: LookContext,
  { uid, reconciledAt }: Before,
  emit: Emit,
): Promise<JudgedAgain> {
  const { id, timeouts } = context.node;
  let isClosed = false;
  const wait = {
    uid,
    operation: undefined,
    laterThan: reconciledAt,
    time: timeUntil(deadlineIn(context, timeouts.health)),
  };
  const result = await passGate(context, wait, (unmet) => {
    // A new need for approval must be reported, also if another condition shut the gate first.
    if (!isClosed || unmet.condition === 'approved') emit({ type: 'gate.closed', node: id, unmet });
    isClosed = true;
  });
  if (result.kind === 'open') {
    const { evidence } = result;
    if (isClosed) emit({ type: 'gate.opened', node: id, evidence });
    return { evidence };
  }
  const { message: why, resource } =
    result.kind === 'failed'
      ? result.failure
      : { message: 'Git has a newer commit', resource: undefined };
  const message = isDenial(why) ? why : `no longer passes its gate: ${why}`;
  return { cause: { node: id, message, resource } };
}
