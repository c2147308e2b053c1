// Following a Workflow from outside: it is watched, its run's record is read whenever that changes, and what is new in it is
// told. Nothing depends on whoever follows.
import { EXIT, TiphysError } from '../../errors.ts';
import { quote } from '../../model/names.ts';
import type { Plan } from '../../plan/plan.ts';
import { readRun } from '../../record/history.ts';
import type { Clock } from '../../run/clock.ts';
import type { RunEvent } from '../../run/events.ts';
import { type Report, reportOf } from '../../run/report.ts';
import { RunFold } from '../../run/run-state.ts';
import type { Target, WorkflowView } from '../../run/target.ts';
import { interrupted } from '../interrupted.ts';
import { leaseName, runOf } from '../lease/lease-data.ts';
import { nodeOfTask } from './names.ts';
import { holderOf } from './pod.ts';
import { isWorkflowOver } from './submit.ts';

export interface FollowRequest {
  readonly plan: Plan;
  readonly target: Target;
  readonly clock: Clock;
  readonly namespace: string;
  readonly name: string;
  readonly listen: (event: RunEvent) => void;
  /** Given when nobody wants to know any more. The Workflow goes on. */
  readonly signal: AbortSignal;
}

/** Reading is not more frequent than this, however many pods write. */
const BETWEEN_MS = 1_000;
/** Where nothing may be watched. */
const LOOK_MS = 5_000;

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
  readonly #waits = new Map<string, string>();
  #run: string | undefined;
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
    for (;;) {
      this.#wake = new AbortController();
      const now = await target.workflows.get(namespace, name);
      if (!now) throw gone(namespace, name);
      this.#run ??= await this.#findRun(now, woken);
      await this.#tell(now);
      if (isWorkflowOver(now)) {
        const { finished } = this.#fold.state;
        if (!finished) throw this.#neverEnded(now);
        return reportOf(plan, this.#fold.state);
      }
      await clock.sleep(BETWEEN_MS, this.#signal);
      const either = AbortSignal.any([this.#signal, this.#wake.signal]);
      // The Lease is not watched: until it has said which run it is, it is looked at.
      const patient = this.#watching && this.#run !== undefined;
      await clock.sleep(patient ? NEVER_MS : LOOK_MS, either);
      if (this.#signal.aborted) throw interrupted();
    }
  }

  async #findRun(now: WorkflowView, woken: () => void): Promise<string | undefined> {
    const { target } = this.#request;
    const run = now.run ?? (await this.#leasedRun(now));
    if (run !== undefined && !(await target.watchRun(run, woken, this.#signal)))
      this.#watching = false;
    return run;
  }

  /** Where the Workflow has too many nodes to tell what its beginning gave, the Lease does. */
  async #leasedRun({ uid }: WorkflowView): Promise<string | undefined> {
    const { target, plan, namespace, name } = this.#request;
    const lease = await target.leases.get(leaseName(plan.platform));
    const isOurs = lease?.holder === holderOf(`${namespace}/${name}/${uid}`);
    return lease && isOurs ? runOf(lease)?.run : undefined;
  }

  async #tell(now: WorkflowView): Promise<void> {
    const { target, plan } = this.#request;
    const history =
      this.#run === undefined ? undefined : await readRun(target.store, plan.platform, this.#run);
    const created = new Date(now.createdAt).toISOString();
    for (const event of history?.events ?? []) {
      // One that is continued has the record of the one before.
      if (event.time >= created) this.#emit(event);
    }
    if (!isWorkflowOver(now)) this.#tellOfPods(now);
  }

  /** The end puts what the pods wrote into the run's own record: each event is told once. */
  #emit(event: RunEvent): void {
    const text = JSON.stringify(event);
    if (this.#told.has(text)) return;
    this.#told.add(text);
    this.#fold.add(event);
    this.#request.listen(event);
  }

  /** A pod that cannot start writes no record. */
  #tellOfPods({ nodes }: WorkflowView): void {
    const { plan, listen, clock } = this.#request;
    const ids = plan.nodes.map(({ id }) => id);
    for (const { name, phase, message } of nodes) {
      if (phase !== 'Pending' || !message || this.#waits.get(name) === message) continue;
      this.#waits.set(name, message);
      const node = nodeOfTask(name.replace(/\(\d+\)$/, ''), ids);
      if (node === undefined) continue;
      const time = new Date(clock.now()).toISOString();
      const unmet = { condition: 'pod', message: `its pod waits: ${message}` };
      listen({ type: 'node.waiting', time, run: this.#run ?? '', node, unmet });
    }
  }

  /** Its beginning refused, or its end never ran. */
  #neverEnded({ namespace, name, nodes, message }: WorkflowView): TiphysError {
    // Its last pod says it; the node of all its tries says only that there is no other.
    const said = nodes.filter((node) => /^begin(\(\d+\))?$/.test(node.name)).map(exitOf);
    const { status, why } = said.find((one) => one.status !== undefined) ?? {};
    const reason = why ?? (message || 'its end did not run');
    const code = status === EXIT.invalid ? 'workflow-refused' : 'workflow-failed';
    return new TiphysError([
      {
        code,
        message: `Workflow ${quote(`${namespace}/${name}`)} came to no report: ${reason.replace(/\.$/, '')}.`,
        hint: 'What is held stays held. Submit the same plan again, or see the logs of its pods.',
      },
    ]);
  }
}

/** `Error (exit code 3): what the program said`. */
function exitOf({ message }: WorkflowView['nodes'][number]) {
  const [, status, why] = /\(exit code (\d+)\)(?:: (.*))?$/s.exec(message) ?? [];
  return { status: status === undefined ? undefined : Number(status), why };
}

const NEVER_MS = 2 ** 31 - 1;

function gone(namespace: string, name: string): TiphysError {
  return new TiphysError([
    {
      code: 'workflow-failed',
      message: `Workflow ${quote(`${namespace}/${name}`)} is not there any more.`,
      hint: 'What is held stays held. Submit the same plan again: it goes on.',
    },
  ]);
}
