// The score of each part, and every mutant that nothing noticed.
import type { Mutant } from './mutants.ts';
import { LEAST_SCORE, PARTS, partOf } from './scope.ts';

export type Fate = 'killed' | 'timed out' | 'not compiled' | 'ignored' | 'survived' | 'not covered';

export interface Judged extends Mutant {
  readonly fate: Fate;
}

const NOTICED: readonly Fate[] = ['killed', 'timed out'];
const COUNTED: readonly Fate[] = [...NOTICED, 'survived', 'not covered'];

export interface Row {
  readonly part: string;
  readonly counted: number;
  readonly noticed: number;
  readonly fates: Readonly<Record<Fate, number>>;
}

export function rows(mutants: readonly Judged[]): readonly Row[] {
  return Object.keys(PARTS).map((part) =>
    row(
      part,
      mutants.filter(({ file }) => partOf(file) === part),
    ),
  );
}

function row(part: string, mutants: readonly Judged[]): Row {
  const count = (...fates: readonly Fate[]) =>
    mutants.filter(({ fate }) => fates.includes(fate)).length;
  const fates = Object.fromEntries(
    [...COUNTED, 'not compiled', 'ignored'].map((fate) => [fate, count(fate as Fate)]),
  ) as Record<Fate, number>;
  return { part, counted: count(...COUNTED), noticed: count(...NOTICED), fates };
}

const scoreOf = ({ counted, noticed }: Row): number =>
  counted === 0 ? 100 : (100 * noticed) / counted;

export const isEnough = (row: Row): boolean => scoreOf(row) >= LEAST_SCORE;

export function renderRow(row: Row): string {
  const fates = Object.entries(row.fates).map(([fate, count]) => `${count} ${fate}`);
  const verdict = isEnough(row) ? 'ok' : `under ${LEAST_SCORE}`;
  return `${row.part.padEnd(13)}${scoreOf(row).toFixed(1).padStart(6)} %  ${verdict}  (${fates.join(', ')})`;
}

export function renderSurvivor({ file, start, mutator, replacement, fate }: Judged): string {
  const text = replacement.replace(/\s+/g, ' ').slice(0, 80);
  return `${file}:${start.line + 1}:${start.column + 1} ${fate}: ${mutator} -> ${text}`;
}
