// An approval can be taken back after its gate has opened: it is read again before something behind the gate begins.
import { TiphysError } from '../../errors.ts';
import type { NodeResult } from '../../node/progress.ts';
import type { Schedule } from '../../run/schedule.ts';
import { withNothingDone } from '../node-results.ts';
import type { Visit } from '../walk-plan.ts';
import type { GateMonitor } from './gate-monitor.ts';

/** Undefined where it may begin, perhaps after somebody was asked again. */
export async function whyNotBegun(
  { node, entered, awaitSlot, dependenciesReady }: Visit,
  schedule: Schedule,
  gates: GateMonitor,
  signal: AbortSignal,
): Promise<NodeResult | undefined> {
  const before = schedule.gatesBefore(node.id);
  if (before.every(({ gate }) => gate.approval === undefined)) return undefined;
  try {
    await gates.readDecisions(before);
    if (schedule.dependencies(node.id) === 'open') return undefined;
    // People may need hours: others have its slot meanwhile.
    entered('asking');
    await dependenciesReady(signal);
    await awaitSlot(signal);
    return undefined;
  } catch (error) {
    if (!(error instanceof TiphysError)) throw error;
    const found = schedule.dependencies(node.id);
    if (typeof found === 'object') return withNothingDone('skipped', found);
    return withNothingDone('failed', { node: node.id, message: error.message });
  }
}
