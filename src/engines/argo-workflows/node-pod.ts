// One node of a plan in a Workflow: the same node program as in every engine, with what a single process knows.
import { TiphysError } from '../../errors.ts';
import { contextFor, type NodeParts, onlyLooks } from '../../node/context-for.ts';
import { ALONE, type NodeContext, type NodeInWalk } from '../../node/node-context.ts';
import { observe } from '../../node/observe.ts';
import type { NodeResult } from '../../node/progress.ts';
import { runGenerated } from '../../node/run-generated.ts';
import { runApplication } from '../../node/run-node.ts';
import { closeParent, openParent } from '../../node/run-parent.ts';
import { namespacesOf } from '../../plan/node-address.ts';
import type { PlanNode } from '../../plan/plan.ts';
import { shortName } from '../../plan/platform-graph.ts';
import { isThrough, type Outcome, THE_RUN } from '../../run/events.ts';
import { Abandoned } from '../../session/abandoned.ts';
import { interrupted } from '../../session/interrupted.ts';
import { dependencyFell, withNothingDone } from '../node-results.ts';
import { ClaimSnapshots } from '../teardown/claim-snapshots.ts';
import { heldNames, heldPlan, removeNode } from '../teardown/teardown-spec.ts';
import { unexpectedOf } from '../unexpected.ts';
import { gatesBefore, whyShut } from './gates-before.ts';
import { seenMaker } from './maker.ts';
import {
  joinForNodes,
  leaveToOthers,
  type NodeHost,
  type NodeRequest,
  notOwned,
  type PodTeardown,
  podNamespaces,
} from './pod.ts';

export interface NodeEnd {
  readonly outcome: Outcome;
  readonly message: string;
}

export const isGood = ({ outcome }: NodeEnd): boolean =>
  isThrough(outcome) || outcome === 'removed';

/** In its own process. */
export async function runNode(request: NodeRequest): Promise<NodeEnd> {
  const { plan, id } = request;
  const part = `n${plan.nodes.findIndex((one) => one.id === id)}`;
  const session = await joinForNodes(request, part);
  try {
    if (session.identity.id !== request.run) throw notOwned(request);
    const watch = await session.watch(podNamespaces(request));
    return await performNode(request, { session, watch });
  } finally {
    await leaveToOthers(session);
  }
}

export async function performNode(request: NodeRequest, host: NodeHost): Promise<NodeEnd> {
  const { id, clock } = request;
  const { emit, lost } = host.session;
  const node = nodeOf(request);
  const both = AbortSignal.any([request.signal, lost]);
  const wait = Math.max(0, Math.round(clock.now() - request.runStartedAt) / 1000);
  try {
    emit({ type: 'node.started', node: id, application: node.application });
    const { teardown } = request;
    const result = await unlessHoldLost(() =>
      teardown
        ? teardownNode({ ...request, teardown }, node, host, both)
        : deployNode(request, node, host, both),
    );
    const { evidence, outcome, cause, durations, ...rest } = result;
    if (isThrough(outcome)) emit({ type: 'gate.opened', node: id, evidence });
    const times = { wait, ...durations };
    emit({ type: 'node.finished', node: id, outcome, cause, ...rest, durations: times });
    return { outcome, message: cause ? `${shortName(cause.node)}: ${cause.message}` : outcome };
  } catch (error) {
    if (lost.aborted) throw lost.reason;
    // Another process continues it, so its end is not reported.
    throw error instanceof Abandoned ? interrupted(GOES_ON) : error;
  }
}

const GOES_ON = 'Operations in progress continue; another process of the run resumes them.';

/** A lost hold is not a failure of this node: the run ends with it, and its end reports it. */
async function unlessHoldLost(action: () => Promise<NodeResult>): Promise<NodeResult> {
  try {
    return await action();
  } catch (error) {
    const isIt = error instanceof TiphysError && error.diagnostics[0]?.code === 'hold-lost';
    if (!isIt) throw error;
    return withNothingDone('failed', { node: THE_RUN, message: error.message, end: 'lost' });
  }
}

function nodeOf({ plan, id }: NodeRequest): PlanNode {
  const node = plan.nodes.find((one) => one.id === id);
  if (node && node.application !== null) return node;
  const message = `The plan has no node "${id}" with an action.`;
  throw new TiphysError([{ code: 'usage-invalid', message, hint: 'Submit the plan again.' }]);
}

async function deployNode(
  request: NodeRequest,
  node: PlanNode,
  { session, watch, slot }: NodeHost,
  signal: AbortSignal,
): Promise<NodeResult> {
  const { plan, whole, target, clock, layered } = request;
  const { emit } = session;
  const holdOf = ({ application }: PlanNode) =>
    session.sharedHold(plan, new Set([application ?? '']), watch, signal);
  const hold = holdOf(node);
  await hold.check();
  const project = await target.projects.get(node.argocd?.project ?? '');
  const unexpected = await unexpectedBy(node, request);
  const isExpected = (name: string) => !unexpected.has(name);
  /** Without its own parts it only looks, and reports nothing. */
  const contextOf = (one: PlanNode, own: Partial<NodeParts> = {}) => {
    const itsHold = holdOf(one);
    return contextFor({
      session,
      node: one,
      watch,
      signal,
      emit: () => {},
      dependenciesReady: onlyLooks,
      held: () => itsHold.ensure(),
      projectWindows: project?.windows,
      walk: { ...ALONE, isExpected },
      ...own,
    });
  };
  const { concurrency } = plan;
  const contextOfGate = (one: PlanNode, entered: NodeInWalk['entered']) =>
    contextOf(one, { walk: { ...ALONE, isExpected, entered } });
  const parts = { target, clock, signal, concurrency, emit, impatient: layered, slot };
  const whyShutNow = (refresh: boolean) =>
    whyShut(gatesBefore(plan, whole, node), { ...parts, refresh, contextOf: contextOfGate });
  // After a layer that ended with failures, a failed node without a new look may show the state before the run.
  const shut = await whyShutNow(layered);
  if (shut) return withNothingDone('skipped', shut);
  const dependenciesReady = async () => {
    const fallen = await whyShutNow(false);
    if (fallen) throw dependencyFell(fallen);
  };
  const done = new AbortController();
  const { store } = target;
  const following = { plan, node, watch, store, clock, identity: session.identity };
  const walk: NodeInWalk = {
    ...ALONE,
    isExpected,
    maker: seenMaker({ ...following, signal: AbortSignal.any([signal, done.signal]) }),
    entered: (stage) => {
      if (stage === 'asking') slot?.release();
    },
  };
  const ensureHold = async () => {
    await slot?.acquire(signal);
    await hold.ensure();
  };
  const own = { emit, dependenciesReady, walk, ensureHold };
  const result = await programOf(contextOf(node, own)).finally(() => done.abort());
  // What is healthy now may have been synced by another client in the meantime, before its dependencies.
  await hold.check();
  return result;
}

async function teardownNode(
  { plan, whole, target, teardown }: NodeRequest & { readonly teardown: PodTeardown },
  node: PlanNode,
  { session, watch }: NodeHost,
  signal: AbortSignal,
): Promise<NodeResult> {
  const names = heldNames(teardown, watch, new Set([node.application ?? '']));
  const hold = session.sharedHold(heldPlan(plan, teardown), names, watch, signal);
  const snapshots = new ClaimSnapshots(target, teardown.approved);
  const held = () => hold.ensure();
  const parts = { session, node, watch, signal, emit: session.emit, held };
  return await removeNode(parts, whole, teardown, snapshots);
}

/** Only parents create unexpected Applications. */
async function unexpectedBy(
  node: PlanNode,
  { plan, target }: NodeRequest,
): Promise<ReadonlySet<string>> {
  if (node.kind === 'application') return new Set();
  const namespaces = namespacesOf(plan);
  const [listed, sets] = await Promise.all([
    target.applications.list(namespaces),
    target.applicationSets.list(namespaces),
  ]);
  return new Set(unexpectedOf(plan, listed, sets).map(({ name }) => name));
}

function programOf(context: NodeContext): Promise<NodeResult> {
  if (context.node.kind === 'open') return openParent(context);
  if (context.node.kind === 'close') return closeParent(context);
  if (context.node.generated) return runGenerated(context);
  return runApplication(context, () => observe(context));
}
