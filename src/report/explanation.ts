// Why a node waits or failed, from the question back to the root cause.

import type { Evidence } from '../gate/evidence.ts';
import type { Unmet } from '../gate/verdict.ts';
import { buildGraph } from '../graph/graph.ts';
import { whyBlocked } from '../graph/why-blocked.ts';
import type { API_VERSION } from '../model/api-version.ts';
import type { Plan } from '../plan/plan.ts';
import type { Where } from './where.ts';

export interface Link {
  readonly node: string;
  /** `open` where nothing is the matter, NOT_PROBED where that is not known for sure. */
  readonly condition: string;
  readonly resource: string | null;
  readonly message: string;
  readonly evidence: Evidence | null;
  /** It does not recover automatically: Degraded, an operation that failed, an error. */
  readonly broken?: true;
}

/** The run that has the platform, or the last one where that came to no end. */
export interface ExplainedRun {
  readonly run: string;
  readonly state: 'active' | 'unfinished';
}

export interface Explanation {
  readonly apiVersion: typeof API_VERSION;
  readonly kind: 'Explanation';
  readonly platform: string;
  /** Absent: a simulated cluster, or it was not read. */
  readonly where?: Where | undefined;
  /** What was asked about. */
  readonly node: string;
  /** Null: none is active or unfinished. */
  readonly run: ExplainedRun | null;
  readonly chain: readonly Link[];
}

export const NOT_PROBED = 'not-probed';

/** What was seen of a node with an Application. */
export interface Seen {
  readonly unmet: Unmet | undefined;
  readonly evidence: Evidence | null;
  readonly isBroken?: boolean;
}

/**
 * The node that was asked about, then the chain to the nearest node behind it whose own gate is shut although everything
 * that it depends on is in order: the root of the matter.
 */
export function explain(plan: Plan, seen: ReadonlyMap<string, Seen>, id: string): Link[] {
  const graph = buildGraph(new Map(plan.nodes.map((node) => [node.id, node.dependsOn])));
  const chain = whyBlocked(graph, openNodes(plan, seen), id);
  const closes = new Set(plan.nodes.filter(({ kind }) => kind === 'close').map((node) => node.id));
  // A stack that only its members keep shut has nothing to say, either.
  const isSilent = (node: string) =>
    closes.has(node) && node !== chain.at(-1) && !seen.get(node)?.unmet;
  const links = chain.filter((node) => !isSilent(node)).flatMap((node) => linkOf(node, seen) ?? []);
  const isOpen = links.every(({ condition }) => condition === 'open');
  return isOpen ? [...links, ...unprobed(plan, id)] : links;
}

/** Its own gate and those behind it that have a probe: an explanation makes no Job. */
function unprobed(plan: Plan, id: string): Link[] {
  const nodes = new Map(plan.nodes.map((node) => [node.id, node]));
  const behind = new Set([id]);
  for (const one of behind) for (const other of nodes.get(one)?.dependsOn ?? []) behind.add(other);
  const message = 'its probe was not run: only deployments run probes';
  return [...behind]
    .filter((one) => nodes.get(one)?.gate.probe !== undefined)
    .map((node) => ({ node, condition: NOT_PROBED, resource: null, message, evidence: null }));
}

/** A join is open when everything before it is. So is a stack with an Application, which may be Healthy before its members. */
function openNodes(plan: Plan, seen: ReadonlyMap<string, Seen>): Set<string> {
  const open = new Set<string>();
  for (const { id, kind, dependsOn } of plan.nodes) {
    const own = seen.get(id);
    const isBehindOpen = () => dependsOn.every((other) => open.has(other));
    if (!own?.unmet && ((own && kind === 'application') || isBehindOpen())) open.add(id);
  }
  return open;
}

/** Joins alone say nothing. */
function linkOf(id: string, seen: ReadonlyMap<string, Seen>): Link | undefined {
  const own = seen.get(id);
  if (!own) return undefined;
  const { unmet, evidence } = own;
  return {
    node: id,
    condition: unmet?.condition ?? 'open',
    resource: unmet?.resource ?? null,
    message: unmet?.message ?? 'it is healthy',
    evidence,
    ...(own.isBroken && unmet && { broken: true }),
  };
}
