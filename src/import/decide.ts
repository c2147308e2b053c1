// Decisions that are given with the command, beside those of the file.
import { usageError } from '../errors.ts';
import { quote } from '../model/names.ts';
import { suggestFrom } from '../model/nearest.ts';
import { type DecidedPair, type Decisions, pairKey } from './decisions.ts';
import type { ProposedEdge } from './proposal.ts';

export interface Pair {
  readonly dependent: string;
  readonly dependency: string;
}

/** A->B. No name has "->" in it that begins or ends with a letter or digit, as names do. */
export function parsePair(text: string): Pair | undefined {
  const [dependent = '', dependency = '', ...more] = text.split('->').map((part) => part.trim());
  if (dependent === '' || dependency === '' || more.length > 0) return undefined;
  return { dependent, dependency };
}

/** A decision is about the evidence there is now, so that new evidence is asked about. The last word about a pair counts. */
export function decide(
  decisions: Decisions,
  given: { readonly accept: readonly Pair[]; readonly reject: readonly Pair[] },
  edges: readonly ProposedEdge[],
): Decisions {
  const byPair = new Map(edges.map((edge) => [pairKey(edge), edge]));
  const decided = new Set([...given.accept, ...given.reject].map(pairKey));
  const kept = (pairs: readonly DecidedPair[]) => pairs.filter((one) => !decided.has(pairKey(one)));
  const pairsOf = (pairs: readonly Pair[]) =>
    pairs.flatMap((pair) => {
      const edge = byPair.get(pairKey(pair));
      if (!edge) throw notProposed(pair, edges);
      const kinds = [...new Set(edge.evidence.map(({ kind }) => kind))].sort();
      return kinds.map((evidence): DecidedPair => ({ ...pair, evidence }));
    });
  return {
    accepted: [...kept(decisions.accepted), ...pairsOf(given.accept)],
    rejected: [...kept(decisions.rejected), ...pairsOf(given.reject)],
  };
}

function notProposed({ dependent, dependency }: Pair, edges: readonly ProposedEdge[]) {
  const all = edges.map((edge) => `${edge.dependent}->${edge.dependency}`);
  const near = suggestFrom(all)(`${dependent}->${dependency}`);
  const message = `No evidence says that ${quote(dependent)} depends on ${quote(dependency)}.`;
  const hint = near
    ? `Did you mean '${near}'?`
    : 'Write the dependency into the platform file: it needs no evidence.';
  return usageError(message, hint);
}
