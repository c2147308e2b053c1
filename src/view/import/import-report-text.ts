// The report of an import for people: what is not provided first, since that is what the proposal does not see.

import { groupBy } from '../../import/group.ts';
import type { ImportReport, ReportedEdge } from '../../import/report/import-report.ts';
import { renderLines, renderParts } from '../lines.ts';
import { shortened } from '../width.ts';
import { reasonText, short } from './evidence-text.ts';
import { noteParts } from './notes-text.ts';
import { estimateLines, outcomeWord, summaryText } from './summary-text.ts';

/** `columns`: of the terminal; undefined: lines are as long as they are. */
export function renderImportReport(report: ImportReport, columns: number | undefined): string {
  const fitted = (lines: readonly string[]) =>
    renderLines(lines.map((line) => shortened(line, columns)));
  const parts = [
    unresolvedLines(report),
    dependencyLines(report),
    cycleLines(report),
    againstWaves(report),
    ...noteParts(report),
    problemLines(report),
    staleLines(report),
    estimateLines(report),
  ];
  return renderParts([...parts.map(fitted), renderLines([summaryText(report)])]);
}

const NAME_MAX = 60;
const WHAT_MAX = 120;
const PLACES_SHOWN = 2;
/** Of one list; all of them are in JSON and HTML. */
const SHOWN_MAX = 200;

/** The first ones of a list, and how many more there are. */
function listed(heading: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const left = lines.length - SHOWN_MAX;
  const more = left > 0 ? [`  ... and ${left} more; -o json and -o html have all of them`] : [];
  return [heading, ...lines.slice(0, SHOWN_MAX), ...more];
}

function unresolvedLines({ unresolved }: ImportReport): string[] {
  const width = widest(unresolved.map(({ application }) => application));
  const lines = unresolved.map(({ application, what, where }) => {
    const places = where.slice(0, PLACES_SHOWN).map((place) => short(place, NAME_MAX));
    const left = where.length - PLACES_SHOWN;
    const more = left > 0 ? ` and ${left} more` : '';
    const seen = places.length > 0 ? ` (${places.join(', ')}${more})` : '';
    return `  ${short(application, NAME_MAX).padEnd(width)}  ${short(what, WHAT_MAX)}${seen}`;
  });
  return listed('Unresolved: needed, and provided by no application that was read', lines);
}

const widest = (names: readonly string[]): number =>
  Math.min(
    NAME_MAX,
    names.reduce((most, name) => Math.max(most, name.length), 0),
  );

function dependencyLines(report: ImportReport): string[] {
  const shown = report.edges.filter(({ implied }) => !implied);
  const byDependent = groupBy(shown, ({ dependent }) => dependent);
  const width = widest(shown.map(({ dependency }) => dependency));
  const words = shown.map((edge) => outcomeWord(edge.outcome, report.order));
  const column = Math.max(0, ...words.map((word) => word.length));
  const lines = [...byDependent].flatMap(([dependent, edges]) => [
    `  ${short(dependent, NAME_MAX)}`,
    ...inOrder(edges).map((edge) => {
      const word = outcomeWord(edge.outcome, report.order).padEnd(column);
      const name = short(edge.dependency, NAME_MAX).padEnd(width);
      return `    ${word}  ${name}  ${judgement(edge)}: ${reasonText(edge)}`;
    }),
  ]);
  const { implied } = report.summary;
  const more =
    implied > 0 ? ` (${implied} more ${implied === 1 ? 'follows' : 'follow'} from these)` : '';
  return listed(`Dependencies${more}`, lines);
}

const ORDER = ['written', 'refused', 'suggested', 'eventual', 'reported', 'rejected'];

const inOrder = (edges: readonly ReportedEdge[]): ReportedEdge[] =>
  [...edges].sort((a, b) => ORDER.indexOf(a.outcome) - ORDER.indexOf(b.outcome));

export function judgement({ strength, confidence, decision }: ReportedEdge): string {
  const sure = confidence === 'high' ? [] : [`${confidence} confidence`];
  return [strength, ...sure, ...(decision === 'accepted' ? ['accepted'] : [])].join(', ');
}

function cycleLines({ cycles }: ImportReport): string[] {
  const lines = cycles.map(({ cycle, dropped }) => {
    const round = [...cycle, ...cycle.slice(0, 1)].map((name) => short(name, NAME_MAX));
    const what = dropped
      ? `dropped ${short(dropped.dependent, NAME_MAX)} -> ${short(dropped.dependency, NAME_MAX)}`
      : 'every edge is hard: the platform cannot come up in any order';
    return `  ${round.join(' -> ')}; ${what}`;
  });
  return listed('Cycles', lines);
}

function againstWaves({ edges, waves }: ImportReport): string[] {
  const known = new Map(Object.entries(waves));
  const lines = edges
    .filter((edge) => edge.waves === 'against' && edge.outcome !== 'rejected')
    .map(({ dependent, dependency }) => {
      const wave = (name: string) => `${short(name, NAME_MAX)} (wave ${known.get(name) ?? 0})`;
      return `  ${wave(dependent)} needs ${wave(dependency)}`;
    });
  return listed('Against the sync waves: the evidence says the opposite of the order today', lines);
}

function problemLines({ problems }: ImportReport): string[] {
  const lines = problems.map(
    ({ subject, message }) => `  ${short(subject, NAME_MAX)}: ${short(message, 2 * WHAT_MAX)}`,
  );
  return listed('Not written', lines);
}

function staleLines({ staleDecisions }: ImportReport): string[] {
  const lines = staleDecisions.map(
    ({ dependent, dependency, evidence }) => `  ${dependent} -> ${dependency} (${evidence})`,
  );
  return listed('Decisions of import.yaml about edges that are no longer proposed', lines);
}
