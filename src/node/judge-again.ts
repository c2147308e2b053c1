// A gate that had opened and seems to have fallen, judged again: it opens again, or it has failed.

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

/** What it was judged by before. */
export interface Before {
  readonly uid: string;
  readonly reconciledAt: number;
}

type JudgedAgain = { readonly evidence: Evidence } | { readonly cause: Cause };

/** A hint only: the gate itself is judged afterwards. `application`: as it was seen last; undefined: it is gone. */
export function hasFallen(
  { gate }: PlanNode,
  evidence: Evidence,
  application: ApplicationView | undefined,
): boolean {
  if (!application) return true;
  // Older than what the gate was judged by, also where it is of an object that was there before: that is no news.
  if (versionOf(application) <= versionOf(evidence)) return false;
  if (application.uid !== evidence.uid || application.deleting) return true;
  const { status } = application.health;
  const healthy = status === 'Healthy' || (status === 'Suspended' && gate.allowSuspended);
  return !healthy || drift(application, gate) !== undefined;
}

/** The same as below, where whatever keeps it from being judged is its failure as well. */
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
        ? 'fell after its gate had opened, and the run was told to stop'
        : `it cannot be judged again after it fell: ${error instanceof Error ? error.message : error}`;
    return { cause: { node: context.node.id, message } };
  }
}

/** The evidence where it is open, the cause where it does not open any more. Tells that it closed, and that it opened again. */
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
    // That somebody has to approve it again must be told, whatever shut it first.
    if (!isClosed || unmet.condition === 'approved') emit({ type: 'gate.closed', node: id, unmet });
    isClosed = true;
  });
  if (result.kind === 'open') {
    const { evidence } = result;
    if (isClosed) emit({ type: 'gate.opened', node: id, evidence });
    return { evidence };
  }
  const { message: why, resource } =
    result.kind === 'failed' ? result.failure : { message: 'Git moved on', resource: undefined };
  const message = isDenial(why) ? why : `fell after its gate had opened: ${why}`;
  return { cause: { node: id, message, resource } };
}
