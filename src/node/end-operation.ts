// Ends an operation whose time is up: one of this run, or one that an earlier run of the platform left behind. Somebody
// else's is not ours to end.
import { TiphysError } from '../errors.ts';
import { addressOf } from '../plan/node-address.ts';
import { newest, type OperationRequest } from '../ports/application-view.ts';
import { isOfPlatform } from '../run/foreign-sync.ts';
import { operationIdOf, type RunIdentity, runIdOf } from '../session/identity.ts';
import { awaitNews, isOver, type NodeContext, readApplication, sleep } from './node-context.ts';

/** How long the end of a terminated operation is waited for. */
const TERMINATION_MS = 60_000;
const TERMINATE_AGAIN_MS = 2_000;

/** Whether Argo CD has accepted the termination. */
export async function endOperationById(context: NodeContext, id: string): Promise<boolean> {
  const { session, watch, writes } = context;
  const address = addressOf(context.node);
  const end = session.clock.monotonic() + TERMINATION_MS;
  // Argo CD ends whatever runs by then: a server that lags behind would still show one that has ended.
  const look = async () => newest(await readApplication(context, end), watch.last(address));
  const isStill = async () => operationIdOf((await look())?.operation) === id;
  let terminated = false;
  while (!isOver(context, end)) {
    const now = await look();
    // It has ended, or another one has taken its place.
    if (!now || operationIdOf(now.operation) !== id) break;
    if (terminated) {
      await awaitNews(context, now, end);
      continue;
    }
    const result = await writes.terminateIf(address, isStill);
    if (result.kind === 'not-wanted') break;
    // Who may not end it need not ask again.
    if (result.kind === 'refused' && result.reason === 'forbidden') break;
    // Refused between the request and its being taken up: asked for again.
    terminated = result.kind === 'done';
    if (!terminated) await sleep(context, TERMINATE_AGAIN_MS);
  }
  return terminated;
}

/** The earlier run of this platform that asked for it; that run does not own the platform any more. */
export function earlierRunOf(
  identity: RunIdentity,
  operation: OperationRequest | undefined,
): string | undefined {
  if (!operation || !isOfPlatform(operation, identity.platform)) return undefined;
  const run = runIdOf(operation);
  return run === identity.id ? undefined : run;
}

/** It has had its time, and no later run would come past it. Says what was done, after the reason of the failure. */
export async function endLeftOver(context: NodeContext): Promise<string> {
  const { session } = context;
  try {
    const now = await readApplication(context, session.clock.monotonic() + TERMINATION_MS);
    const id = operationIdOf(now?.operation);
    const earlier = earlierRunOf(session.identity, now?.operation);
    if (!id || !earlier || !(await endOperationById(context, id))) return '';
    return `; the sync of the earlier run ${earlier} was terminated, so that the next run can go on`;
  } catch (error) {
    // What the node failed for is worth more than what keeps it from being cleaned up.
    if (error instanceof TiphysError) return '';
    throw error;
  }
}
