// Text from outside in one line of a file or report: every character visible, and no longer than a line may be.
import { CONFIDENCES, type Evidence, type ProposedEdge, STRENGTHS } from '../../import/proposal.ts';
import { printable } from '../lines.ts';

const TEXT_MAX = 160;
const PLACE_MAX = 80;

export function short(text: string, most: number): string {
  // More than is shown is not even looked at.
  const shown = printable(text.slice(0, most + 1)).trim();
  return shown.length > most ? `${shown.slice(0, most - 3)}...` : shown;
}

/** The strongest first, the surest of these first. */
export function ranked(evidence: readonly Evidence[]): Evidence[] {
  const rank = ({ strength, confidence }: Evidence) =>
    STRENGTHS.indexOf(strength) * 10 + CONFIDENCES.indexOf(confidence);
  return [...evidence].sort((a, b) => rank(b) - rank(a));
}

export function evidenceText({ text, where }: Evidence): string {
  return `${short(text, TEXT_MAX)}${where === '' ? '' : ` (${short(where, PLACE_MAX)})`}`;
}

/** The best reason of an edge, and how many more there are. */
export function reasonText({ evidence }: ProposedEdge): string {
  const [best, ...others] = ranked(evidence);
  if (!best) return 'accepted without evidence';
  const kinds = [...new Set(others.map(({ kind }) => kind))].filter((kind) => kind !== best.kind);
  const also = kinds.length > 0 ? `: ${short(kinds.join(', '), PLACE_MAX)}` : '';
  const more = others.length > 0 ? `; ${others.length} more${also}` : '';
  return `${evidenceText(best)}${more}`;
}
