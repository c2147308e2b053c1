// Waiting for a person at a gate that asks for approval.
import { TiphysError } from '../errors.ts';
import type { Decision } from '../gate/decision.ts';
import type { ApplicationView } from '../ports/application-view.ts';
import { Abandoned } from '../session/abandoned.ts';
import { decisionOn } from '../session/approvals/approval.ts';
import { awaitNewsUnless, type Deadline, type LookContext, read } from './node-context.ts';

/** The interval of reads from Kubernetes. Argo CD is not polled: it would compare for as long as people are away. */
const DECISION_MS = 5_000;

export async function readDecision(
  { session: { target, identity }, node }: LookContext,
  application: ApplicationView,
): Promise<Decision | undefined> {
  if (node.gate.approval === undefined) return undefined;
  return await decisionOn(target.store, node, application, identity.id);
}

/** Whether the gate waits for a person. */
export async function isUndecided(
  context: LookContext,
  application: ApplicationView,
  deadline: Deadline,
): Promise<boolean> {
  if (context.node.gate.approval === undefined) return false;
  return (await read(context, deadline, () => readDecision(context, application))) === undefined;
}

/** Waits until a decision exists or the Application changes. A fresh look then tells what it means. */
export async function untilDecided(
  context: LookContext,
  application: ApplicationView,
): Promise<void> {
  const { walk, signal } = context;
  const [decided, left] = [new AbortController(), new AbortController()];
  const given = AbortSignal.any([decided.signal, ...(walk.stopping ? [walk.stopping] : [])]);
  void askUntilDecided(context, application, AbortSignal.any([signal, left.signal])).then(() =>
    decided.abort(),
  );
  try {
    await awaitNewsUnless(context, given, application, Number.POSITIVE_INFINITY);
  } finally {
    left.abort();
  }
  // A run that is ending must not wait for people.
  if (walk.stopping?.aborted) throw new Abandoned();
}

/** Never fails: a read error is retried, and a missing permission shows at the next look. */
async function askUntilDecided(
  context: LookContext,
  application: ApplicationView,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await context.session.clock.sleep(DECISION_MS, signal);
    if (signal.aborted || (await isDecided(context, application))) return;
  }
}

async function isDecided(context: LookContext, application: ApplicationView): Promise<boolean> {
  try {
    return (await readDecision(context, application)) !== undefined;
  } catch (error) {
    return !(error instanceof TiphysError && error.isPassing);
  }
}
