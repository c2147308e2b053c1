// Requests one sync operation, when nothing forbids or blocks it.

import type { Unmet } from '../gate/verdict.ts';
import { quote } from '../model/names.ts';
import { addressOf, operationNodeOf } from '../plan/node-address.ts';
import { type ApplicationView, newest, renderResource } from '../ports/application-view.ts';
import { type Attempt, infosOf, operationId, operationIdOf } from '../session/identity.ts';
import { Retrying } from '../session/retrying.ts';
import { endLeftOver } from './end-operation.ts';
import {
  type Deadline,
  freshLook,
  isOver,
  type NodeContext,
  read,
  readApplication,
  reporter,
  sleep,
} from './node-context.ts';
import { judgeAsItIs } from './observe.ts';
import { type AttemptFailure, foreignEnd } from './sync-operation.ts';
import { type StoppableTime, standStill, suspended } from './sync-time.ts';

/** `before`: the last state of the Application before the request. */
type RequestResult =
  | { readonly kind: 'accepted'; readonly before: ApplicationView }
  | { readonly kind: 'failed'; readonly failure: AttemptFailure };

const BLOCKED_MS = 15_000;
/** A reply was lost: the request may still arrive until its deadline. */
const LOST_REPLY_MS = 5_000;
/** Argo CD has an operation that the server asked for the Application does not show yet. */
const BEHIND_MS = 5_000;

/**
 * Sends the request of this attempt, or finds that it was already accepted. It creates at most one operation. `seen`: the
 * source of its options, unless it had to wait: then the Application is read again, because the options of a request
 * override those of the Application.
 */
export async function requestOperation(
  context: NodeContext,
  seen: ApplicationView,
  attempt: Attempt,
  time: StoppableTime,
): Promise<RequestResult> {
  const { session, node, emit, walk, watch, writes } = context;
  const { identity, mayRunTwice } = session;
  const id = operationId(identity, operationNodeOf(node), attempt);
  const tell = reporter(context);
  const retrying = new Retrying(
    session.clock,
    `the sync request of ${quote(node.application ?? '')}`,
  );
  let why = '';
  let before = seen;
  const report = (unmet: Unmet) => {
    why = unmet.message;
    tell(unmet);
  };
  const untilLookAgain = () => suspended(context, time, () => sleep(context, BLOCKED_MS));
  for (let application = seen, isOld = attempt.number > 1; ; isOld = true) {
    const { deadline } = time;
    if (isOver(context, deadline)) {
      const reason = why ? `; ${why}` : '';
      const ended = await endLeftOver(context);
      return failedFor(`Argo CD did not accept the sync request in time${reason}${ended}`);
    }
    const blocked = await read(context, deadline, context.blocked);
    if (blocked) {
      report({ condition: 'blocked', message: `a sync window forbids it ${blocked.until}` });
      await untilLookAgain();
      continue;
    }
    if (isOld) {
      const now = await readApplication(context, deadline);
      if (now?.uid !== seen.uid) return failedFor('it was deleted while its sync was pending');
      application = now;
    }
    const pruning = await mayPrune(context, application, deadline);
    if (typeof pruning !== 'boolean')
      return { kind: 'failed', failure: { ...pruning, final: true } };
    const { syncOptions } = application;
    const request = { infos: infosOf(identity, id), prune: pruning, syncOptions };
    const since = session.clock.monotonic();
    const sending = () => {
      // A dependency may no longer be healthy, and may need people to recover.
      standStill(time, session.clock.monotonic() - since);
      before = newest(application, watch.last(addressOf(node)));
      emit({ type: 'node.sync-requested', node: node.id, operation: id, attempt: attempt.number });
      walk.entered('requested');
    };
    const confirm = async () => !(await shows(context, id, deadline));
    // What a parent would prune is known only for a moment: Git may change while Argo CD resolves the revision.
    const isShort = pruning && node.kind !== 'application';
    const asked = { sending, isShort, ...(mayRunTwice ? { confirm } : {}) };
    const result = await retrying.sent(
      writes.requestSync(addressOf(node), request, asked),
      (message) => report({ condition: 'accepted', message }),
    );
    if (result.kind === 'done' || result.kind === 'not-wanted') return { kind: 'accepted', before };
    if (result.kind === 'unknown') {
      retrying.failed(result.message);
      await sleep(context, LOST_REPLY_MS);
      // A lagging server would show the state before the request.
      if (isShown(await freshLook(context, deadline), id)) return { kind: 'accepted', before };
      report({ condition: 'accepted', message: retrying.ongoing });
      why = retrying.summary;
      continue;
    }
    if (result.reason === 'operation-in-progress') {
      if (await shows(context, id, deadline)) return { kind: 'accepted', before };
      // Its end counts as the end of ours, even if the watch showed it before the request.
      if (await standsForOurs(context, report, deadline)) return { kind: 'accepted', before: seen };
      continue;
    }
    if (result.reason === 'blocked-by-window') {
      report({ condition: 'blocked', message: result.message });
      await untilLookAgain();
      continue;
    }
    // Argo CD answers like this while Git is briefly unreachable; permissions do not change that quickly.
    const final = result.reason !== 'invalid' && result.reason !== 'conflict';
    return { kind: 'failed', failure: { message: result.message, final } };
  }
}

/** Waits for another client's operation that blocks ours. True: it did what ours would do. */
async function standsForOurs(
  context: NodeContext,
  report: (unmet: Unmet) => void,
  deadline: Deadline,
): Promise<boolean> {
  let isSeen = false;
  const see = (unmet: Unmet) => {
    isSeen = true;
    report(unmet);
  };
  const other = await foreignEnd(context, see, deadline);
  if (other && !other.operation && (await isDone(context, other, deadline))) return true;
  if (!isSeen) await sleep(context, BEHIND_MS);
  return false;
}

/** Whether another client's operation did what ours would do: then only its gate is left. */
async function isDone(
  context: NodeContext,
  other: ApplicationView,
  deadline: Deadline,
): Promise<boolean> {
  if (context.node.kind !== 'application' || other.operationState?.phase !== 'Succeeded')
    return false;
  const judged = await judgeAsItIs(context, other, deadline);
  return judged.kind === 'holds' || (judged.kind === 'needs-sync' && judged.adopted !== undefined);
}

/**
 * Only a teardown deletes Applications and ApplicationSets (whose Applications are deleted with them), in order; the sync
 * of their parent never does. Checked again before each request, and pruning is requested only if something else has to be
 * pruned, so that a newer commit cannot delete more.
 */
async function mayPrune(context: NodeContext, application: ApplicationView, deadline: Deadline) {
  if (context.node.kind === 'application') return application.automated?.prune ?? false;
  if (!application.automated?.prune) return false;
  const now = await freshLook(context, deadline);
  const going = now?.resources.filter(({ requiresPruning }) => requiresPruning) ?? [];
  const doomed = going.filter(({ group, kind }) => group === 'argoproj.io' && CHILDREN.has(kind));
  const [first] = doomed;
  if (!first) return going.length > 0;
  const names = doomed.map(({ kind, name }) => `${kind} ${name}`).join(', ');
  const message = `its sync would prune ${names}, which are no longer in Git; remove them first with \`tiphys teardown --scope\`, or restore them in Git`;
  return { message, resource: renderResource(first) };
}

const CHILDREN: ReadonlySet<string> = new Set(['Application', 'ApplicationSet']);

async function shows(context: NodeContext, id: string, deadline: Deadline): Promise<boolean> {
  return isShown(await readApplication(context, deadline), id);
}

const isShown = (now: ApplicationView | undefined, id: string): boolean =>
  [now?.operation, now?.operationState].some((operation) => operationIdOf(operation) === id);

function failedFor(message: string): RequestResult {
  return { kind: 'failed', failure: { message, final: true } };
}
