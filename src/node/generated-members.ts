// The Applications of a generated member as the rest of the program sees them: what happens to one of them happens to the
// member.
import type { Evidence } from '../gate/evidence.ts';
import type { Unmet } from '../gate/verdict.ts';
import { childOf } from '../plan/generated.ts';
import type { PlanNode } from '../plan/plan.ts';
import type { Cause, Emit, MemberEnd } from '../run/events.ts';

/** A gate that opened, and the node that opened with it: the node itself, or the member it belongs to. */
export interface Judged {
  readonly node: PlanNode;
  readonly owner: PlanNode;
  readonly evidence: Evidence;
}

/** What to keep watching of a node once its gate is open. */
export function judgedOf(
  owner: PlanNode,
  evidence: Evidence | null,
  members: readonly Pick<MemberEnd, 'application' | 'evidence'>[] = [],
): Judged[] {
  const own = evidence ? [{ node: owner, owner, evidence }] : [];
  const children = members.flatMap((one) =>
    one.evidence ? [{ node: childOf(owner, one.application), owner, evidence: one.evidence }] : [],
  );
  return [...own, ...children];
}

const isItself = ({ node, owner }: Pick<Judged, 'node' | 'owner'>): boolean => node.id === owner.id;

/** Events of a child are reported for its member, with the name of the child. */
export function tellingOf(judged: Pick<Judged, 'node' | 'owner'>, emit: Emit): Emit {
  if (isItself(judged)) return emit;
  const { owner, node } = judged;
  const name = node.application ?? '';
  return (event) => {
    if (!('node' in event) || event.node !== node.id) emit(event);
    else if (event.type === 'node.waiting' || event.type === 'gate.closed')
      emit({ ...event, node: owner.id, unmet: unmetOf(name, event.unmet) });
    else if (event.type === 'node.attempt-failed')
      emit({ ...event, node: owner.id, message: `${name}: ${event.message}` });
    else if (event.type === 'gate.opened') emit({ ...event, node: owner.id, evidence: null });
    else if (event.type === 'node.sync-requested')
      emit({ ...event, node: owner.id, application: name });
  };
}

export const unmetOf = (name: string, unmet: Unmet): Unmet => ({
  ...unmet,
  message: `${name}: ${unmet.message}`,
});

/** Reports the failure of a child as the failure of its member. */
export function causeFor(judged: Pick<Judged, 'node' | 'owner'>, cause: Cause): Cause {
  if (isItself(judged) || cause.node !== judged.node.id) return cause;
  const { owner, node } = judged;
  return { ...cause, node: owner.id, message: `${node.application}: ${cause.message}` };
}
