// A whole run against an Argo CD in memory, in virtual time, with the faults that a test plants.
import { type DeployRequest, deploy } from '../../src/engines/embedded/run-deploy.ts';
import { buildPlan, type PlanOptions } from '../../src/plan/build-plan.ts';
import { compile } from '../../src/plan/compile.ts';
import type { Plan } from '../../src/plan/plan.ts';
import type { ProjectView } from '../../src/ports/app-projects.ts';
import type { ApplicationView } from '../../src/ports/application-view.ts';
import type { Watch } from '../../src/ports/application-watch.ts';
import type { Applications } from '../../src/ports/argocd-applications.ts';
import type { Target, Watches } from '../../src/ports/target.ts';
import type { Report } from '../../src/report/run-report.ts';
import type { RunEvent } from '../../src/run/events.ts';
import { holdOf } from '../../src/run/hold.ts';
import { operationState } from './application.ts';
import { type Behaviour, FakeArgocd } from './argocd.ts';
import { projectNamed } from './cluster.ts';
import { VirtualClock } from './virtual-clock.ts';

type Faulty<T> = { -readonly [K in keyof T]?: T[K] };

export class World {
  readonly clock = new VirtualClock();
  readonly argocd = new FakeArgocd(this.clock);
  readonly events: RunEvent[] = [];
  readonly stop = new AbortController();
  readonly abort = new AbortController();
  /** As they answer without the faults. */
  readonly honest: Applications = this.argocd.target.applications;
  /** What answers otherwise than it should. */
  readonly applications: Faulty<Applications> = {};
  last: (honest: Watch['last']) => Watch['last'] = (honest) => honest;
  readonly watches: Faulty<Watches> = {};
  readonly part: Faulty<Target> = {};

  constructor(applications: Readonly<Record<string, Behaviour>>) {
    for (const [name, behaviour] of Object.entries(applications)) this.argocd.add(name, behaviour);
  }

  get target(): Target {
    const { target } = this.argocd;
    return {
      ...target,
      applications: { ...this.honest, ...this.applications },
      watches: {
        ...target.watches,
        applications: async (namespaces, signal) => {
          const watch = await target.watches.applications(namespaces, signal);
          return { ...watch, last: this.last(watch.last) };
        },
        ...this.watches,
      },
      at: () => this.target,
      ...this.part,
    };
  }

  start(plan: Plan, part: Partial<DeployRequest> = {}): Promise<Report> {
    return deploy({
      plan,
      required: [],
      target: this.target,
      clock: this.clock,
      runId: `run-${this.events.length}`,
      holder: `holder-${this.events.length}`,
      listen: (event) => this.events.push(event),
      concurrency: 20,
      keepHold: false,
      stop: this.stop.signal,
      abort: this.abort.signal,
      ...part,
    });
  }

  run(plan: Plan, part: Partial<DeployRequest> = {}): Promise<Report> {
    return this.clock.until(this.start(plan, part));
  }

  /** As a process that is started after another one: nobody has told it to stop. */
  runAgain(plan: Plan): Promise<Report> {
    const never = new AbortController().signal;
    return this.run(plan, { stop: never, abort: never, holder: 'second' });
  }

  /** The second Ctrl-C. */
  leaveNow(): void {
    this.stop.abort();
    this.abort.abort();
  }

  /** Synced and Healthy, by an operation of somebody. */
  settle(name: string, part: Partial<ApplicationView> = {}): void {
    const { revision } = this.argocd;
    const health = { status: 'Healthy', message: '' };
    const state = { infos: new Map(), automated: true, username: '', startedAt: 1, finishedAt: 2 };
    this.argocd.change(name, {
      sync: { status: 'Synced', revisions: [revision] },
      health: { ...health, lastTransition: 't0' },
      resources: this.argocd
        .view(name)
        .resources.map((it) => ({ ...it, status: 'Synced', health })),
      operationState: operationState({ ...state, revisions: [revision] }),
      ...part,
    });
  }

  /** An Application that nobody sees until then. */
  hide(hidden: string, isThere: () => boolean): void {
    const isHidden = (name: string) => name === hidden && !isThere();
    this.applications.get = async (address) =>
      isHidden(address.name) ? undefined : await this.honest.get(address);
    this.last = (honest) => (address) => (isHidden(address.name) ? undefined : honest(address));
    this.applications.list = async (namespaces) =>
      (await this.honest.list(namespaces)).filter(({ name }) => !isHidden(name));
  }

  /** Somebody else writes the AppProject. */
  edit(part: Partial<ProjectView>): void {
    const { projects } = this.argocd;
    projects.put({ ...projectNamed('default'), ...projects.peek('default'), ...part });
  }

  order(): string {
    return this.argocd.syncs.map(({ name }) => name).join(' ');
  }

  held(): readonly string[] {
    const project = this.argocd.projects.peek('default');
    return (project && holdOf(project, 'shop')?.names) ?? [];
  }

  /** Milliseconds since the beginning. */
  timeOf({ time }: RunEvent): number {
    return Date.parse(time) - (this.clock.now() - this.clock.monotonic());
  }
}

export function planFrom(spec: unknown, part: Partial<PlanOptions> = {}): Plan {
  const text = JSON.stringify({
    apiVersion: 'tiphys.dev/v1alpha1',
    kind: 'Platform',
    metadata: { name: 'shop' },
    spec,
  });
  return buildPlan(compile({ file: 'shop', text }), { action: 'deploy', ...part });
}

export const app = (name: string, dependsOn: readonly string[] = [], more: object = {}) => ({
  name,
  dependsOn,
  ...more,
});

export const oneStack = (...applications: object[]): Plan =>
  planFrom({ stacks: [{ name: 's', applications }] });

/** One whose own Application makes its members. */
export const stackOf = (application: string, applications: object[], more: object = {}): Plan =>
  planFrom({ stacks: [{ name: 's', application, applications, ...more }] });

/** "a: b c" means that a depends on b and c. */
export function planOf(...lines: string[]): Plan {
  const applications = lines.map((line) => {
    const [name = '', rest = ''] = line.split(':');
    return app(
      name.trim(),
      rest.split(' ').filter((word) => word !== ''),
    );
  });
  return oneStack(...applications);
}

export const outcomes = (report: Report) =>
  Object.fromEntries(report.nodes.map(({ id, outcome }) => [id.replace(/^app:/, ''), outcome]));

export const causeOf = (report: Report, id: string) =>
  report.nodes.find((node) => node.id === id)?.cause;
