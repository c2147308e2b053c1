// Between the end of the pod before and the beginning of this one, what a node depends on may have fallen: it is judged again.

import { deadlineIn, type NodeContext } from '../../node/node-context.ts';
import { passGate } from '../../node/pass-gate.ts';
import type { Plan, PlanNode } from '../../plan/plan.ts';
import type { Cause, Emit } from '../../run/events.ts';
import { type LookParts, lookAtAll } from '../inspect/look.ts';

/** What it depends on, through joins, and everything outside of the plan that the plan needs. */
export function gatesBefore(plan: Plan, whole: Plan, node: PlanNode): PlanNode[] {
  const nodes = new Map([...whole.nodes, ...plan.nodes].map((one) => [one.id, one]));
  const found = new Map<string, PlanNode>();
  const seen = new Set<string>();
  const visit = (id: string) => {
    const one = nodes.get(id);
    if (!one || seen.has(id)) return;
    seen.add(id);
    if (one.application === null) for (const before of one.dependsOn) visit(before);
    // An open is no gate: its Application is judged at its close.
    else if (one.kind !== 'open') found.set(id, one);
  };
  for (const id of [...node.dependsOn, ...plan.requires]) visit(id);
  return [...found.values()];
}

export interface JudgeParts extends LookParts {
  readonly contextOf: (node: PlanNode, emit: Emit) => NodeContext;
  readonly emit: Emit;
  /** Do not wait for one that is shut. */
  readonly impatient: boolean;
}

/** Undefined: all open. Else why not, at the first that does not open again. */
export async function judgeAgain(
  gates: readonly PlanNode[],
  parts: JudgeParts,
): Promise<Cause | undefined> {
  const looks = await lookAtAll(gates, parts);
  for (const { node, unmet, application } of looks) {
    if (!unmet) continue;
    const shut = { node: node.id, message: unmet.message, resource: unmet.resource };
    if (parts.impatient || !application) return shut;
    const cause = await untilOpen(node, application.uid, application.reconciledAt ?? 0, parts);
    if (cause) return cause;
  }
  return undefined;
}

async function untilOpen(
  node: PlanNode,
  uid: string,
  laterThan: number,
  { contextOf, emit }: JudgeParts,
): Promise<Cause | undefined> {
  let closed = false;
  const context = contextOf(node, (event) => {
    if (event.type !== 'node.waiting' || closed) return;
    closed = true;
    emit({ type: 'gate.closed', node: node.id, unmet: event.unmet });
  });
  const deadline = deadlineIn(context, node.timeouts.health);
  const passed = await passGate(context, { uid, operation: undefined, laterThan, deadline });
  if (passed.kind === 'open') {
    if (closed) emit({ type: 'gate.opened', node: node.id, evidence: passed.evidence });
    return undefined;
  }
  const failure = passed.kind === 'failed' ? passed.failure : { message: 'Git moved on' };
  return { node: node.id, message: `fell after its gate had opened: ${failure.message}` };
}
