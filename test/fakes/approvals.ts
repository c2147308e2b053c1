// Somebody who approves or denies in a world of unit tests, as `tiphys approve` writes it.
import type { Plan, PlanNode } from '../../src/plan/plan.ts';
import { isoTime } from '../../src/run/iso-time.ts';
import { approvalText } from '../../src/session/approvals/approval.ts';
import type { World } from './run-world.ts';

const APPROVAL = 'Unseal Vault';
export const ASKS = { gate: { approval: APPROVAL } };

function gateOf({ nodes }: Plan, application: string): PlanNode {
  const node = nodes.find((one) => one.application === application && one.kind !== 'open');
  if (!node) throw new Error(`no gate of ${application}`);
  return node;
}

/** Of what is deployed now. Without a run it is the active one. */
export function decide(
  world: World,
  plan: Plan,
  application: string,
  approved = true,
  run = world.events.at(-1)?.run ?? '',
): void {
  const node = gateOf(plan, application);
  const text = approvalText({
    platform: plan.platform,
    node,
    question: node.gate.approval ?? '',
    application: world.argocd.view(application),
    decision: { approved, by: 'jane', at: isoTime(world.clock.now()), reason: 'so be it' },
    run,
  });
  world.argocd.store.texts.set(text.name, text);
}

/** The gates that somebody was asked for, each time. */
export const askedFor = (world: World): string[] =>
  world.events.flatMap((event) =>
    event.type === 'node.waiting' && event.unmet.condition === 'approved' ? [event.node] : [],
  );
