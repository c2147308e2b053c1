// What a plan's times add up to: how long it takes, what decides that, what would help, and what a failure would block.
import { criticalPath } from '../graph/critical-path.ts';
import { longestAvoiding } from '../graph/detour.ts';
import { buildGraph, type Graph, idOf, transpose } from '../graph/graph.ts';
import { longestBefore, topologicalOrder } from '../graph/order.ts';
import { reach } from '../graph/reach.ts';
import { compareText } from '../model/names.ts';
import type { Plan, PlanNode } from '../plan/plan.ts';
import { makespan } from './makespan.ts';

/** What would be won, in seconds of the whole, if one application were faster and all else the same. */
export interface Gain {
  readonly id: string;
  readonly duration: number;
  /** How much later it could be ready without making the whole any longer. */
  readonly slack: number;
  readonly ifTwiceAsFast: number;
  readonly ifInstant: number;
}

/** What waits for an application, directly or through others. */
export interface Blast {
  readonly id: string;
  readonly blocks: readonly string[];
}

export interface Forecast {
  /** With as many at once as there are. */
  readonly duration: number;
  readonly concurrency: number;
  readonly durationAtConcurrency: number;
  readonly criticalPath: readonly { readonly id: string; readonly duration: number }[];
  /** All applications, the greatest gain first. */
  readonly gains: readonly Gain[];
  /** All applications, the widest first. */
  readonly blasts: readonly Blast[];
}

/** Seconds by the id of the node; what is not in there takes no time. */
export type Times = ReadonlyMap<string, number>;

export function forecast(plan: Plan, times: Times, concurrency: number): Forecast {
  const graph = buildGraph(new Map(plan.nodes.map(({ id, dependsOn }) => [id, dependsOn])));
  const order = topologicalOrder(graph);
  const timeOf = (node: number) => times.get(idOf(graph, node)) ?? 0;
  const { nodes, length } = criticalPath(graph, order, timeOf);
  return {
    duration: length,
    concurrency,
    durationAtConcurrency: makespan(plan, times, concurrency),
    criticalPath: nodes.map((node) => ({ id: idOf(graph, node), duration: timeOf(node) })),
    gains: gainsOf(plan.nodes, graph, order, timeOf),
    blasts: blastsOf(plan.nodes, graph),
  };
}

function gainsOf(
  nodes: readonly PlanNode[],
  graph: Graph,
  order: Uint32Array,
  timeOf: (node: number) => number,
): Gain[] {
  const back = transpose(graph);
  const before = longestBefore(graph, order, timeOf);
  const behind = longestBefore(back, topologicalOrder(back), timeOf);
  const avoiding = longestAvoiding(graph, order, timeOf, { before, behind });
  const gains = applicationsIn(nodes, graph).map(([id, node]): Gain => {
    const duration = timeOf(node);
    const through = (before[node] ?? 0) + duration + (behind[node] ?? 0);
    const around = avoiding[node] ?? 0;
    const whole = Math.max(through, around);
    const gain = (less: number) => whole - Math.max(through - less, around);
    const slack = whole - through;
    return { id, duration, slack, ifTwiceAsFast: gain(duration / 2), ifInstant: gain(duration) };
  });
  return gains.sort(
    (a, b) =>
      b.ifTwiceAsFast - a.ifTwiceAsFast || b.ifInstant - a.ifInstant || compareText(a.id, b.id),
  );
}

function blastsOf(nodes: readonly PlanNode[], graph: Graph): Blast[] {
  const applications = applicationsIn(nodes, graph);
  const blasts = applications.map(([id, node]): Blast => {
    const behind = reach(graph.dependents, [node]);
    const blocked = applications.filter(([other, number]) => other !== id && behind[number] === 1);
    return { id, blocks: blocked.map(([other]) => other) };
  });
  return blasts.sort((a, b) => b.blocks.length - a.blocks.length || compareText(a.id, b.id));
}

/** With their numbers in the graph, by id. */
function applicationsIn(nodes: readonly PlanNode[], graph: Graph): [string, number][] {
  const ids = new Set(nodes.filter(({ kind }) => kind === 'application').map(({ id }) => id));
  return graph.ids.flatMap((id, node): [string, number][] => (ids.has(id) ? [[id, node]] : []));
}
