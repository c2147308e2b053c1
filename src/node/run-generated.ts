// The program of a generated member: syncs and judges the Applications that its generator has created so far, each with the usual
// node program. The member is done when all of them are.
//
//   appear (all exist, and none new for a while) -> each: observe, sync, gate -> all still good, none new? -> done
import type { Unmet } from '../gate/verdict.ts';
import { childOf } from '../plan/generated.ts';
import type { PlanNode } from '../plan/plan.ts';
import type { ApplicationView } from '../ports/application-view.ts';
import { type Cause, isThrough, type MemberEnd } from '../run/events.ts';
import { causeFor, judgedOf, tellingOf } from './generated-members.ts';
import { hasFallen, judgeFallen } from './judge-again.ts';
import {
  deadlineIn,
  isOver,
  type LookContext,
  type NodeContext,
  read,
  reporter,
  sleep,
} from './node-context.ts';
import { absent, type Observed, observe } from './observe.ts';
import { type NodeResult, Progress } from './progress.ts';
import { runApplication } from './run-node.ts';
import { selectGenerated } from './select-generated.ts';

/** No Application may appear or disappear for this long: a changed ApplicationSet reports too early that it is up to date. */
const QUIET_MS = 5_000;
/** The number of its Applications in progress at the same time; the member counts as one. */
const AT_ONCE = 10;
/** How many times newly created Applications are included. */
const MORE_ROUNDS = 3;

type Appeared =
  | { readonly kind: 'there'; readonly names: readonly string[] }
  | { readonly kind: 'wrong'; readonly message: string }
  | (Observed & { readonly kind: 'missing' });

export async function runGenerated(context: NodeContext): Promise<NodeResult> {
  const progress = new Progress(context);
  return await progress.endOf(async () => {
    const appeared = await appearance(context);
    if (appeared.kind !== 'there') await context.walk.ensureHold();
    if (appeared.kind === 'wrong') return progress.fail(appeared);
    if (appeared.kind === 'missing') return progress.missing(appeared);
    return await allRounds(sharing(context), appeared.names);
  });
}

async function allRounds(context: NodeContext, names: readonly string[]): Promise<NodeResult> {
  const { node } = context;
  const results = await allOf(context, names);
  for (let more = 0; ; more++) {
    const members = results.map(({ end }) => end);
    if (!members.every(({ outcome }) => isThrough(outcome)))
      return together(node, results, undefined);
    const { cause, added } = await lastLook(context, members);
    if (cause || added.length === 0) return together(node, results, cause);
    if (more === MORE_ROUNDS) {
      const message = `its generator keeps creating Applications: ${added.join(', ')}`;
      return together(node, results, { node: node.id, message });
    }
    results.push(...(await allOf(context, added)));
  }
}

async function appearance(context: NodeContext): Promise<Appeared> {
  const { node, walk, session } = context;
  const { maker } = walk;
  const report = reporter(context, 'appearing');
  let before: string | undefined;
  const limit = deadlineIn(context, node.timeouts.sync);
  for (let until = limit; ; ) {
    const found = await read(context, until, () => selectGenerated(node, session.target));
    const { views, wrong } = found;
    if (wrong !== undefined) return { kind: 'wrong', message: wrong };
    const isEarly = !isOver(context, limit) && mayBringMore(context, views);
    const waits = found.waits ?? (isEarly ? PARENT_AT_WORK : undefined);
    const now = waits === undefined ? views.map(({ uid }) => uid).join() : undefined;
    if (now !== undefined && now === before) {
      walk.entered('waiting');
      return { kind: 'there', names: views.map(({ name }) => name) };
    }
    const isRestless = now !== undefined && before !== undefined;
    before = now;
    const coming = maker !== undefined && !maker.ended.aborted;
    const isLate = isOver(context, until) && (!coming || maker?.contradiction() !== undefined);
    if (waits !== undefined && (maker?.failure() || isLate)) return absent(context, waits);
    if (isRestless && isLate) return { kind: 'wrong', message: 'its Applications keep changing' };
    // While its parent is syncing, a later wave may create them.
    if (isOver(context, until)) until = deadlineIn(context, node.timeouts.sync);
    if (waits !== undefined) report(notThere(waits));
    await sleep(context, QUIET_MS);
  }
}

const PARENT_AT_WORK = 'the parent that creates its Applications is syncing';

/**
 * A selector cannot tell whether it has matched everything, so the parent's operation is allowed to end first; not if one
 * of the Applications is not Healthy: a parent with sync waves waits for that one.
 */
function mayBringMore({ node, walk }: NodeContext, views: readonly ApplicationView[]): boolean {
  const { maker } = walk;
  if (!maker || node.generated?.applicationSet !== undefined) return false;
  if (maker.ended.aborted || maker.failure() || maker.contradiction() !== undefined) return false;
  return views.every(({ health }) => health.status === 'Healthy');
}

const notThere = (message: string): Unmet => ({ condition: 'exists', message });

/** Its Applications share one slot and one hold, which are waited for once. */
function sharing(context: NodeContext): NodeContext {
  let held: Promise<void> | undefined;
  const ensureHold = () => {
    held ??= context.walk.ensureHold();
    return held;
  };
  return { ...context, walk: { ...context.walk, ensureHold } };
}

interface Ended {
  readonly end: MemberEnd;
  readonly durations: NodeResult['durations'];
}

/** A failure does not stop the others. All have ended when this returns, so nothing is written afterwards. */
async function allOf(context: NodeContext, names: readonly string[]): Promise<Ended[]> {
  const queue = [...names.entries()];
  const results: Ended[] = [];
  const worker = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      results[next[0]] = await runChild(context, next[1]);
    }
  };
  const workers = Array.from({ length: Math.min(AT_ONCE, names.length) }, worker);
  const failed = (await Promise.allSettled(workers)).find((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
  return results;
}

async function runChild(context: NodeContext, name: string): Promise<Ended> {
  const child = childOf(context.node, name);
  const inside = contextIn(context, child);
  const result = await runApplication(inside, () => observe(inside));
  const { durations, cause, ...rest } = result;
  const owned = cause && causeFor({ node: child, owner: context.node }, cause);
  return { end: { ...rest, application: name, cause: owned }, durations };
}

/** The walk sees only the member: it is in progress as long as one of its Applications is. */
function contextIn(context: NodeContext, child: PlanNode): NodeContext {
  const { walk } = context;
  const entered: typeof walk.entered = (stage) => {
    if (stage === 'waiting' || stage === 'requested') walk.entered(stage);
  };
  return {
    ...context.forChild(child),
    emit: tellingOf({ node: child, owner: context.node }, context.emit),
    walk: { ...walk, entered, maker: undefined, parent: undefined },
  };
}

interface LastLook {
  readonly cause: Cause | undefined;
  /** The names of the Applications created in the meantime. */
  readonly added: readonly string[];
}

/** The first may be done long before the last: returns what is wrong or new since, otherwise a gate that no longer holds. */
async function lastLook(context: NodeContext, members: readonly MemberEnd[]): Promise<LastLook> {
  const { node, session } = context;
  const deadline = deadlineIn(context, node.timeouts.sync);
  const select = () => selectGenerated(node, session.target);
  const { views, wrong } = await read(context, deadline, select);
  if (wrong !== undefined) return { cause: { node: node.id, message: wrong }, added: [] };
  const known = new Set(members.map(({ application }) => application));
  const added = views.map(({ name }) => name).filter((name) => !known.has(name));
  if (added.length > 0) return { cause: undefined, added };
  return { cause: await firstFallen(context, members, views), added };
}

async function firstFallen(
  context: NodeContext,
  members: readonly MemberEnd[],
  views: readonly ApplicationView[],
): Promise<Cause | undefined> {
  for (const judged of judgedOf(context.node, null, members)) {
    const { node: child, evidence } = judged;
    const now = views.find(({ name }) => name === child.application);
    if (!hasFallen(child, evidence, now)) continue;
    const inside: LookContext = contextIn(context, child);
    const again = await judgeFallen(inside, evidence, inside.emit);
    if ('cause' in again) return causeFor(judged, again.cause);
  }
  return undefined;
}

function together(
  node: PlanNode,
  results: readonly Ended[],
  fallen: Cause | undefined,
): NodeResult {
  const members = results.map(({ end }) => end);
  /** They run concurrently. */
  const longest = (part: 'sync' | 'health' | 'dwell') =>
    Math.max(0, ...results.map(({ durations }) => durations[part]));
  const bad = members.find(({ outcome }) => !isThrough(outcome));
  const cause =
    fallen ?? (bad && (bad.cause ?? { node: node.id, message: `${bad.application} failed` }));
  const isUnchanged = members.every(({ outcome }) => outcome === 'unchanged');
  return {
    outcome: cause ? 'failed' : isUnchanged ? 'unchanged' : 'healthy',
    cause,
    evidence: null,
    attempts: Math.max(0, ...members.map(({ attempts }) => attempts)),
    operations: members.flatMap(({ operations }) => operations),
    revisions: [...new Set(members.flatMap(({ revisions }) => revisions))],
    repositories: [],
    durations: { sync: longest('sync'), health: longest('health'), dwell: longest('dwell') },
    members,
  };
}
