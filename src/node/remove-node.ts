// The program of a teardown node: its Application is deleted with all its resources, and the node is done when none of
// them is left. It can be killed at any point and restarted: every decision comes from the state of the cluster.
import { TiphysError } from '../errors.ts';
import { addressOf } from '../plan/node-address.ts';
import type { ApplicationView } from '../ports/application-view.ts';
import { isOfPlatform } from '../run/foreign-sync.ts';
import { TERMINATION_MS } from '../session/writes/request-termination.ts';
import {
  awaitNews,
  type Deadline,
  deadlineIn,
  isOver,
  type NodeContext,
  read,
  readApplication,
  reporter,
  sleep,
} from './node-context.ts';
import type { NodeResult } from './progress.ts';
import { describeLeft, Hanging, type Left, type Removal, whatIsLeft } from './removal.ts';
import { RemovalRefreshes } from './removal-refreshes.ts';

/** The polling interval: only the Application is watched, its resources are not. */
const REMOVAL_POLL_MS = 5_000;
/** How long an unreachable cluster is retried. */
const UNREACHABLE_MS = 300_000;
/** A read right before a deletion is hardly older when the deletion is sent. */
export const FRESH_MS = 1_000;

export async function removeApplication(
  context: NodeContext,
  removal: Removal,
): Promise<NodeResult> {
  const begin = context.session.clock.monotonic();
  const cause = await remove(context, removal).catch(asProblem);
  const took = Math.round(context.session.clock.monotonic() - begin) / 1000;
  const durations = { sync: took, health: 0, dwell: 0 };
  if (cause === undefined) return { ...NOTHING, outcome: 'removed', cause, durations };
  const at = { node: context.node.id, ...cause };
  return { ...NOTHING, outcome: 'failed', cause: at, durations };
}

const NOTHING = {
  evidence: null,
  attempts: 0,
  operations: [],
  revisions: [],
  repositories: [],
} as const;

interface Problem {
  readonly message: string;
  readonly resource?: string | undefined;
}

/** An error is the node's failure, unless the run was told to quit. */
function asProblem(error: unknown): Problem {
  if (!(error instanceof TiphysError)) throw error;
  return { message: error.message };
}

/** Returns what prevents the deletion. */
async function remove(context: NodeContext, removal: Removal): Promise<Problem | undefined> {
  const report = reporter(context);
  const hanging = new Hanging(removal, context.session.clock);
  const stripped = new Set<string>();
  const refreshes = new RemovalRefreshes(context);
  // Only once: a watch that is permanently wrong must not cause endless reads.
  let hurries = true;
  for (let isGoing = false; ; ) {
    const view: ApplicationView | Problem | undefined = isGoing
      ? await look(context)
      : await request(context, removal);
    if (view && 'message' in view) return view;
    if (view && view.uid !== removal.uid) return madeAgain(view);
    isGoing = view === undefined || view.deleting;
    const left = await read(context, patience(context), () => whatIsLeft(removal));
    if (!view && left.length === 0) return undefined;
    if (hanging.since(view, left)) {
      if (!(await strip(context, removal, left, stripped))) return hanging.problem(view, left);
      hanging.goOn();
    }
    if (view?.deleting) refreshes.askAfter(hanging.quietMs);
    report({ condition: 'gone', message: describeLeft(view, left) });
    if (!view) await sleep(context, REMOVAL_POLL_MS);
    else if (hurries && seemsGone(context, view)) hurries = false;
    else await awaitNews(context, view, context.session.clock.monotonic() + REMOVAL_POLL_MS);
  }
}

/** It may be gone between the request and the reply. */
function seemsGone({ watch, node }: NodeContext, { uid }: ApplicationView): boolean {
  return watch.last(addressOf(node))?.uid !== uid;
}

const patience = ({ session }: NodeContext): Deadline => session.clock.monotonic() + UNREACHABLE_MS;

async function look(context: NodeContext): Promise<ApplicationView | undefined> {
  return await readApplication(context, patience(context));
}

/**
 * Asks Argo CD to delete it, unless it is gone, terminating or another object. Returns it as it was before, or what is
 * wrong.
 */
async function request(
  context: NodeContext,
  removal: Removal,
): Promise<ApplicationView | Problem | undefined> {
  const { node, emit, watch, writes } = context;
  const behind = patience(context);
  // The watch is good enough to try: the read right before the request decides.
  let mayTry = isRemovable(context, removal, watch.last(addressOf(node)));
  for (; ; mayTry = false) {
    const stopped = mayTry ? undefined : await untilRemovable(context, removal, behind);
    if (stopped) return stopped.by;
    const unprepared = await removal.prepare(context);
    if (unprepared !== undefined) return { message: unprepared };
    let view: ApplicationView | undefined;
    const result = await writes.removeApplication(addressOf(node), {
      confirm: async () => {
        view = await look(context);
        return isRemovable(context, removal, view);
      },
    });
    if (result.kind === 'not-wanted') continue;
    if (result.kind === 'refused' && result.reason !== 'not-found') return result;
    if (result.kind === 'done' && removal.uid)
      emit({ type: 'node.delete-requested', node: node.id, uid: removal.uid });
    return view;
  }
}

/** Waits until nothing prevents the deletion. `by`: what makes it unnecessary or impossible. */
async function untilRemovable(
  context: NodeContext,
  removal: Removal,
  behind: Deadline,
): Promise<{ readonly by: ApplicationView | Problem | undefined } | undefined> {
  for (;;) {
    const view = await look(context);
    if (!isApproved(removal, view)) return { by: view };
    // A lagging server may show the approved object where there is another one by now.
    if (seemsGone(context, view)) {
      if (isOver(context, behind)) return { by: BEHIND };
      await sleep(context, FRESH_MS);
      continue;
    }
    if (!view.operation) return undefined;
    const busy = await endOperation(context, view);
    if (busy) return { by: busy };
  }
}

function isApproved({ uid }: Removal, view: ApplicationView | undefined): view is ApplicationView {
  return view !== undefined && view.uid === uid && !view.deleting;
}

function isRemovable(
  context: NodeContext,
  removal: Removal,
  view: ApplicationView | undefined,
): boolean {
  return isApproved(removal, view) && !view.operation && !seemsGone(context, view);
}

const BEHIND = { message: 'Argo CD and Kubernetes show different states of the Application' };

/**
 * A running operation keeps Argo CD from deleting. An operation of this platform's own runs is terminated immediately,
 * because that run is over; any other one gets the time of a sync.
 */
async function endOperation(
  context: NodeContext,
  view: ApplicationView,
): Promise<Problem | undefined> {
  const { node, session } = context;
  const { platform } = session.identity;
  const ours = view.operation !== undefined && isOfPlatform(view.operation, platform);
  const given = deadlineIn(context, ours ? 0 : node.timeouts.sync);
  if (await untilIdle(context, view, given)) return undefined;
  await context.writes.terminateOther(addressOf(node));
  if (await untilIdle(context, view, deadlineIn(context, TERMINATION_MS / 1000))) return undefined;
  return { message: 'its operation was terminated but does not end' };
}

async function untilIdle(
  context: NodeContext,
  view: ApplicationView,
  deadline: Deadline,
): Promise<boolean> {
  const { clock } = context.session;
  const report = reporter(context);
  let now: ApplicationView | undefined = view;
  while (now?.operation && now.uid === view.uid && !now.deleting) {
    if (isOver(context, deadline)) return false;
    const who = now.operation.automated ? 'of Argo CD itself' : `of ${now.operation.username}`;
    report({ condition: 'idle', message: `an operation ${who} is running` });
    await awaitNews(context, now, Math.min(deadline, clock.monotonic() + REMOVAL_POLL_MS));
    now = await look(context);
  }
  return true;
}

/** Removes the finalizers of stuck objects if the user asked for it by name; once each. True: something was done. */
async function strip(
  context: NodeContext,
  { unsafe, cluster }: Removal,
  left: readonly Left[],
  stripped: Set<string>,
): Promise<boolean> {
  const hanging = left.filter(
    ({ object }) =>
      object.deletingSince !== undefined &&
      object.finalizers.length > 0 &&
      !stripped.has(object.uid),
  );
  if (!unsafe || hanging.length === 0) return false;
  for (const { resource, object } of hanging) {
    stripped.add(object.uid);
    const result = await context.writes.clearFinalizers(cluster, resource, object.uid);
    if (result.kind !== 'done') continue;
    const { finalizers } = object;
    context.emit({ type: 'node.finalizers-removed', node: context.node.id, resource, finalizers });
  }
  return true;
}

function madeAgain({ uid }: ApplicationView): Problem {
  return {
    message: `the Application was recreated after the approval (uid ${uid}), so it is not deleted`,
  };
}
