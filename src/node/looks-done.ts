// Whether a node's Application looks finished already.

import { judge } from '../gate/gate.ts';
import type { PlanNode } from '../plan/plan.ts';
import type { ApplicationView } from '../ports/application-view.ts';

/** By the gate's own measure, as far as that needs no fresh look. */
export function looksDone({ gate }: PlanNode, application: ApplicationView | undefined): boolean {
  if (!application) return false;
  const { uid } = application;
  const nothing = { operation: undefined, laterThan: -1, before: undefined } as const;
  const unread = { live: [], decision: 'unread', probe: 'unread' } as const;
  return judge({ application, ...unread, uid, settings: gate, ...nothing }).open;
}
