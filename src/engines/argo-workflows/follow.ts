// Follows a Workflow from outside: watches it, reads its run's record on every change, and reports new events. Nothing
// depends on the follower.
import { EXIT, TiphysError } from '../../errors.ts';
import { quote } from '../../model/names.ts';
import type { Plan } from '../../plan/plan.ts';
import type { WorkflowView } from '../../ports/argo-workflows.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Cluster } from '../../ports/target.ts';
import { type Report, reportOfRecord } from '../../report/run-report.ts';
import type { RunEvent } from '../../run/events.ts';
import { isoTime } from '../../run/iso-time.ts';
import { RunFold } from '../../run/run-state.ts';
import { interrupted } from '../../session/interrupted.ts';
import { readRun } from '../../session/record/history.ts';
import { isWorkflowOver, unfinishedWorkflows } from './find-workflows.ts';
import { runOfWorkflow } from './run-of.ts';
import { type Wait, waitsOf } from './waits.ts';

export interface FollowRequest {
  readonly plan: Plan;
  readonly target: Cluster;
  readonly clock: Clock;
  readonly namespace: string;
  readonly name: string;
  readonly listen: (event: RunEvent) => void;
  /** Fires when the user stops following. The Workflow continues. */
  readonly signal: AbortSignal;
}

/** The minimum interval of reads, however many pods write. */
const BETWEEN_MS = 1_000;
/** The polling interval if watching is forbidden. */
const WORKFLOW_POLL_MS = 5_000;

export async function followWorkflow(request: FollowRequest): Promise<Report> {
  const end = new AbortController();
  const signal = AbortSignal.any([request.signal, end.signal]);
  try {
    return await new Follower(request, signal).run();
  } finally {
    end.abort();
  }
}

class Follower {
  readonly #request: FollowRequest;
  readonly #signal: AbortSignal;
  readonly #fold = new RunFold();
  readonly #told = new Set<string>();
  /** Since when each wait lasts, by the monotonic clock. */
  #waits: ReadonlyMap<string, number> = new Map();
  readonly #toldWaits = new Set<string>();
  #run: string | undefined;
  #holder: string | undefined;
  /** What keeps the agent's pod from starting; undefined if that cannot be read. */
  #agent: string | undefined;
  #wake = new AbortController();
  #watching = false;

  constructor(request: FollowRequest, signal: AbortSignal) {
    this.#request = request;
    this.#signal = signal;
  }

  async run(): Promise<Report> {
    const { target, namespace, name, clock, plan } = this.#request;
    const woken = () => this.#wake.abort();
    this.#watching = await target.workflows.watch(namespace, name, woken, this.#signal);
    const agentChanged = (trouble: string) => {
      this.#agent = trouble;
      woken();
    };
    if (await target.workflows.watchAgent(namespace, name, agentChanged, this.#signal))
      this.#agent ??= '';
    for (;;) {
      this.#wake = new AbortController();
      const now = await target.workflows.get(namespace, name);
      if (!now) throw gone(namespace, name);
      await this.#findRun(now, woken);
      await this.#tell(now);
      if (isWorkflowOver(now)) {
        const { finished } = this.#fold.state;
        if (!finished) throw this.#neverEnded(now);
        return reportOfRecord(plan, this.#fold.state);
      }
      await clock.sleep(BETWEEN_MS, this.#signal);
      const either = AbortSignal.any([this.#signal, this.#wake.signal]);
      // The Lease is not watched: it is polled until it names the run.
      const patient = this.#watching && this.#run !== undefined;
      await clock.sleep(patient ? NEVER_MS : WORKFLOW_POLL_MS, either);
      if (this.#signal.aborted) throw interrupted();
    }
  }

  async #findRun(now: WorkflowView, woken: () => void): Promise<void> {
    const { target, plan } = this.#request;
    if (this.#run !== undefined) return;
    const { run, holder } = await runOfWorkflow(now, plan.platform, target);
    this.#run = run;
    this.#holder = holder;
    if (run !== undefined && !(await target.watches.run(run, woken, this.#signal)))
      this.#watching = false;
  }

  async #tell(now: WorkflowView): Promise<void> {
    const { target, plan } = this.#request;
    const history =
      this.#run === undefined ? undefined : await readRun(target.store, plan.platform, this.#run);
    const created = new Date(now.createdAt).toISOString();
    for (const event of history?.events ?? []) {
      // A resumed run has the record of the earlier one.
      if (event.time >= created) this.#emit(event);
    }
    if (!isWorkflowOver(now)) await this.#tellOfWaits(now);
  }

  /** The end copies the pods' records into the run's own: each event is reported once. */
  #emit(event: RunEvent): void {
    const text = JSON.stringify(event);
    if (this.#told.has(text)) return;
    this.#told.add(text);
    this.#fold.add(event);
    this.#request.listen(event);
  }

  /** Each wait is reported once, when it has lasted long enough. */
  async #tellOfWaits(workflow: WorkflowView): Promise<void> {
    const { plan, clock } = this.#request;
    const waits = waitsOf({
      workflow,
      agent: this.#agent,
      holder: this.#holder,
      ids: plan.nodes.map(({ id }) => id),
      hasBegun: this.#run !== undefined,
      other: workflow.phase === 'Pending' ? await this.#otherOne(workflow) : undefined,
    });
    const now = clock.monotonic();
    const before = this.#waits;
    this.#waits = new Map(waits.map((wait) => [keyOf(wait), before.get(keyOf(wait)) ?? now]));
    for (const wait of waits) {
      const since = this.#waits.get(keyOf(wait)) ?? now;
      if (now - since >= wait.afterMs) this.#tellOf(wait);
    }
  }

  #tellOf(wait: Wait): void {
    if (this.#toldWaits.has(keyOf(wait))) return;
    this.#toldWaits.add(keyOf(wait));
    const { node, unmet } = wait;
    const happening = { time: isoTime(this.#request.clock.now()), run: this.#run ?? '', unmet };
    this.#request.listen(
      node === undefined
        ? { type: 'run.waiting', ...happening }
        : { type: 'node.waiting', ...happening, node },
    );
  }

  async #otherOne({ uid, namespace }: WorkflowView): Promise<WorkflowView | undefined> {
    const { target, plan } = this.#request;
    const platform = { name: plan.platform, workflowsNamespace: namespace };
    const [first] = await unfinishedWorkflows(platform, target);
    return first?.uid === uid ? undefined : first;
  }

  /** Its begin refused, or its end never ran. */
  #neverEnded({ namespace, name, nodes, message }: WorkflowView): TiphysError {
    // Its last pod has the reason; the retry node only says that there are no more retries.
    const said = nodes.filter((node) => /^begin(\(\d+\))?$/.test(node.name)).map(exitOf);
    const { status, why } = said.find((one) => one.status !== undefined) ?? {};
    const reason = why ?? (message || 'its last step did not run');
    const code = status === EXIT.invalid ? 'workflow-refused' : 'workflow-failed';
    return new TiphysError([
      {
        code,
        message: `Workflow ${quote(`${namespace}/${name}`)} ended without a report: ${reason.replace(/\.$/, '')}.`,
        hint: 'Applications on hold stay on hold. Submit the same plan again, or see the logs of its pods.',
      },
    ]);
  }
}

/** `Error (exit code 3): what the program said`. */
function exitOf({ message }: WorkflowView['nodes'][number]) {
  const [, status, why] = /\(exit code (\d+)\)(?:: (.*))?$/s.exec(message) ?? [];
  return { status: status === undefined ? undefined : Number(status), why };
}

const keyOf = ({ node, unmet }: Wait): string => `${node} ${unmet.message}`;

const NEVER_MS = 2 ** 31 - 1;

function gone(namespace: string, name: string): TiphysError {
  return new TiphysError([
    {
      code: 'workflow-failed',
      message: `Workflow ${quote(`${namespace}/${name}`)} no longer exists.`,
      hint: 'Applications on hold stay on hold. Submit the same plan again to resume.',
    },
  ]);
}
