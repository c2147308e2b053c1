// Terminates an operation whose time is up: one of this run, or one that an earlier run of the platform left behind. An
// operation that another client started is left alone.
import { TiphysError } from '../errors.ts';
import { addressOf } from '../plan/node-address.ts';
import { newest, type OperationRequest } from '../ports/application-view.ts';
import { isOfPlatform } from '../run/foreign-sync.ts';
import { operationIdOf, type RunIdentity, runIdOf } from '../session/identity.ts';
import { requestTermination, TERMINATION_MS } from '../session/writes/request-termination.ts';
import { awaitNews, isOver, type NodeContext, readApplication, sleep } from './node-context.ts';

const TERMINATE_AGAIN_MS = 2_000;

/** Whether Argo CD accepted the termination. */
export async function endOperationById(context: NodeContext, id: string): Promise<boolean> {
  const { session, watch, writes } = context;
  const address = addressOf(context.node);
  const end = session.clock.monotonic() + TERMINATION_MS;
  // A lagging server may still show an operation that has ended.
  const look = async () => newest(await readApplication(context, end), watch.last(address));
  const isStill = async () => operationIdOf((await look())?.operation) === id;
  const outcome = await requestTermination({
    isStill,
    send: async () => {
      const result = await writes.terminateIf(address, isStill);
      return result.kind === 'not-wanted' ? 'not-allowed' : result;
    },
    pause: async () => {
      await sleep(context, TERMINATE_AGAIN_MS);
      return !isOver(context, end);
    },
  });
  if (outcome !== 'accepted') return false;
  while (!isOver(context, end)) {
    const now = await look();
    // It has ended, or another operation has replaced it.
    if (operationIdOf(now?.operation) !== id) break;
    await awaitNews(context, now, end);
  }
  return true;
}

/** The earlier run of this platform that requested it; that run no longer owns the platform. */
export function earlierRunOf(
  identity: RunIdentity,
  operation: OperationRequest | undefined,
): string | undefined {
  if (!operation || !isOfPlatform(operation, identity.platform)) return undefined;
  const run = runIdOf(operation);
  return run === identity.id ? undefined : run;
}

/** Its time is up, and it would block every later run. Returns the sentence to append to the reason of the failure. */
export async function endLeftOver(context: NodeContext): Promise<string> {
  const { session } = context;
  try {
    const now = await readApplication(context, session.clock.monotonic() + TERMINATION_MS);
    const id = operationIdOf(now?.operation);
    const earlier = earlierRunOf(session.identity, now?.operation);
    if (!id || !earlier || !(await endOperationById(context, id))) return '';
    return `; the sync of the earlier run ${earlier} was terminated so that the next run can continue`;
  } catch (error) {
    // The reason of the node's failure matters more than the failed clean-up.
    if (error instanceof TiphysError) return '';
    throw error;
  }
}
