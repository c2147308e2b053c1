// Argo Workflows in small, in virtual time: walks the DAGs of a compiled Workflow as its controller does, and calls what its
// pods would run. What it does not know of a Workflow it refuses.
import { beginRun } from '../../src/engines/argo-workflows/begin.ts';
import { compileWorkflow, type Shape } from '../../src/engines/argo-workflows/compile-workflow.ts';
import { endRun } from '../../src/engines/argo-workflows/end.ts';
import { isGood, runNode } from '../../src/engines/argo-workflows/node-pod.ts';
import type { PodRequest, PodTeardown } from '../../src/engines/argo-workflows/pod.ts';
import type {
  Parameter,
  Task,
  Template,
  Workflow,
} from '../../src/engines/argo-workflows/workflow.ts';
import type { Plan } from '../../src/plan/plan.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { Target } from '../../src/ports/target.ts';
import type { Report } from '../../src/report/run-report.ts';
import type { RunEvent } from '../../src/run/events.ts';
import { AgentPod } from './workflow-agent-pod.ts';
import { type Ended, holds, type Phase } from './workflow-depends.ts';

type Values = Readonly<Record<string, string>>;

const POD_MS = 5_000;
const RETRIES = 5;

export interface Place {
  readonly clock: Clock;
  readonly target: Target;
  readonly events: { readonly push: (event: RunEvent) => void };
  /** Nobody works on that node any more: its pod, or the agent's task, has ended or was lost. */
  readonly left?: (node: string) => void;
  /** The plan of the whole platform, where what is run is a scope of it. */
  readonly whole?: Plan;
  readonly keepHold?: boolean;
  readonly strict?: boolean;
}

export class MiniController {
  readonly #world: Place;
  readonly #teardown: PodTeardown | undefined;
  readonly #plan: Plan;
  readonly #workflow: Workflow;
  readonly #name: string;
  readonly #phases = new Map<string, Phase>();
  readonly #messages: string[] = [];
  readonly #running = new Map<string, AbortController>();
  readonly #startedAt: number;
  readonly #agent: AgentPod;
  readonly #queue: (() => void)[] = [];
  #inWork = 0;
  #pods = 0;
  #report: Report | undefined;
  #shutdown: 'stop' | 'terminate' | undefined;

  constructor(
    world: Place,
    plan: Plan,
    name = 'wf-1',
    nodes: Shape = 'pods',
    teardown?: PodTeardown,
  ) {
    this.#teardown = teardown;
    this.#world = world;
    this.#plan = plan;
    this.#name = name;
    this.#startedAt = world.clock.now();
    const options = { namespace: 'argo', image: 'executor', platformFile: '', environmentFile: '' };
    this.#workflow = compileWorkflow(plan, { ...options, scopeArguments: [], nodes }).workflow;
    this.#agent = new AgentPod({
      ...{ name, clock: world.clock, layered: plan.nodes.length > 200 },
      request: this.#request(new AbortController().signal),
      left: (node) => world.left?.(node),
      keepHold: world.keepHold === true,
      strict: world.strict === true,
      keep: (report) => {
        // An end that is done again finds that it was done.
        this.#report ??= report;
      },
    });
  }

  /** `stop` runs the exit handler, `terminate` does not. */
  end(how: 'stop' | 'terminate'): void {
    this.#shutdown = how;
    for (const pod of this.#running.values()) pod.abort();
    for (const go of this.#queue.splice(0)) go();
    this.#agent.takeBack();
  }

  /** The pod of that node goes, and is replaced. */
  lose(node: string): void {
    if (this.#agent.pods > 0) {
      this.#agent.lose();
      return;
    }
    const pod = this.#running.get(node);
    if (!pod) throw new Error(`no pod of ${node}: ${[...this.#running.keys()]}`);
    pod.abort();
  }

  /** Some pod, where there is one. */
  loseOne(): void {
    const [node] = this.#running.keys();
    if (this.#agent.pods > 0 || node !== undefined) this.lose(node ?? '');
  }

  async run(): Promise<Ended> {
    const ended = new AbortController();
    const seconds = this.#workflow.spec.activeDeadlineSeconds as number;
    void this.#world.clock.sleep(seconds * 1000, ended.signal).then(() => {
      if (!ended.signal.aborted) this.end('stop');
    });
    await this.#dag(this.#template(this.#workflow.spec.entrypoint), {});
    ended.abort();
    const { exit } = this.#workflow.spec.hooks as { exit: { template: string } };
    const end = this.#template(exit.template);
    if (this.#shutdown !== 'terminate') await this.#exit(end);
    this.#agent.remove();
    return this.shown;
  }

  get shown(): Ended {
    return {
      phases: this.#phases,
      pods: this.#pods + this.#agent.pods,
      most: this.#agent.most,
      report: this.#report,
      messages: this.#messages,
    };
  }

  #template(name: string): Template {
    const found = this.#workflow.spec.templates.find((one) => one.name === name);
    if (!found) throw new Error(`no template ${name}`);
    return found;
  }

  async #dag(template: Template, inputs: Values): Promise<Phase> {
    const outputs: Record<string, string> = {};
    const started = new Map<string, Promise<Phase>>();
    const tasks = new Map((template.dag?.tasks ?? []).map((task) => [task.name, task]));
    const of = (name: string): Promise<Phase> => {
      const task = tasks.get(name);
      if (!task) throw new Error(`${template.name} has no task ${name}`);
      const known = started.get(name) ?? this.#task(task, of, inputs, outputs);
      started.set(name, known);
      return known;
    };
    const phases = await Promise.all([...tasks.keys()].map(of));
    return phases.every((phase) => phase === 'Succeeded' || phase === 'Skipped')
      ? 'Succeeded'
      : 'Failed';
  }

  async #task(
    task: Task,
    of: (name: string) => Promise<Phase>,
    inputs: Values,
    outputs: Record<string, string>,
  ): Promise<Phase> {
    const phase = await this.#phaseOf(task, of, inputs, outputs);
    this.#phases.set(task.name, phase);
    return phase;
  }

  async #phaseOf(
    task: Task,
    of: (name: string) => Promise<Phase>,
    inputs: Values,
    outputs: Record<string, string>,
  ): Promise<Phase> {
    if (!(await holds(task.depends, of))) return 'Omitted';
    if (this.#shutdown) return 'Omitted';
    if (task.when === 'false') return 'Skipped';
    if (task.when !== undefined) throw new Error(`when: ${task.when}`);
    const given = (task.arguments?.parameters ?? []).map(({ name, value = '' }: Parameter) => [
      name,
      value
        .replace(/\{\{inputs\.parameters\.(\w+)\}\}/g, (_, key) => inputs[key] ?? '')
        .replace(
          /\{\{tasks\.begin\.outputs\.parameters\.(\w+)\}\}/g,
          (_, key) => outputs[key] ?? '',
        ),
    ]);
    const values: Values = Object.fromEntries(given);
    const template = this.#template(task.template);
    if (template.dag) return await this.#dag(template, values);
    const [phase, output] = await (template.plugin
      ? this.#byAgent(template, values)
      : this.#pod(template, values));
    Object.assign(outputs, output);
    return phase;
  }

  /** A pod, or the agent, and a pod where it cannot. It runs also where the Workflow was stopped. */
  async #exit({ steps }: Template): Promise<void> {
    for (const [{ template: name }] of steps as [Task][]) {
      const template = this.#template(name);
      const [phase] = await (template.plugin
        ? this.#byAgent(template, {})
        : this.#pod(template, {}));
      if (phase === 'Succeeded') return;
    }
  }

  /** As Argo Workflows puts it into the task set: with the values that it was given. */
  async #byAgent(template: Template, values: Values): Promise<[Phase, Values]> {
    const { tiphys } = template.plugin as { tiphys: Values };
    const given = Object.entries(tiphys).map(([key, value]) => [
      key,
      value
        .replace(/\{\{inputs\.parameters\.(\w+)\}\}/g, (_, name) => values[name] ?? '')
        .replace(CREATED, new Date(this.#startedAt).toISOString()),
    ]);
    const result = await this.#agent.result(Object.fromEntries(given));
    if (result?.message) this.#messages.push(result.message);
    return [result?.phase ?? 'Failed', result?.outputs ?? {}];
  }

  /** As many as `parallelism` allows. */
  async #pod(template: Template, values: Values): Promise<[Phase, Values]> {
    const { parallelism } = this.#workflow.spec as unknown as { parallelism: number };
    const isEnd = values.node === undefined;
    while (!isEnd && this.#inWork >= parallelism && !this.#shutdown)
      await new Promise<void>((resolve) => this.#queue.push(resolve));
    if (!isEnd && this.#shutdown) return ['Failed', {}];
    this.#inWork++;
    try {
      return await this.#podOf(template, values);
    } finally {
      this.#inWork--;
      this.#queue.shift()?.();
    }
  }

  /** With another pod where one was lost. */
  async #podOf(template: Template, values: Values): Promise<[Phase, Values]> {
    const id = values.node ?? template.name;
    for (let left = RETRIES; ; left--) {
      const lost = new AbortController();
      this.#running.set(id, lost);
      this.#pods++;
      await this.#world.clock.sleep(POD_MS);
      try {
        return await this.#perform(template.name, values, lost.signal);
      } catch (error) {
        this.#messages.push((error as Error).message);
        const gone = lost.signal.aborted && this.#shutdown === undefined;
        if (!gone || left === 0) return ['Failed', {}];
      } finally {
        this.#running.delete(id);
        this.#world.left?.(id);
      }
    }
  }

  #request(signal: AbortSignal): PodRequest {
    const { clock, target, events, whole = this.#plan } = this.#world;
    return {
      ...{ plan: this.#plan, whole, target, clock, signal, teardown: this.#teardown },
      basis: this.#teardown?.approved.hash ?? this.#plan.hash,
      workflow: `argo/${this.#name}/uid-${this.#name}`,
      listen: (event) => events.push(event),
    };
  }

  async #perform(name: string, values: Values, signal: AbortSignal): Promise<[Phase, Values]> {
    const request = this.#request(signal);
    const runStartedAt = this.#startedAt;
    const { runTimeout } = this.#plan;
    if (name === 'begin')
      return ['Succeeded', { run: await beginRun({ ...request, runId: `run-${this.#name}` }) }];
    if (name === 'end-by-pod') {
      this.#report ??= await endRun({
        ...{ ...request, runStartedAt, runTimeout, keepHold: this.#world.keepHold === true },
        strict: this.#world.strict === true,
        ender: `pod-${this.#pods}`,
      });
      return ['Succeeded', {}];
    }
    const { node = '', run = '' } = values;
    const layered = this.#plan.nodes.length > 200;
    const task = { ...request, id: node, run, runStartedAt, layered };
    const { outcome, message } = await runNode(task);
    if (isGood({ outcome, message })) return ['Succeeded', {}];
    this.#messages.push(message);
    return ['Failed', {}];
  }
}

const CREATED = '{{workflow.creationTimestamp.RFC3339}}';
