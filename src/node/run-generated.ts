// The program of a generated member: what its generator has made by now is synced and judged, each Application by the program of
// every other one, and the member is through when all of them are.
//
//   appear (all there, and nothing new for a while) -> each: observe, sync, gate -> all still so? -> through
import type { Unmet } from '../gate/verdict.ts';
import { childOf } from '../plan/generated.ts';
import type { PlanNode } from '../plan/plan.ts';
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

/** So long nothing may come or go: an ApplicationSet that was changed says too early that it is up to date. */
const QUIET_MS = 5_000;
/** At once; the member counts as one in work. */
const AT_ONCE = 10;

type Appeared =
  | { readonly kind: 'there'; readonly names: readonly string[] }
  | { readonly kind: 'wrong'; readonly message: string }
  | (Observed & { readonly kind: 'missing' });

export async function runGenerated(context: NodeContext): Promise<NodeResult> {
  const progress = new Progress(context);
  return await progress.endOf(async () => {
    const appeared = await appearance(context);
    if (appeared.kind !== 'there') await context.ensureHold();
    if (appeared.kind === 'wrong') return progress.fail(appeared);
    if (appeared.kind === 'missing') return progress.missing(appeared);
    const results = await allOf(sharing(context), appeared.names);
    const members = results.map(({ end }) => end);
    const isGood = members.every(({ outcome }) => isThrough(outcome));
    const fallen = isGood ? await firstFallen(context, members) : undefined;
    return together(context.node, results, fallen);
  });
}

async function appearance(context: NodeContext): Promise<Appeared> {
  const { node, walk, session } = context;
  const { maker } = walk;
  const report = reporter(context, 'appearing');
  let before: string | undefined;
  for (let until = deadlineIn(context, node.timeouts.sync); ; ) {
    const found = await read(context, until, () => selectGenerated(node, session.target));
    const { views, wrong, waits } = found;
    if (wrong !== undefined) return { kind: 'wrong', message: wrong };
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
    // As long as its parent is being synced, a later wave may bring them.
    if (isOver(context, until)) until = deadlineIn(context, node.timeouts.sync);
    if (waits !== undefined) report(notThere(waits));
    await sleep(context, QUIET_MS);
  }
}

const notThere = (message: string): Unmet => ({ condition: 'exists', message });

/** Its Applications have one slot and one hold: these are waited for once. */
function sharing(context: NodeContext): NodeContext {
  let held: Promise<void> | undefined;
  const ensureHold = () => {
    held ??= context.ensureHold();
    return held;
  };
  const forChild = (child: PlanNode) => ({ ...context.forChild(child), ensureHold });
  return { ...context, ensureHold, forChild };
}

interface Ended {
  readonly end: MemberEnd;
  readonly durations: NodeResult['durations'];
}

/** One that fails does not stop the others. All have ended when this does, so that nothing is written behind its back. */
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

/** The walk hears of the member alone: it is in work as long as one of them is. */
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

/** The first was through long before the last: what has fallen since is judged again. */
async function firstFallen(
  context: NodeContext,
  members: readonly MemberEnd[],
): Promise<Cause | undefined> {
  const { node, session } = context;
  const deadline = deadlineIn(context, node.timeouts.sync);
  const { views } = await read(context, deadline, () => selectGenerated(node, session.target));
  for (const judged of judgedOf(node, null, members)) {
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
  /** They go on at the same time. */
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
