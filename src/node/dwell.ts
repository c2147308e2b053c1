// The dwell: after an operation, the gate's conditions must hold for a while. The watch reports what happens in between:
// two looks alone would miss a change that was reverted between them.
import { CONDITIONS, type GateInput, traitsOf } from '../gate/conditions.ts';
import type { Evidence } from '../gate/evidence.ts';
import { judge } from '../gate/gate.ts';
import type { Unmet, Verdict } from '../gate/verdict.ts';
import { addressOf } from '../plan/node-address.ts';
import { type ApplicationView, isNews } from '../ports/application-view.ts';
import { Abandoned } from '../session/abandoned.ts';
import { DELETED, type GateWait, inputOf, lookAt, untilNextLook } from './gate-look.ts';
import { isOver, type LookContext } from './node-context.ts';

export const dwellMs = ({ node }: LookContext): number => node.gate.dwell * 1000;

/** The look that found the gate open. */
interface Opened {
  readonly seen: ApplicationView;
  readonly evidence: Evidence;
}

export async function dwell(
  context: LookContext,
  wait: GateWait,
  { seen, evidence }: Opened,
  report: (unmet: Unmet) => void,
): Promise<Verdict> {
  const message = `healthy; confirming for ${context.node.gate.dwell}s`;
  context.emit({
    type: 'node.waiting',
    node: context.node.id,
    unmet: { condition: 'dwell', message },
  });
  context.walk.entered('dwelling');
  const fall = await fallMeanwhile(context, wait, { seen, evidence });
  if (fall) {
    // A server that lags behind the watch would immediately repeat its previous answer.
    await untilNextLook(context, 0, wait.time.deadline);
    return { open: false, unmet: fall };
  }
  for (let looks = 0; ; looks++) {
    const look = await lookAt(context, wait, evidence);
    if (!look) return { open: false, unmet: DELETED };
    const { verdict } = look;
    // Waits for a late comparison: restarting the dwell would wait for the next one just as long.
    const isLate = !verdict.open && traitsOf(verdict.unmet.condition).passing === 'comparison';
    if (!isLate || isOver(context, wait.time.deadline)) return verdict;
    report(verdict.unmet);
    await untilNextLook(context, looks, wait.time.deadline);
  }
}

/** Waits for the dwell, or until the watch shows a newer state that keeps the gate shut. */
async function fallMeanwhile(
  context: LookContext,
  wait: GateWait,
  { seen, evidence }: Opened,
): Promise<Unmet | undefined> {
  const { session, watch, node, signal } = context;
  const address = addressOf(node);
  const fell = new AbortController();
  let fall: Unmet | undefined;
  const look = (application: ApplicationView | undefined) => {
    if (fall || !isNews(application, seen)) return;
    fall = application ? shown(inputOf(context, wait, application, evidence)) : DELETED;
    if (fall) fell.abort();
  };
  const unsubscribe = watch.subscribe(({ name, namespace, application }) => {
    if (name === address.name && namespace === address.namespace) look(application);
  });
  try {
    // Changes that arrived while the live objects were read are there already. A watch that has not started shows nothing.
    const last = watch.last(address);
    if (last) look(last);
    await session.clock.sleep(dwellMs(context), AbortSignal.any([signal, fell.signal]));
  } finally {
    unsubscribe();
  }
  if (signal.aborted) throw new Abandoned();
  return fall;
}

/** Whether a comparison is new enough is checked at the end of the dwell. */
const SHOWN = CONDITIONS.filter(({ passing }) => passing !== 'comparison');

function shown(input: Omit<GateInput, 'live' | 'decision'>): Unmet | undefined {
  const verdict = judge({ ...input, live: [], decision: 'unread', probe: 'unread' }, SHOWN);
  return verdict.open ? undefined : verdict.unmet;
}
