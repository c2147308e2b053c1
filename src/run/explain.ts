// Why a node waits or failed, from the question back to the root cause.
import { buildGraph, idOf, neighbours, numberOf } from '../graph/graph.ts';
import type { Plan } from '../plan/plan.ts';
import type { Evidence, Unmet } from './gate.ts';

export interface Link {
  readonly node: string;
  /** `open` where nothing is the matter. */
  readonly condition: string;
  readonly resource: string | null;
  readonly message: string;
  readonly evidence: Evidence | null;
}

/** What was seen of a node with an Application. */
export interface Seen {
  readonly unmet: Unmet | undefined;
  readonly evidence: Evidence | null;
}

/**
 * The node that was asked about, then the chain to the nearest node behind it whose own gate is shut although everything
 * that it depends on is in order: the root of the matter.
 */
export function explain(plan: Plan, seen: ReadonlyMap<string, Seen>, id: string): Link[] {
  const graph = buildGraph(new Map(plan.nodes.map((node) => [node.id, node.dependsOn])));
  const start = numberOf(graph.numbers, id);
  const parents = new Map<number, number | undefined>([[start, undefined]]);
  const open = [start];
  let root = start;
  for (const node of open) {
    const shut = [...neighbours(graph.dependencies, node)].filter((other) =>
      isShut(other, graph, seen),
    );
    if (shut.length === 0 && seen.get(idOf(graph, node))?.unmet) {
      root = node;
      break;
    }
    for (const other of shut) {
      if (parents.has(other)) continue;
      parents.set(other, node);
      open.push(other);
    }
  }
  const chain: Link[] = [];
  for (let node: number | undefined = root; node !== undefined; node = parents.get(node)) {
    const link = linkOf(idOf(graph, node), seen);
    if (link) chain.unshift(link);
  }
  return chain;
}

type Graph = ReturnType<typeof buildGraph>;

/** Itself, or anything behind a join. */
function isShut(node: number, graph: Graph, seen: ReadonlyMap<string, Seen>): boolean {
  const own = seen.get(idOf(graph, node));
  if (own) return own.unmet !== undefined;
  return [...neighbours(graph.dependencies, node)].some((other) => isShut(other, graph, seen));
}

/** Joins say nothing by themselves. */
function linkOf(id: string, seen: ReadonlyMap<string, Seen>): Link | undefined {
  const own = seen.get(id);
  if (!own) return undefined;
  const { unmet, evidence } = own;
  return {
    node: id,
    condition: unmet?.condition ?? 'open',
    resource: unmet?.resource ?? null,
    message: unmet?.message ?? 'its gate is open',
    evidence,
  };
}
