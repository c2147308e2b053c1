// A platform with generated members on the simulated cluster, deployed by whichever engine.
import { deploy } from '../../../src/engines/embedded/run-deploy.ts';
import { requireHealthy } from '../../../src/engines/inspect/required-gates.ts';
import { buildPlan } from '../../../src/plan/build-plan.ts';
import { compile } from '../../../src/plan/compile.ts';
import type { Target } from '../../../src/ports/target.ts';
import { holdEverything } from '../../../src/rehearsal/hold-at-start.ts';
import { parseFaults } from '../../../src/rehearsal/parse-fault.ts';
import { Rehearsal } from '../../../src/rehearsal/rehearsal.ts';
import { namesOf, populate } from '../../../src/rehearsal/scenario.ts';
import type { Report } from '../../../src/report/run-report.ts';
import type { RunEvent } from '../../../src/run/events.ts';
import type { KubeObject } from '../../../src/simulator/cluster/object-store.ts';
import { kindOf } from '../../../src/simulator/cluster/served-kinds.ts';
import { connectOver } from '../../../src/targets/connect.ts';
import { MiniController } from '../../fakes/workflow-controller.ts';
import { API, REPOSITORY } from '../rehearsed.ts';

const PLATFORM = `
apiVersion: tiphys.dev/v1alpha1
kind: Platform
metadata: {name: shop}
spec:
  root: shop-root
  argocd: {project: platform}
  gate: {dwell: 2s}
  timeouts: {sync: 1m, health: 2m}
  retries: {maxAttempts: 1}
  classes: {small: {expectedDuration: 20s}, large: {expectedDuration: 90s}}
  stacks:
    - name: base
      applications: [{name: vault, class: small}, {name: slow, class: large}]
    - name: teams
      applications:
        - {name: shop, class: small, selector: {matchLabels: {team: shop}}, names: "shop-*", argocd: {project: shop}, dependsOn: [vault]}
        - {name: tenants, class: small, applicationSet: tenants, atLeast: 3, argocd: {project: tenants}}
        - {name: portal, class: small, dependsOn: [shop, tenants]}
`;
export const compiled = compile({ file: 'platform.yaml', text: PLATFORM });
export const UP = buildPlan(compiled, { action: 'deploy' });
const never = () => new AbortController().signal;
const HOURS_MS = 4 * 3_600_000;

export type Engine = 'embedded' | 'agent' | 'pods';
export const ENGINES: readonly Engine[] = ['embedded', 'agent', 'pods'];

export interface Operation {
  readonly application: string;
  /** Argo CD has begun it by itself. */
  readonly automated: boolean;
  /** What had ended well by then, of the events. */
  readonly after: readonly string[];
}

export class GeneratedWorld {
  readonly rehearsal: Rehearsal;
  readonly events: RunEvent[] = [];
  readonly operations: Operation[] = [];
  writes = 0;
  #runs = 0;

  /** `held`: from before the run; else the root is the only Application, and does not sync by itself. */
  constructor(faults: readonly string[] = [], held = true) {
    const members = compiled.platform.stacks.flatMap(({ applications }) => applications);
    this.rehearsal = new Rehearsal({
      ...{ seed: 7, start: Date.UTC(2026, 0, 1), namespace: 'argocd' },
      faults: parseFaults(faults, members.flatMap(namesOf)),
      pace: { settle: () => new Promise((resolve) => setImmediate(resolve)) },
    });
    populate(this.rehearsal, compiled.platform);
    if (held) holdEverything(this.rehearsal, compiled.platform);
    else this.#untouched();
    this.rehearsal.onRequest(({ request: { method, path } }) => {
      if (path.includes('/proxy/') && method !== 'GET') this.writes++;
    });
    this.rehearsal.objects.onChange(({ object, before }) => this.#noteOperation(object, before));
  }

  #untouched(): void {
    const { objects } = this.rehearsal;
    for (const root of objects.list(kindOf(API, 'Application')))
      objects.update(root, (now) => ({ ...now, spec: { ...now.spec, syncPolicy: {} } }));
  }

  #noteOperation(object: KubeObject, before: KubeObject | undefined): void {
    if (object.kind !== 'Application' || !object.operation || before?.operation) return;
    const { initiatedBy } = object.operation as { initiatedBy?: { automated?: boolean } };
    const through = this.events.flatMap((event) =>
      event.type === 'node.finished' && event.outcome !== 'failed' ? [event.node] : [],
    );
    const automated = initiatedBy?.automated === true;
    this.operations.push({ application: object.metadata.name, automated, after: through });
  }

  /** What the root has in Git, changed. */
  inGit(change: (object: KubeObject) => KubeObject): void {
    const { git } = this.rehearsal;
    const made = git.read(REPOSITORY, 'shop-root', git.head(REPOSITORY)) ?? [];
    git.commit(REPOSITORY, 'shop-root', made.map(change));
  }

  async up(engine: Engine, plan = UP): Promise<Report> {
    this.events.length = 0;
    this.operations.length = 0;
    this.writes = 0;
    return await this.rehearsal.time.until(this.#deploy(engine, plan), HOURS_MS);
  }

  async #deploy(engine: Engine, plan: typeof UP): Promise<Report> {
    const name = `run-${++this.#runs}`;
    const { clock, target } = await this.join(name);
    if (engine !== 'embedded') {
      const place = { target, clock, events: this.events, whole: UP };
      const { report, messages } = await new MiniController(place, plan, name, engine).run();
      if (!report) throw new Error(messages.join('\n'));
      return report;
    }
    const look = { target, clock, signal: never(), concurrency: 20 };
    return await deploy({
      ...{ plan, required: await requireHealthy(plan, UP, look), target, clock },
      ...{ concurrency: 20, keepHold: false },
      ...{ runId: name, holder: name, stop: never(), abort: never() },
      listen: (event) => this.events.push(event),
    });
  }

  async join(name: string) {
    const { clock, transport, random } = this.rehearsal.join(name);
    const transports = { kubernetes: transport, argocd: undefined };
    const target: Target = await connectOver(transports, { namespace: 'argocd', clock, random });
    return { clock, target };
  }

  /** Something that is asked of the cluster between runs. */
  async ask<T>(question: (place: Awaited<ReturnType<GeneratedWorld['join']>>) => Promise<T>) {
    const asking = this.join(`ask-${++this.#runs}`).then(question);
    return await this.rehearsal.time.until(asking, HOURS_MS);
  }

  get names(): string[] {
    const { objects } = this.rehearsal;
    return objects.list(kindOf(API, 'Application')).map(({ metadata }) => metadata.name);
  }
}

/** The set `tenants`, whose third Application comes so many seconds after it. */
export const late = (seconds: number) => (object: KubeObject) => {
  if (object.kind !== 'ApplicationSet' || object.metadata.name !== 'tenants') return object;
  const text = JSON.stringify(object).replace(
    '{"name":"tenants-3"}',
    `{"name":"tenants-3","after":"${seconds}"}`,
  );
  return JSON.parse(text) as KubeObject;
};

export const outcomes = ({ nodes }: Report) =>
  Object.fromEntries(nodes.map(({ id, outcome }) => [id, outcome]));
