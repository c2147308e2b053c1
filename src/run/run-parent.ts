// The two halves of a parent's Application (a stack's own, or the root): open syncs it, close passes its gate. Between
// them its children are brought up, so open does not wait for the operation's end: where children carry sync waves, that
// operation waits for the children.
import { type ApplicationView, renderResource } from './application-view.ts';
import { AFTER_SYNCED } from './gate.ts';
import { type Attempt, operationId, ownAttempt } from './identity.ts';
import {
  awaitNews,
  type Deadline,
  deadlineIn,
  isOver,
  type NodeContext,
  read,
} from './node-context.ts';
import { observe } from './observe.ts';
import { requestOperation } from './operation.ts';
import { passGate } from './pass-gate.ts';
import { type NodeResult, Progress } from './progress.ts';
import { syncUntilHealthy } from './run-node.ts';

const FIRST: Attempt = { number: 1, superseded: 0 };

export async function openParent(context: NodeContext): Promise<NodeResult> {
  const progress = new Progress(context);
  return await progress.endOf(async () => {
    const observed = await observe(context);
    if (observed.kind === 'missing') return progress.fail(observed);
    if (observed.kind === 'holds')
      return progress.unchanged(observed.application, observed.evidence);
    const { application, unmet } = observed;
    const doomed = wouldPrune(application);
    if (doomed) return progress.fail(doomed);
    // What is unmet beyond that is the children's matter.
    if (unmet && AFTER_SYNCED.has(unmet.condition)) return progress.opened(application);
    progress.syncing(operationId(context.run, context.operationNode, FIRST), FIRST);
    const deadline = deadlineIn(context, context.node.timeouts.sync);
    if (!ownAttempt(context.run, context.operationNode, application)) {
      const requested = await requestOperation(context, application, FIRST, deadline);
      if (requested.kind === 'failed') return progress.fail(requested.failure);
    }
    await takenUp(context, deadline);
    progress.synced([]);
    return progress.opened(application);
  });
}

/** Until Argo CD works on the request, or has ended it. How it ended is for close to judge. */
async function takenUp(context: NodeContext, deadline: Deadline): Promise<void> {
  for (;;) {
    const now = await read(context, deadline, () => context.applications.get(context.address));
    if (!now?.operation || now.operationState || isOver(context, deadline)) return;
    await awaitNews(context, now, deadline);
  }
}

/** Applications are taken down by a teardown, in order, never by a sync of their parent. */
function wouldPrune({ automated, resources }: ApplicationView) {
  const doomed = resources.filter(
    (resource) => resource.requiresPruning && resource.kind === 'Application',
  );
  const [first] = doomed;
  if (!automated?.prune || !first) return undefined;
  const names = doomed.map(({ name }) => name).join(', ');
  const message = `its sync would prune ${names}; take them down with \`tiphys teardown --scope\` first`;
  return { message, resource: renderResource(first) };
}

/** Goes on with the operation that open began; where there was none to begin, the gate is judged as it is. */
export async function closeParent(context: NodeContext): Promise<NodeResult> {
  const progress = new Progress(context);
  return await progress.endOf(async () => {
    const deadline = deadlineIn(context, context.node.timeouts.health);
    const now = await read(context, deadline, () => context.applications.get(context.address));
    if (!now) return progress.fail({ message: 'the Application was deleted' });
    if (ownAttempt(context.run, context.operationNode, now)) {
      return await syncUntilHealthy(context, now, progress);
    }
    const laterThan = now.reconciledAt ?? 0;
    const wait = { uid: now.uid, operation: undefined, laterThan, deadline };
    const passed = await passGate(context, wait);
    if (passed.kind === 'open') return progress.unchanged(now, passed.evidence);
    return progress.fail(passed.kind === 'failed' ? passed.failure : { message: 'Git moved on' });
  });
}
