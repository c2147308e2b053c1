// Waiting for a person at a gate that asks for approval.
import { TiphysError } from '../errors.ts';
import type { Decision } from '../gate/decision.ts';
import type { ApplicationView } from '../ports/application-view.ts';
import { Abandoned } from '../session/abandoned.ts';
import { decisionOn } from '../session/approvals/approval.ts';
import { awaitNewsUnless, type Deadline, type LookContext, read } from './node-context.ts';

/** Between questions to Kubernetes. Argo CD is not asked: it would compare for as long as somebody sleeps. */
const DECISION_MS = 5_000;

export async function readDecision(
  { session: { target, identity }, node }: LookContext,
  application: ApplicationView,
): Promise<Decision | undefined> {
  if (node.gate.approval === undefined) return undefined;
  return await decisionOn(target.store, node, application, identity.id);
}

/** Somebody has to be asked. */
export async function isUndecided(
  context: LookContext,
  application: ApplicationView,
  deadline: Deadline,
): Promise<boolean> {
  if (context.node.gate.approval === undefined) return false;
  return (await read(context, deadline, () => readDecision(context, application))) === undefined;
}

/** Until somebody has decided, or something has happened to the Application. What it means, a fresh look tells. */
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
  // A run that ends must not wait for people.
  if (walk.stopping?.aborted) throw new Abandoned();
}

/** Never fails: one who cannot read it now asks again, and who may not learns it at the next look. */
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
