// One node of a plan as a Workflow runs it: the same node program as in every engine, with what a single process knows.
import { TiphysError } from '../../errors.ts';
import { contextFor, type NodeParts, onlyLooks } from '../../node/context-for.ts';
import { ALONE, type NodeContext } from '../../node/node-context.ts';
import { observe } from '../../node/observe.ts';
import type { NodeResult } from '../../node/progress.ts';
import { runApplication } from '../../node/run-node.ts';
import { closeParent, openParent } from '../../node/run-parent.ts';
import { namespacesOf } from '../../plan/node-address.ts';
import type { PlanNode } from '../../plan/plan.ts';
import type { ProjectView } from '../../ports/app-projects.ts';
import { isThrough, type Outcome, THE_RUN } from '../../run/events.ts';
import { Abandoned } from '../../session/abandoned.ts';
import type { SharedHold } from '../../session/hold/shared-hold.ts';
import { interrupted } from '../../session/interrupted.ts';
import { NOTHING_DONE } from '../node-results.ts';
import { unexpectedOf } from '../unexpected.ts';
import { gatesBefore, whyShut } from './gates-before.ts';
import { joinForNodes, type NodeHost, type NodeRequest, notOwned, podNamespaces } from './pod.ts';
import { removeNode } from './removal-pod.ts';

export interface NodeEnd {
  readonly outcome: Outcome;
  readonly message: string;
}

export const isGood = ({ outcome }: NodeEnd): boolean =>
  isThrough(outcome) || outcome === 'removed';

/** In a process of its own. */
export async function runNode(request: NodeRequest): Promise<NodeEnd> {
  const { plan, id } = request;
  const part = `n${plan.nodes.findIndex((one) => one.id === id)}`;
  const session = await joinForNodes(request, part);
  try {
    if (session.identity.id !== request.run) throw notOwned(request);
    const watch = await session.watch(podNamespaces(request));
    return await performNode(request, { session, watch });
  } finally {
    await session.close();
    await session.detach();
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
        ? removeNode({ request, teardown, node, host, signal: both })
        : new NodeRun(request, node, host, both).run(),
    );
    const { evidence, outcome, cause, durations, ...rest } = result;
    if (isThrough(outcome)) emit({ type: 'gate.opened', node: id, evidence });
    const times = { wait, ...durations };
    emit({ type: 'node.finished', node: id, outcome, cause, ...rest, durations: times });
    return { outcome, message: cause ? `${cause.node}: ${cause.message}` : outcome };
  } catch (error) {
    if (lost.aborted) throw lost.reason;
    // Another process goes on with it, so nothing is said about its end.
    throw error instanceof Abandoned ? interrupted() : error;
  }
}

/** A lost hold is no failure of this node: the run ends with it, as the end says. */
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
  const message = `The plan has no node "${id}" that does anything.`;
  throw new TiphysError([{ code: 'usage-invalid', message, hint: 'Submit the plan anew.' }]);
}

class NodeRun {
  readonly #request: NodeRequest;
  readonly #node: PlanNode;
  readonly #host: NodeHost;
  readonly #signal: AbortSignal;

  constructor(request: NodeRequest, node: PlanNode, host: NodeHost, signal: AbortSignal) {
    this.#request = request;
    this.#node = node;
    this.#host = host;
    this.#signal = signal;
  }

  async run(): Promise<NodeResult> {
    const { plan, whole, target, clock, layered } = this.#request;
    const { emit } = this.#host.session;
    const { concurrency } = plan;
    const hold = this.#holdOf(this.#node);
    await hold.check();
    const project = await target.projects.get(this.#node.argocd?.project ?? '');
    const unexpected = await this.#unexpected();
    const look = { target, clock, signal: this.#signal, concurrency, emit, impatient: layered };
    const contextOf = (node: PlanNode, own: OwnParts = {}) =>
      this.#context(node, project, unexpected, own);
    const whyShutNow = (refresh: boolean) =>
      whyShut(gatesBefore(plan, whole, this.#node), { ...look, contextOf, refresh });
    // Behind a layer that has ended anyhow, one that failed without a new look may show what was before the run.
    const shut = await whyShutNow(layered);
    if (shut) return withNothingDone('skipped', shut);
    const dependenciesReady = async () => {
      const fallen = await whyShutNow(false);
      if (fallen) throw fell(`${fallen.node} ${fallen.message}`);
    };
    const result = await programOf(contextOf(this.#node, { emit, dependenciesReady }));
    // What is good now may have been deployed by somebody else meanwhile, before its dependencies.
    await hold.check();
    return result;
  }

  #holdOf({ application }: PlanNode): SharedHold {
    const { session, watch } = this.#host;
    return session.sharedHold(this.#request.plan, new Set([application ?? '']), watch);
  }

  /** Only parents make Applications that nobody expects. */
  async #unexpected(): Promise<ReadonlySet<string>> {
    if (this.#node.kind === 'application') return new Set();
    const { plan, target } = this.#request;
    const namespaces = namespacesOf(plan);
    const [listed, sets] = await Promise.all([
      target.applications.list(namespaces),
      target.applicationSets.list(namespaces),
    ]);
    return new Set(unexpectedOf(plan, listed, sets).map(({ name }) => name));
  }

  /** Without parts of its own it is for looking only, and says nothing. */
  #context(
    node: PlanNode,
    project: ProjectView | undefined,
    unexpected: ReadonlySet<string>,
    own: OwnParts,
  ): NodeContext {
    const { session, watch } = this.#host;
    const hold = this.#holdOf(node);
    return contextFor({
      session,
      node,
      watch,
      signal: this.#signal,
      emit: () => {},
      dependenciesReady: onlyLooks,
      held: () => hold.ensure(),
      projectWindows: project?.windows,
      walk: { ...ALONE, isExpected: (name) => !unexpected.has(name) },
      ...own,
    });
  }
}

type OwnParts = Partial<Pick<NodeParts, 'emit' | 'dependenciesReady'>>;

function programOf(context: NodeContext): Promise<NodeResult> {
  if (context.node.kind === 'open') return openParent(context);
  if (context.node.kind === 'close') return closeParent(context);
  return runApplication(context, () => observe(context));
}

function withNothingDone(
  outcome: 'failed' | 'skipped',
  cause: NonNullable<NodeResult['cause']>,
): NodeResult {
  const { type: _, ...nothing } = NOTHING_DONE;
  return { ...nothing, outcome, cause, evidence: null };
}

function fell(message: string): TiphysError {
  return new TiphysError([{ code: 'dependencies-not-healthy', message, hint: '' }]);
}
