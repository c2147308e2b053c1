// One node of a plan as a Workflow runs it: the same node program as in every engine, with what a single process knows.
import { TiphysError } from '../../errors.ts';
import type { NodeContext } from '../../node/node-context.ts';
import { observe } from '../../node/observe.ts';
import type { NodeResult } from '../../node/progress.ts';
import { runApplication } from '../../node/run-node.ts';
import { closeParent, openParent } from '../../node/run-parent.ts';
import { addressOf, namespacesOf, operationNodeOf } from '../../plan/node-address.ts';
import type { PlanNode } from '../../plan/plan.ts';
import type { ProjectView } from '../../ports/app-projects.ts';
import type { Watch } from '../../ports/application-watch.ts';
import { type Emit, isThrough, type Outcome, THE_RUN } from '../../run/events.ts';
import { blockedByOthers } from '../../run/sync-windows.ts';
import { Abandoned } from '../../session/abandoned.ts';
import { interrupted } from '../../session/interrupted.ts';
import { NOTHING_DONE } from '../node-results.ts';
import { unexpectedOf } from '../unexpected.ts';
import { gatesBefore, judgeAgain } from './gates-before.ts';
import { OwnHold } from './own-hold.ts';
import {
  joinLease,
  type NodeHost,
  type NodeRequest,
  notOwned,
  podNamespaces,
  podRecord,
} from './pod.ts';
import { removeNode } from './removal-pod.ts';

export interface NodeEnd {
  readonly outcome: Outcome;
  readonly message: string;
}

export const isGood = ({ outcome }: NodeEnd): boolean =>
  isThrough(outcome) || outcome === 'removed';

/** In a process of its own. */
export async function runNode(request: NodeRequest): Promise<NodeEnd> {
  const { plan, id, target } = request;
  const lost = new AbortController();
  const joined = await joinLease(request, (error) => lost.abort(error));
  if (!joined || joined.run !== request.run) throw notOwned(request);
  const part = `n${plan.nodes.findIndex((one) => one.id === id)}`;
  const { emit, recorder } = podRecord(request, joined, part);
  const end = new AbortController();
  try {
    const watch = await target.watch(podNamespaces(request), end.signal);
    return await performNode(request, { joined, emit, lost: lost.signal, watch });
  } finally {
    end.abort();
    await recorder.close();
    await joined.lease.leave();
  }
}

export async function performNode(request: NodeRequest, host: NodeHost): Promise<NodeEnd> {
  const { id, clock } = request;
  const { emit, lost } = host;
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
    return withNothingDone('failed', { node: THE_RUN, message: error.message });
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
    const { emit, watch } = this.#host;
    const hold = this.#holdOf(this.#node);
    await hold.check();
    const project = await target.projects.get(this.#node.argocd?.project ?? '');
    const unexpected = await this.#unexpected();
    const contextOf = (node: PlanNode, tell: Emit) =>
      this.#context(node, tell, watch, project, unexpected);
    const judge = (refresh: boolean) =>
      judgeAgain(gatesBefore(plan, whole, this.#node), {
        ...{ target, clock, signal: this.#signal, concurrency: plan.concurrency },
        ...{ contextOf, emit, impatient: layered, refresh },
      });
    // Behind a layer that has ended anyhow, one that failed without a new look may show what was before the run.
    const shut = await judge(layered);
    if (shut) return withNothingDone('skipped', shut);
    const context = {
      ...contextOf(this.#node, emit),
      ready: async () => {
        const fallen = await judge(false);
        if (fallen) throw fell(`${fallen.node} ${fallen.message}`);
      },
    };
    const result = await programOf(context);
    // What is good now may have been deployed by somebody else meanwhile, before its dependencies.
    await hold.check();
    return result;
  }

  #holdOf({ application }: PlanNode): OwnHold {
    const { plan, target, clock } = this.#request;
    const { watch, joined } = this.#host;
    const { lease, run } = joined;
    return new OwnHold({
      plan,
      names: new Set([application ?? '']),
      run,
      target,
      watch,
      clock,
      lease,
    });
  }

  /** Only parents make Applications that nobody expects. */
  async #unexpected(): Promise<ReadonlySet<string>> {
    if (this.#node.kind === 'application') return new Set();
    const { plan, target } = this.#request;
    const namespaces = namespacesOf(plan);
    const [listed, sets] = await Promise.all([
      target.list(namespaces),
      target.applicationSets(namespaces),
    ]);
    return new Set(unexpectedOf(plan, listed, sets).map(({ name }) => name));
  }

  #context(
    node: PlanNode,
    emit: Emit,
    watch: Watch,
    project: ProjectView | undefined,
    unexpected: ReadonlySet<string>,
  ): NodeContext {
    const { plan, target, clock } = this.#request;
    const { lease, run } = this.#host.joined;
    const hold = this.#holdOf(node);
    return {
      ...{ run: { id: run, platform: plan.platform, plan: plan.hash }, node, emit, watch, clock },
      operationNode: operationNodeOf(node),
      address: addressOf(node),
      applications: target.applications,
      claim: () => hold.ensure(),
      ready: async () => {},
      maker: undefined,
      parent: undefined,
      isExpected: (name) => !unexpected.has(name),
      hasTwins: true,
      permit: async () => {
        await hold.ensure();
        await lease.permit();
      },
      blocked: (windows) => blockedByOthers(windows, clock.now(), project?.windows),
      signal: this.#signal,
    };
  }
}

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
