// A gate that had opened and seems to have fallen, judged again: it opens again, or it has failed.

import type { Evidence } from '../gate/evidence.ts';
import type { Cause, Emit } from '../run/events.ts';
import { deadlineIn, type LookContext } from './node-context.ts';
import { passGate } from './pass-gate.ts';

/** What it was judged by before. */
export interface Before {
  readonly uid: string;
  readonly reconciledAt: number;
}

/** The evidence where it is open, the cause where it does not open any more. Tells that it closed, and that it opened again. */
export async function judgeAgain(
  context: LookContext,
  { uid, reconciledAt }: Before,
  emit: Emit,
): Promise<{ readonly evidence: Evidence } | { readonly cause: Cause }> {
  const { id, timeouts } = context.node;
  let isClosed = false;
  const wait = {
    uid,
    operation: undefined,
    laterThan: reconciledAt,
    deadline: deadlineIn(context, timeouts.health),
  };
  const result = await passGate(context, wait, (unmet) => {
    if (!isClosed) emit({ type: 'gate.closed', node: id, unmet });
    isClosed = true;
  });
  if (result.kind === 'open') {
    const { evidence } = result;
    if (isClosed) emit({ type: 'gate.opened', node: id, evidence });
    return { evidence };
  }
  const failure = result.kind === 'failed' ? result.failure : { message: 'Git moved on' };
  return { cause: { node: id, message: `fell after its gate had opened: ${failure.message}` } };
}
