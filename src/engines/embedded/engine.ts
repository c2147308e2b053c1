// A run of a deployment from its beginning to its end, in this process: checks, ownership, hold, nodes, hand-over, record.
import { TiphysError } from '../../errors.ts';
import type { Plan, PlanNode } from '../../plan/plan.ts';
import { Recorder } from '../../record/recorder.ts';
import type { Clock } from '../../run/clock.ts';
import type { Emit, RunEvent } from '../../run/events.ts';
import { exitStatusOf, type RunEnd } from '../../run/exit-status.ts';
import type { RunIdentity } from '../../run/identity.ts';
import { isoTime } from '../../run/iso-time.ts';
import type { NodeContext } from '../../run/node-context.ts';
import { type Report, reportOf } from '../../run/report.ts';
import { RunFold } from '../../run/run-state.ts';
import { countsOf, mixedRevisions, outcomesOf } from '../../run/tally.ts';
import type { Target, Watch } from '../../run/target.ts';
import { blockedByOthers } from '../../run/windows.ts';
import { type Acquired, acquireLease } from '../acquire-lease.ts';
import { heldApplications } from '../held.ts';
import { interrupted } from '../interrupted.ts';
import { addressOf } from '../node-address.ts';
import { namespacesOf, type Preflight, preflight } from '../preflight.ts';
import type { RequiredGate } from '../required.ts';
import { Departure, onAbort } from './departure.ts';
import { Deployment } from './deployment.ts';
import { openIdOf } from './parents.ts';
import { RunHold } from './run-hold.ts';

export interface DeployRequest {
  readonly plan: Plan;
  /** What the plan depends on outside of it, judged before. */
  readonly required: readonly RequiredGate[];
  readonly target: Target;
  readonly clock: Clock;
  /** The id that the run gets unless it continues another one. */
  readonly runId: string;
  /** Names this process: host, process id and something random. */
  readonly holder: string;
  /** Hears everything that happens, in order. */
  readonly listen: (event: RunEvent) => void;
  readonly concurrency: number;
  /** Keeps what it held after the gates have opened, too. */
  readonly keepHold: boolean;
  /** Given once: start nothing more, finish what is in flight. */
  readonly stop: AbortSignal;
  /** Given when everything must end at once. */
  readonly leave: AbortSignal;
}

/** Throws before the first write, or reports. */
export async function deploy(request: DeployRequest): Promise<Report> {
  const { stop, leave, clock } = request;
  const found = await preflight(request.plan, request.target);
  const asked = AbortSignal.any([stop, leave]);
  if (asked.aborted) throw interrupted();
  const lost = new AbortController();
  let run: DeployRun | undefined;
  const acquired = await acquireLease({
    platform: request.plan.platform,
    plan: request.plan.hash,
    run: request.runId,
    holder: request.holder,
    leases: request.target.leases,
    clock,
    signal: asked,
    onLost: (error) => lost.abort(error),
    onTrouble: (problem) => run?.warn(expiredLease(problem)),
  });
  const departure = new Departure(leave, clock);
  run = new DeployRun(request, acquired, found, lost, departure);
  try {
    return await run.run();
  } finally {
    await departure.atMost(acquired.lease.release({ finished: run.isFinished }));
    departure.close();
  }
}

class DeployRun {
  readonly #request: DeployRequest;
  readonly #acquired: Acquired;
  readonly #found: Preflight;
  readonly #lost: AbortController;
  readonly #departure: Departure;
  readonly #identity: RunIdentity;
  readonly #fold = new RunFold();
  readonly #emit: Emit;
  readonly #recorder: Recorder;
  #end: RunEnd = 'done';
  #reason: string | undefined;
  isFinished = false;

  constructor(
    request: DeployRequest,
    acquired: Acquired,
    found: Preflight,
    lost: AbortController,
    departure: Departure,
  ) {
    this.#request = request;
    this.#acquired = acquired;
    this.#found = found;
    this.#lost = lost;
    this.#departure = departure;
    const { platform, hash } = request.plan;
    this.#identity = { id: acquired.run, platform, plan: hash };
    this.#recorder = new Recorder({
      platform,
      plan: hash,
      run: acquired.run,
      store: request.target.store,
      clock: request.clock,
      mayWrite: () => acquired.lease.mayWrite(),
      onProblem: (problem) => {
        const message = `the record of this run is not complete: ${problem}`;
        this.#emit({ type: 'run.warning', message });
      },
    });
    this.#emit = (body) => {
      const event = { time: isoTime(request.clock.now()), run: acquired.run, ...body } as RunEvent;
      this.#fold.add(event);
      this.#recorder.append(event);
      request.listen(event);
    };
  }

  warn(message: string): void {
    this.#emit({ type: 'run.warning', message });
  }

  async run(): Promise<Report> {
    const { plan, required, target } = this.#request;
    const end = new AbortController();
    let hold: RunHold | undefined;
    try {
      this.#begin();
      const watch = await target.watch(namespacesOf(plan, required), end.signal);
      hold = this.#makeHold(watch);
      await hold.prepare();
      await this.#nodes(watch, hold);
      await this.#settle(hold);
      await this.#finish(hold);
      return reportOf(plan, this.#fold.state);
    } finally {
      end.abort();
      hold?.close();
      await this.#departure.atMost(this.#recorder.close());
    }
  }

  /** A hold that is lost is the run's end, and not more: what was deployed is deployed. */
  async #settle(hold: RunHold): Promise<void> {
    try {
      await this.#departure.atMost(hold.settle());
    } catch (error) {
      if (this.#end === 'done') [this.#end, this.#reason] = ['lost', String(error)];
    }
  }

  #begin(): void {
    const { plan } = this.#request;
    this.#emit({
      type: 'run.started',
      action: plan.action,
      platform: plan.platform,
      plan: plan.hash,
      engine: 'embedded',
      scope: plan.scope,
      nodes: plan.nodes.length,
      expectedDuration: plan.expectedDuration,
      resumed: this.#acquired.resumed,
    });
    for (const { name, madeBy } of this.#found.unexpected) {
      const message = `Application "${name}" is made by "${madeBy}" but is not in the platform file; it is left alone`;
      this.#emit({ type: 'run.warning', message });
    }
  }

  #makeHold(watch: Watch): RunHold {
    const { plan, target, clock } = this.#request;
    const { lease } = this.#acquired;
    return new RunHold({
      plan,
      run: this.#identity,
      projects: target.projects,
      watchProjects: target.watchProjects,
      applications: target.applications,
      found: this.#found.applications,
      watch,
      clock,
      mayWrite: (deadline) => lease.mayWrite(deadline),
      emit: this.#emit,
      stop: AbortSignal.any([this.#request.stop, this.#request.leave]),
      lost: this.#lost.signal,
      onLost: (error) => this.#lost.abort(error),
      leavesWindows: (name) =>
        this.#found.listed.some((view) => view.name === name && view.leavesWindows),
      keep: this.#request.keepHold,
    });
  }

  async #nodes(watch: Watch, hold: RunHold): Promise<void> {
    const { plan, required, clock, stop, leave, concurrency } = this.#request;
    const over = new AbortController();
    const ended = new AbortController();
    const signal = AbortSignal.any([leave, this.#lost.signal, over.signal]);
    const deployment = new Deployment({
      plan,
      required,
      concurrency,
      emit: this.#emit,
      contextOf: (node, emit) => this.#context(node, emit, watch, hold, signal),
      urgent: () => hold.urgent(),
      handOver: (node) => hold.handOver(node),
    });
    const halt = (end: RunEnd, reason: string) => {
      if (this.#end === 'done') [this.#end, this.#reason] = [end, reason];
      deployment.stop(reason);
    };
    onAbort(this.#lost.signal, () => halt('lost', reasonOf(this.#lost.signal)));
    for (const asked of [stop, leave]) onAbort(asked, () => halt('interrupted', 'interrupted'));
    void clock.sleep(plan.runTimeout * 1000, ended.signal).then(() => {
      if (ended.signal.aborted) return;
      halt('time-up', "the run's time was up");
      over.abort();
    });
    await deployment.run(clock.monotonic(), this.#departure.abandoned(signal));
    ended.abort();
  }

  #context(
    node: PlanNode,
    emit: Emit,
    watch: Watch,
    hold: RunHold,
    signal: AbortSignal,
  ): NodeContext {
    const { target, clock } = this.#request;
    const { lease } = this.#acquired;
    const project = node.argocd?.project ?? '';
    return {
      run: this.#identity,
      node,
      operationNode: node.kind === 'close' ? openIdOf(node) : node.id,
      address: addressOf(node),
      applications: target.applications,
      watch,
      clock,
      emit,
      claim: () => hold.ensure(),
      ready: async () => {},
      maker: undefined,
      parent: undefined,
      isExpected: (name) => !this.#found.unexpected.some((other) => other.name === name),
      permit: async () => {
        await hold.ensure();
        await lease.permit();
      },
      blocked: (windows) =>
        blockedByOthers(windows, clock.now(), this.#found.projects.get(project)?.windows),
      signal,
    };
  }

  async #finish(hold: RunHold): Promise<void> {
    const { plan } = this.#request;
    const { nodes } = this.#fold.state;
    const held = await this.#held(hold);
    for (const message of mixedRevisions(plan, nodes)) this.#emit({ type: 'run.warning', message });
    const exitStatus = exitStatusOf({ outcomes: outcomesOf(plan, nodes), end: this.#end });
    this.isFinished = this.#end === 'done';
    const counts = countsOf(plan, nodes);
    this.#emit({ type: 'run.finished', exitStatus, reason: this.#reason, counts, held });
  }

  /** As the AppProjects show it; where they cannot be read any more, as far as this run knows. */
  async #held(hold: RunHold): Promise<string[]> {
    const { plan, target } = this.#request;
    const reading = heldApplications(plan, target).catch(() => undefined);
    const held = await this.#departure.atMost(reading);
    for (const { address } of held?.filter(({ isGone }) => isGone) ?? []) {
      const message = `Application "${address.name}" is held but is not in the platform file any more; \`tiphys release\` lets go of it`;
      this.#emit({ type: 'run.warning', message });
    }
    return held?.map(({ id }) => id) ?? hold.heldNodes();
  }
}

const expiredLease = (problem: string): string =>
  `the run's lease cannot be renewed: ${problem}; nothing is written until it is`;

function reasonOf(signal: AbortSignal): string {
  return signal.reason instanceof TiphysError ? signal.reason.message : String(signal.reason);
}
