// What a run cost, from its events, its plan and the requests that were seen on their way to Argo CD.
import type { Plan, PlanNode } from '../src/plan/plan.ts';
import type { Report } from '../src/report/run-report.ts';
import type { RunEvent } from '../src/run/events.ts';
import type { Passing } from '../test/stack/kit/relay.ts';

export interface Evidence {
  readonly plan: Plan;
  readonly run: { readonly events: readonly RunEvent[]; readonly report: Report };
  readonly passed: readonly Passing[];
  /** Seconds from each request's acceptance to the operation's end. */
  readonly operations: readonly number[];
}

/** Seconds, unless it says otherwise. */
export interface RunMeasures {
  readonly applications: number;
  readonly makespan: number;
  readonly criticalPath: number;
  /** Milliseconds from the last dependency's gate to the request: as the run says, and as the relay saw it arrive. */
  readonly latency: readonly number[];
  readonly arrival: readonly number[];
  /** Of each application; what a request is for -> how many. */
  readonly requests: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** Requests that belong to no application, AppProjects among them. */
  readonly others: ReadonlyMap<string, number>;
  /** Sums over all applications. */
  readonly nodes: number;
  readonly operations: number;
  readonly comparisons: number;
  readonly dwell: number;
}

export function measure({ plan, run, passed, operations }: Evidence): RunMeasures {
  const { requested, opened } = momentsOf(run.events);
  const nodes = plan.nodes.filter(({ kind }) => kind === 'application');
  const timeOf = ({ id }: PlanNode) =>
    requested.has(id) ? (at(opened, id) - at(requested, id)) / 1000 : 0;
  const behind = nodes.filter((node) => node.layer > firstLayer(nodes));
  const ready = (node: PlanNode) => Math.max(...node.dependsOn.map((id) => at(opened, id)));
  const { mine, others } = requestsOf(nodes, passed);
  const refreshes = passed.filter(({ path }) => path.includes('refresh='));
  return {
    applications: nodes.length,
    makespan: (Math.max(...opened.values()) - Math.min(...requested.values())) / 1000,
    criticalPath: longest(plan, timeOf),
    latency: behind.map((node) => at(requested, node.id) - ready(node)),
    arrival: behind.map((node) => arrivalOf(node, passed) - ready(node)),
    requests: mine,
    others,
    nodes: sum(nodes.map(timeOf)),
    operations: sum(operations),
    comparisons: sum(refreshes.map(({ took = 0 }) => took / 1000)),
    dwell: sum(run.report.nodes.map(({ durations }) => durations.dwell)),
  };
}

/** The first request and the gate of each node, joins included, in milliseconds. */
function momentsOf(events: readonly RunEvent[]) {
  const requested = new Map<string, number>();
  const opened = new Map<string, number>();
  for (const event of events) {
    const time = Date.parse(event.time);
    if (event.type === 'gate.opened') opened.set(event.node, time);
    if (event.type === 'node.sync-requested' && !requested.has(event.node)) {
      requested.set(event.node, time);
    }
  }
  return { requested, opened };
}

const firstLayer = (nodes: readonly PlanNode[]) => Math.min(...nodes.map(({ layer }) => layer));

/** Over the plan, which lists every node after its dependencies. */
function longest(plan: Plan, timeOf: (node: PlanNode) => number): number {
  const ends = new Map<string, number>();
  for (const node of plan.nodes) {
    const begin = Math.max(0, ...node.dependsOn.map((id) => at(ends, id)));
    ends.set(node.id, begin + timeOf(node));
  }
  return Math.max(...ends.values());
}

function arrivalOf({ application }: PlanNode, passed: readonly Passing[]): number {
  const path = `/api/v1/applications/${application}/sync`;
  return passed.find((one) => one.method === 'POST' && one.path === path)?.at ?? Number.NaN;
}

function requestsOf(nodes: readonly PlanNode[], passed: readonly Passing[]) {
  const mine = new Map(nodes.map(({ application }) => [application ?? '', new Map()]));
  const others = new Map<string, number>();
  for (const { method, path } of passed) {
    const { pathname, searchParams } = new URL(path, 'http://argocd');
    const parts = pathname.split('/').slice(3);
    const named = parts.find((part) => mine.has(part));
    const what = searchParams.has('refresh') ? 'refresh' : parts.filter((part) => part !== named);
    if (named) count(mine.get(named) ?? new Map(), kindOf(method, what));
    else count(others, kindOf(method, [parts[0] ?? '']));
  }
  return { mine, others };
}

/** `GET applications` is the Application itself, `can-i` a question for a right. */
function kindOf(method: string, what: string | readonly string[]): string {
  if (typeof what === 'string') return what;
  if (what.includes('can-i')) return 'can-i';
  return `${method} ${what.at(-1)}`;
}

function count(counts: Map<string, number>, what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1);
}

function at(moments: ReadonlyMap<string, number>, id: string): number {
  const found = moments.get(id);
  if (found === undefined) throw new Error(`The run says nothing of ${id}.`);
  return found;
}

export const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
