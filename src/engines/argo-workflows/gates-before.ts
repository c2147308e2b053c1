// Between the end of the previous pod and the start of this one, a dependency may have become unhealthy: it is judged
// again.

import type { Evidence } from '../../gate/evidence.ts';
import { causeFor, tellingOf } from '../../node/generated-members.ts';
import { judgeAgain } from '../../node/judge-again.ts';
import {
  deadlineIn,
  isOver,
  type LookContext,
  type NodeInWalk,
  read,
  sleep,
} from '../../node/node-context.ts';
import { keyOf } from '../../plan/node-address.ts';
import type { Plan, PlanNode } from '../../plan/plan.ts';
import { versionOf } from '../../ports/application-view.ts';
import type { Cause, Emit } from '../../run/events.ts';
import { type Look, type LookParts, lookAtAll } from '../inspect/look.ts';
import type { Slot } from './agent.ts';

/** Its dependencies, also through the open and close nodes of stacks, and everything outside the plan that the plan needs. */
export function gatesBefore(plan: Plan, whole: Plan, node: PlanNode): PlanNode[] {
  const nodes = new Map([...whole.nodes, ...plan.nodes].map((one) => [one.id, one]));
  const found = new Map<string, PlanNode>();
  const seen = new Set<string>();
  const visit = (id: string) => {
    const one = nodes.get(id);
    if (!one || seen.has(id)) return;
    seen.add(id);
    // A node with an Application also represents what is behind it: that may become unhealthy long after its own sync.
    if (one.kind !== 'application') for (const before of one.dependsOn) visit(before);
    // An open node has no gate: its Application is judged at its close.
    if (one.application !== null && one.kind !== 'open') found.set(id, one);
  };
  for (const id of [...node.dependsOn, ...plan.requires]) visit(id);
  return [...found.values()];
}

export interface JudgeParts extends LookParts {
  readonly contextOf: (node: PlanNode, entered: NodeInWalk['entered']) => LookContext;
  readonly emit: Emit;
  /** Gives the slot to other nodes while a person is asked. */
  readonly slot: Slot | undefined;
  /** Does not wait for a gate that is shut. */
  readonly impatient: boolean;
}

/** Undefined: all were open at the same moment, just now. Otherwise the reason of the first one that does not open again. */
export async function whyShut(
  gates: readonly PlanNode[],
  parts: JudgeParts,
): Promise<Cause | undefined> {
  const known: Known = new Map();
  for (;;) {
    let isAsked = false;
    const { shut, waited } = await firstShut(gates, { ...parts, known }, (stage) => {
      if (stage !== 'asking') return;
      isAsked = true;
      parts.slot?.release();
    });
    if (shut || !waited) return shut;
    // The looks at the others are old by now, by hours if a person was asked.
    if (isAsked) await parts.slot?.acquire(parts.signal);
  }
}

/** Gates that opened again in the meantime, by the key of their node. */
type Known = Map<string, Evidence>;

interface RoundParts extends JudgeParts {
  readonly known: Known;
}

interface Round {
  readonly shut: Cause | undefined;
  /** One of them had to open again. */
  readonly waited: boolean;
}

async function firstShut(
  gates: readonly PlanNode[],
  parts: RoundParts,
  entered: NodeInWalk['entered'],
): Promise<Round> {
  const looks = await lookAtAll(gates, { ...parts, leavesOutNew: true });
  let waited = false;
  for (const first of looks) {
    const look = parts.impatient ? first : await onceKnown(first, parts, entered);
    const { node, unmet, application, members = [look] } = look;
    if (unmet && (parts.impatient || !application)) {
      const shut = { node: node.id, message: unmet.message, resource: unmet.resource };
      return { shut, waited };
    }
    for (const one of members.filter((member) => isFallen(member, parts.known))) {
      const shut = await whyStillShut(one, node, parts, entered);
      if (shut) return { shut, waited };
      waited = true;
    }
    if (look !== first) parts.emit({ type: 'gate.opened', node: node.id, evidence: null });
    waited ||= look !== first;
  }
  return { shut: undefined, waited };
}

const LOOK_AGAIN_MS = 5_000;

/** The Applications of a generated member may be uncertain for a moment: it gets the time that a gate has to open again. */
async function onceKnown(
  first: Look,
  parts: JudgeParts,
  entered: NodeInWalk['entered'],
): Promise<Look> {
  const { node, unmet } = first;
  if (!unmet || !isInDoubt(first)) return first;
  parts.emit({ type: 'gate.closed', node: node.id, unmet });
  const context = parts.contextOf(node, entered);
  const until = deadlineIn(context, node.timeouts.health);
  let look = first;
  while (isInDoubt(look) && !isOver(context, until)) {
    await sleep(context, LOOK_AGAIN_MS);
    const again = () => lookAtAll([node], { ...parts, leavesOutNew: true });
    look = (await read(context, until, again))[0] ?? look;
  }
  return look;
}

const isInDoubt = ({ node, unmet, application }: Look): boolean =>
  node.generated !== undefined && unmet !== undefined && application === undefined;

/** A lagging server shows the state before its gate opened again. */
function isFallen({ node, unmet, application }: Look, known: Known): boolean {
  const evidence = known.get(keyOf(node));
  if (!unmet || !application || !evidence) return unmet !== undefined;
  return versionOf(application) >= versionOf(evidence);
}

/** `owner`: the node of the gate: its own, or the generated member. */
async function whyStillShut(
  { node, application }: Look,
  owner: PlanNode,
  { contextOf, emit, known }: RoundParts,
  entered: NodeInWalk['entered'],
): Promise<Cause | undefined> {
  const before = { uid: application?.uid ?? '', reconciledAt: application?.reconciledAt ?? 0 };
  const judged = await judgeAgain(
    contextOf(node, entered),
    before,
    tellingOf({ node, owner }, emit),
  );
  if ('cause' in judged) return causeFor({ node, owner }, judged.cause);
  known.set(keyOf(node), judged.evidence);
  return undefined;
}
