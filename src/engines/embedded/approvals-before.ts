// An approval can be revoked after its gate has opened: it is read again before anything behind the gate starts.
import { TiphysError } from '../../errors.ts';
import type { NodeResult } from '../../node/progress.ts';
import type { PlanNode } from '../../plan/plan.ts';
import type { Schedule } from '../../run/schedule.ts';
import { withNothingDone } from '../node-results.ts';
import type { Visit } from '../walk-plan.ts';
import type { GateMonitor } from './gate-monitor.ts';

type Waiting = Pick<Visit, 'node' | 'entered' | 'awaitSlot' | 'dependenciesReady'>;

/** Undefined if it may start, perhaps after a person was asked again. */
export async function whyNotBegun(
  visit: Waiting,
  schedule: Schedule,
  gates: GateMonitor,
  signal: AbortSignal,
): Promise<NodeResult | undefined> {
  const { node } = visit;
  if (!isAskedBefore(node, schedule)) return undefined;
  try {
    await untilReady(visit, schedule, gates, signal);
    return undefined;
  } catch (error) {
    if (!(error instanceof TiphysError)) throw error;
    const found = schedule.dependencies(node.id);
    if (typeof found === 'object') return withNothingDone('skipped', found);
    return withNothingDone('failed', { node: node.id, message: error.message });
  }
}

/** Resolves when all its dependencies are open, with the current decisions, and it has a slot. */
export async function untilReady(
  { node, entered, awaitSlot, dependenciesReady }: Waiting,
  schedule: Schedule,
  gates: GateMonitor,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    await gates.readDecisions(schedule.gatesBefore(node.id));
    const isOpen = schedule.dependencies(node.id) === 'open';
    if (isOpen || !isAskedBefore(node, schedule)) return await dependenciesReady(signal);
    // People may need hours: other nodes use its slot in the meantime.
    entered('asking');
    await dependenciesReady(signal);
    await awaitSlot(signal);
  }
}

const isAskedBefore = ({ id }: PlanNode, schedule: Schedule): boolean =>
  schedule.gatesBefore(id).some(({ gate }) => gate.approval !== undefined);
