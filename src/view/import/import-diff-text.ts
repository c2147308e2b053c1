// A platform file against the evidence, for people: a line a finding, as compilers tell errors, and the evidence below it.

import type { DiffFinding } from '../../import/diff/diff-finding.ts';
import type { ImportDiff } from '../../import/diff/import-diff.ts';
import type { Position } from '../../import/diff/places.ts';
import { renderLines, renderParts } from '../lines.ts';
import { plural } from '../table.ts';
import { shortened } from '../width.ts';
import { evidenceText, ranked } from './evidence-text.ts';

type Located = DiffFinding & Partial<Position>;

const EVIDENCE_SHOWN = 3;
const SHOWN_MAX = 200;

export function renderImportDiff(
  diff: ImportDiff & { readonly findings: readonly Located[] },
  columns: number | undefined,
): string {
  const { findings, file } = diff;
  const lines = findings.slice(0, SHOWN_MAX).flatMap((one) => findingLines(one, file));
  const left = findings.length - SHOWN_MAX;
  const more = left > 0 ? [`... and ${left} more; -o json has all of them`] : [];
  return renderParts([
    renderLines([...lines, ...more].map((line) => shortened(line, columns))),
    renderLines([sumOf(diff)]),
  ]);
}

function findingLines(finding: Located, file: string): string[] {
  const { level, kind, message, evidence, line, column } = finding;
  const place = line === undefined ? file : `${file}:${line}:${column}`;
  const shown = ranked(evidence).slice(0, EVIDENCE_SHOWN);
  const left = evidence.length - EVIDENCE_SHOWN;
  return [
    `${place}: ${level}[${kind}]: ${message}`,
    ...shown.map((one) => `    ${one.strength}: ${evidenceText(one)}`),
    ...(left > 0 ? [`    and ${left} more`] : []),
  ];
}

function sumOf({ platform, counts, exitStatus, unresolved, from }: ImportDiff): string {
  const { error, warning, information } = counts;
  const found = [
    ...(error > 0 ? [plural(error, 'error')] : []),
    ...(warning > 0 ? [plural(warning, 'warning')] : []),
    ...(information > 0 ? [`${information} for information`] : []),
    ...(unresolved > 0 ? [plural(unresolved, 'unresolved reference')] : []),
  ];
  const verdict = exitStatus === 0 ? 'agrees with' : 'does not agree with';
  return `${platform} ${verdict} ${from}${found.length > 0 ? `: ${found.join(', ')}` : ''}`;
}
