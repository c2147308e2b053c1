// A run of a deployment from its beginning to its end, in this process: checks, ownership, hold, nodes, hand-over, record.

import { contextFor, onlyLooks } from '../../node/context-for.ts';
import { ALONE, type NodeContext } from '../../node/node-context.ts';
import { namespacesOf } from '../../plan/node-address.ts';
import type { PlanNode } from '../../plan/plan.ts';
import type { Watch } from '../../ports/application-watch.ts';
import type { Report } from '../../report/run-report.ts';
import { mixedRevisions, outcomesOf } from '../../report/tally.ts';
import { exitStatusOf } from '../../run/exit-status.ts';
import { heldApplications } from '../../session/hold/held.ts';
import type { RunHold } from '../../session/hold/run-hold.ts';
import { interrupted } from '../../session/interrupted.ts';
import { type CheckedCluster, checkCluster } from '../check-cluster.ts';
import type { RequiredGate } from '../inspect/required-gates.ts';
import { judgeAtEnd } from '../judge-at-end.ts';
import { leftAlone } from '../unexpected.ts';
import { DeployWalk, type WalkedParts } from './deploy-walk.ts';
import { asOneRun, type RunFrame, type RunRequest } from './run-frame.ts';

export interface DeployRequest extends RunRequest {
  /** What the plan depends on outside of it, judged before. */
  readonly required: readonly RequiredGate[];
  /** Keeps what it held after the gates have opened, too. */
  readonly keepHold: boolean;
}

/** Throws before the first write, or reports. */
export async function deploy(request: DeployRequest): Promise<Report> {
  const { plan, stop, leave } = request;
  const found = await checkCluster(plan, request.target);
  if (stop.aborted || leave.aborted) throw interrupted();
  return await asOneRun(request, plan.hash, (frame) => new DeployRun(request, found, frame).run());
}

class DeployRun {
  readonly #request: DeployRequest;
  readonly #found: CheckedCluster;
  readonly #frame: RunFrame;

  constructor(request: DeployRequest, found: CheckedCluster, frame: RunFrame) {
    this.#request = request;
    this.#found = found;
    this.#frame = frame;
  }

  async run(): Promise<void> {
    const { plan, required, concurrency, clock } = this.#request;
    const frame = this.#frame;
    this.#begin();
    const watch = await frame.session.watch(namespacesOf(plan, required));
    const hold = frame.holdOn(watch, {
      plan,
      found: this.#found.applications,
      leavesWindows: (name) =>
        this.#found.listed.some((view) => view.name === name && view.leavesWindows),
      keep: this.#request.keepHold,
    });
    await frame.prepare(() => hold.prepare());
    await frame.through(
      (signal) =>
        new DeployWalk({
          plan,
          required,
          concurrency,
          clock,
          signal,
          emit: frame.session.emit,
          contextOf: (node, walked) => this.#context(node, watch, signal, walked),
          ensureHold: () => frame.ensureHold(),
          pauseWrites: () => hold.pauseWrites(),
          handOver: (node) => hold.handOver(node),
        }),
      ({ signal, emit }) => {
        const contextOf = async (node: PlanNode) => this.#context(node, watch, signal);
        return judgeAtEnd({ plan, session: frame.session, emit, contextOf });
      },
    );
    await frame.settle();
    await this.#finish(hold);
  }

  #begin(): void {
    this.#frame.begin();
    for (const one of this.#found.unexpected) this.#frame.session.warn(leftAlone(one));
  }

  #context(
    node: PlanNode,
    watch: Watch,
    signal: AbortSignal,
    { walk = ALONE, ...walked }: WalkedParts = {},
  ): NodeContext {
    const { unexpected, projects } = this.#found;
    return contextFor({
      session: this.#frame.session,
      node,
      watch,
      signal,
      emit: () => {},
      dependenciesReady: onlyLooks,
      held: () => this.#frame.ensureHold(),
      projectWindows: projects.get(node.argocd?.project ?? '')?.windows,
      ...walked,
      walk: { ...walk, isExpected: (name) => !unexpected.some((other) => other.name === name) },
    });
  }

  async #finish(hold: RunHold): Promise<void> {
    const { plan } = this.#request;
    const frame = this.#frame;
    const { nodes } = frame.session.state;
    const held = await this.#held(hold);
    for (const message of mixedRevisions(plan, nodes)) frame.session.warn(message);
    const outcomes = outcomesOf(plan, nodes);
    frame.finish(exitStatusOf({ outcomes, end: frame.end }), held);
  }

  /** As the AppProjects show it; where they cannot be read any more, as far as this run knows. */
  async #held(hold: RunHold): Promise<string[]> {
    const { plan, target } = this.#request;
    const reading = heldApplications(plan, target).catch(() => undefined);
    const held = await this.#frame.inTime(reading);
    for (const { address } of held?.filter(({ isGone }) => isGone) ?? []) {
      this.#frame.session.warn(
        `Application "${address.name}" is held but is not in the platform file any more; \`tiphys release\` lets go of it`,
      );
    }
    return held?.map(({ id }) => id) ?? hold.heldNodes();
  }
}
