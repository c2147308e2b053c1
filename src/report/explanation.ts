// Why a node waits or failed, from the question back to the root cause.
import { buildGraph } from '../graph/graph.ts';
import { whyBlocked } from '../graph/why-blocked.ts';
import type { Plan } from '../plan/plan.ts';
import type { Evidence, Unmet } from '../run/verdict.ts';

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
  return whyBlocked(graph, openNodes(plan, seen), id).flatMap((node) => linkOf(node, seen) ?? []);
}

/** A join is open when everything before it is. */
function openNodes(plan: Plan, seen: ReadonlyMap<string, Seen>): Set<string> {
  const open = new Set<string>();
  for (const { id, dependsOn } of plan.nodes) {
    const own = seen.get(id);
    if (own ? !own.unmet : dependsOn.every((other) => open.has(other))) open.add(id);
  }
  return open;
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
