// Whether a node's Applications look finished already.

import { judge } from '../gate/gate.ts';
import { childOf, selectedOf, tooFew } from '../plan/generated.ts';
import { keyOf } from '../plan/node-address.ts';
import type { PlanNode } from '../plan/plan.ts';
import type { ApplicationView } from '../ports/application-view.ts';

type Found = ReadonlyMap<string, ApplicationView>;

/** By the gate's own measure, as far as that needs no fresh look. `found`: by `namespace/name`. */
export function looksDone(node: PlanNode, found: Found): boolean {
  if (!node.generated) return isDone(node, found.get(keyOf(node)));
  const views = selectedOf(node, found.values());
  if (tooFew(node, views.length) !== undefined) return false;
  return views.every((view) => isDone(childOf(node, view.name), view));
}

/** That somebody has asked for a refresh, the run before this one perhaps, says nothing of what Argo CD saw last. */
function isDone({ gate }: PlanNode, seen: ApplicationView | undefined): boolean {
  if (!seen) return false;
  const application = { ...seen, refreshPending: false };
  const { uid } = application;
  const nothing = { operation: undefined, laterThan: -1, before: undefined } as const;
  const unread = { live: [], decision: 'unread', probe: 'unread' } as const;
  return judge({ application, ...unread, uid, settings: gate, ...nothing }).open;
}
