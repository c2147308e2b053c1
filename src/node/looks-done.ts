// Whether a node's Applications already look finished.

import type { GateInput } from '../gate/conditions.ts';
import { judge } from '../gate/gate.ts';
import { childOf, selectedOf, tooFew } from '../plan/generated.ts';
import { keyOf } from '../plan/node-address.ts';
import type { PlanNode } from '../plan/plan.ts';
import type { ApplicationView } from '../ports/application-view.ts';

type Found = ReadonlyMap<string, ApplicationView>;

/** By the conditions of the gate that need no fresh look. `found`: by `namespace/name`. */
export function looksDone(node: PlanNode, found: Found): boolean {
  if (!node.generated) return isDone(node, found.get(keyOf(node)));
  const views = selectedOf(node, found.values());
  if (tooFew(node, views.length) !== undefined) return false;
  return views.every((view) => isDone(childOf(node, view.name), view));
}

function isDone(node: PlanNode, application: ApplicationView | undefined): boolean {
  if (!application) return false;
  return judge({ ...asSeenLast(node, application), live: [], decision: 'unread' }).open;
}

/** What Argo CD saw last, however old. A pending refresh, perhaps from an earlier run, does not count against it. */
export function asSeenLast(
  { gate }: PlanNode,
  seen: ApplicationView,
): Omit<GateInput, 'live' | 'decision'> {
  const application = { ...seen, refreshPending: false };
  const nothing = { operation: undefined, laterThan: -1, before: undefined };
  return { application, uid: seen.uid, settings: gate, probe: 'unread', ...nothing };
}
