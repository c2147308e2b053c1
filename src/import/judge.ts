// One verdict for each pair, with all of its evidence.
import { groupBy } from './group.ts';
import type { Match } from './match.ts';
import {
  CONFIDENCES,
  type Confidence,
  type Evidence,
  type ProposedEdge,
  STRENGTHS,
  type Strength,
} from './proposal.ts';
import type { WaveCheck } from './waves.ts';

const NAMES = 'names';

export function judgeEdges(matches: readonly Match[], waves: WaveCheck): ProposedEdge[] {
  const pairs = groupBy(matches, (match) => `${match.dependent} ${match.dependency}`);
  return [...pairs]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([, pair]) => judge(pair, waves));
}

function judge(pair: readonly Match[], waves: WaveCheck): ProposedEdge[] {
  const [first] = pair;
  if (!first) return [];
  const { dependent, dependency } = first;
  const direction = waves(dependent, dependency);
  const evidence = evidenceOf(pair, direction === 'against');
  const counted = evidence.filter(({ strength }) => strength !== 'eventual');
  const sure =
    counted.some(({ kind }) => kind !== NAMES) && counted.some(({ kind }) => kind === NAMES);
  const best = confidenceOf(counted.length > 0 ? counted : evidence);
  const confidence = sure && best === 'medium' && direction !== 'against' ? 'high' : best;
  const strength = strongest(counted.filter((one) => one.confidence === best));
  const status = statusOf(strength, confidence, counted);
  const edge = { dependent, dependency, strength, confidence, status, evidence };
  return [direction === undefined ? edge : { ...edge, waves: direction }];
}

function evidenceOf(pair: readonly Match[], isAgainst: boolean): Evidence[] {
  const found = pair.map(
    ({ need, evidence, confidence }): Evidence => ({
      kind: evidence,
      strength: need.strength,
      confidence: isAgainst ? lowered(confidence) : confidence,
      text: need.text,
      where: need.where,
    }),
  );
  const unique = new Map(found.map((one) => [sortKey(one), one]));
  return [...unique].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, one]) => one);
}

/** The strongest first; then by kind and text, so that the order of the input does not matter. */
function sortKey({ kind, strength, confidence, text, where }: Evidence): string {
  const weight = [
    STRENGTHS.length - STRENGTHS.indexOf(strength),
    9 - CONFIDENCES.indexOf(confidence),
  ];
  return [...weight, kind, text, where].join('\0');
}

function lowered(confidence: Confidence): Confidence {
  return CONFIDENCES[Math.max(0, CONFIDENCES.indexOf(confidence) - 1)] ?? 'low';
}

function confidenceOf(evidence: readonly Evidence[]): Confidence {
  const best = Math.max(...evidence.map(({ confidence }) => CONFIDENCES.indexOf(confidence)));
  return CONFIDENCES[best] ?? 'low';
}

function strongest(evidence: readonly Evidence[]): Strength {
  const best = Math.max(0, ...evidence.map(({ strength }) => STRENGTHS.indexOf(strength)));
  return STRENGTHS[best] ?? 'eventual';
}

function statusOf(
  strength: Strength,
  confidence: Confidence,
  counted: readonly Evidence[],
): ProposedEdge['status'] {
  if (strength === 'eventual') return 'reported';
  const byNameAlone = counted.every(({ kind }) => kind === NAMES);
  return confidence === 'high' && !byNameAlone ? 'written' : 'suggested';
}
