// What people decided about proposed edges, and what becomes of the edges by it.
import {
  CONFIDENCES,
  type Confidence,
  type Evidence,
  type ProposedEdge,
  STRENGTHS,
} from './proposal.ts';

export interface DecidedPair {
  readonly dependent: string;
  readonly dependency: string;
  /** A kind of evidence, or "*" for all of them. */
  readonly evidence: string;
  readonly reason?: string | undefined;
}

export interface Decisions {
  readonly accepted: readonly DecidedPair[];
  readonly rejected: readonly DecidedPair[];
}

export const NO_DECISIONS: Decisions = { accepted: [], rejected: [] };
const ANY_EVIDENCE = '*';

/** No name of an Application has a space in it. */
export const pairKey = (pair: { readonly dependent: string; readonly dependency: string }) =>
  `${pair.dependent} ${pair.dependency}`;

/**
 * An accepted edge is always written. Rejected evidence no longer counts: an edge that has no other is reported only,
 * and one that has is judged by the rest, so that new evidence is asked about.
 */
export function applyDecisions(
  edges: readonly ProposedEdge[],
  decisions: Decisions,
): ProposedEdge[] {
  const accepted = kindsByPair(decisions.accepted);
  const rejected = kindsByPair(decisions.rejected);
  return edges.map((edge) => {
    const key = pairKey(edge);
    if (edge.evidence.some(isAmong(accepted.get(key)))) {
      return { ...edge, status: 'written', decision: 'accepted' };
    }
    const kinds = rejected.get(key);
    return kinds ? withoutEvidence(edge, kinds) : edge;
  });
}

function kindsByPair(pairs: readonly DecidedPair[]): ReadonlyMap<string, ReadonlySet<string>> {
  const kinds = new Map<string, Set<string>>();
  for (const pair of pairs) {
    const key = pairKey(pair);
    kinds.set(key, (kinds.get(key) ?? new Set()).add(pair.evidence));
  }
  return kinds;
}

const isAmong =
  (kinds: ReadonlySet<string> | undefined) =>
  ({ kind }: Evidence): boolean =>
    kinds !== undefined && (kinds.has(ANY_EVIDENCE) || kinds.has(kind));

function withoutEvidence(edge: ProposedEdge, kinds: ReadonlySet<string>): ProposedEdge {
  const isRejected = isAmong(kinds);
  const left = edge.evidence.filter((one) => !isRejected(one));
  if (left.length === edge.evidence.length) return edge;
  if (left.length === 0) return { ...edge, status: 'reported', decision: 'rejected' };
  const strength = highest(
    STRENGTHS,
    left.map((one) => one.strength),
  );
  const strongest = left.filter((one) => one.strength === strength);
  const judged = highest(
    CONFIDENCES,
    strongest.map((one) => one.confidence),
  );
  const confidence = lower(judged, edge.confidence);
  const isSure = strength !== 'eventual' && confidence === 'high';
  const asked = edge.status === 'written' && !isSure ? 'suggested' : edge.status;
  const status = strength === 'eventual' ? 'reported' : asked;
  return { ...edge, strength, confidence, status, evidence: left };
}

function highest<T>(scale: readonly T[], values: readonly T[]): T {
  const at = Math.max(...values.map((value) => scale.indexOf(value)));
  return scale[at] as T;
}

const lower = (one: Confidence, other: Confidence): Confidence =>
  CONFIDENCES.indexOf(one) < CONFIDENCES.indexOf(other) ? one : other;

/** Decisions about pairs that are no longer proposed. */
export function staleDecisions(
  edges: readonly ProposedEdge[],
  { accepted, rejected }: Decisions,
): DecidedPair[] {
  const proposed = new Set(edges.map(pairKey));
  return [...accepted, ...rejected].filter((pair) => !proposed.has(pairKey(pair)));
}
