// Columns of text, each as wide as its widest cell, unless the terminal is too narrow for that.
import { type Look, type Piece, piecesOf, renderLines, type Text } from './lines.ts';
import { strong, toned } from './tone.ts';
import { shortened, widthOf } from './width.ts';

interface TableLook {
  readonly look: Look;
  /** The columns that give way on a narrow terminal, the least important first. The others never do. */
  readonly shorten?: readonly string[];
  /** The columns that a narrow terminal leaves out before that, the least important first. */
  readonly leaveOut?: readonly string[];
}

const GAP = 2;
/** A shortened column is at least as wide as its header, and this. */
const LEAST = 14;

/** Words of state have their colours. */
export function renderTable(
  titles: readonly string[],
  cells: readonly (readonly string[])[],
  { look, shorten = [], leaveOut = [] }: TableLook,
): string {
  const all = widthsOf(titles, cells);
  const out = tooMany(titles, all, { leaveOut, columns: look.columns });
  const isKept = (_: unknown, column: number) => !out.has(column);
  const header = titles.filter(isKept);
  const rows = cells.map((row) => row.filter(isKept));
  const lines: Piece[][] = [header.map(strong), ...rows.map((row) => row.map(toned))];
  const widths = all.filter(isKept);
  const given = shorten.map((name) => header.indexOf(name));
  const fitting = fitted(widths, { header, given, columns: look.columns });
  return renderLines(
    lines.map((line) => renderRow(line, fitting)),
    look,
  );
}

interface Leaving {
  readonly leaveOut: readonly string[];
  readonly columns: number | undefined;
}

function tooMany(
  titles: readonly string[],
  widths: readonly number[],
  { leaveOut, columns = Number.POSITIVE_INFINITY }: Leaving,
): ReadonlySet<number> {
  const out = new Set<number>();
  for (const title of leaveOut) {
    if (totalOf(widths.filter((_, column) => !out.has(column))) <= columns) break;
    out.add(titles.indexOf(title));
  }
  return out;
}

export const tableWidth = ([header, rows]: Parameters<typeof widthsOf>): number =>
  totalOf(widthsOf(header, rows));

const totalOf = (widths: readonly number[]): number =>
  widths.reduce((sum, width) => sum + width, GAP * (widths.length - 1));

function widthsOf(header: readonly string[], rows: readonly (readonly string[])[]): number[] {
  return header.map((title, column) =>
    rows.reduce((widest, row) => Math.max(widest, widthOf(row[column] ?? '')), widthOf(title)),
  );
}

interface Giving {
  readonly header: readonly string[];
  readonly given: readonly number[];
  readonly columns: number | undefined;
}

/** First all give way to the least that is readable, then the first of them to the width of its header. */
function fitted(widths: readonly number[], { header, given, columns }: Giving): number[] {
  const left = [...widths];
  if (columns === undefined) return left;
  let over = totalOf(widths) - columns;
  const title = (column: number) => widthOf(header[column] ?? '');
  for (const least of [(column: number) => Math.max(LEAST, title(column)), title]) {
    for (const column of given) {
      const width = left[column] ?? 0;
      const gives = Math.max(0, Math.min(over, width - least(column)));
      left[column] = width - gives;
      over -= gives;
    }
  }
  return left;
}

/** Nothing follows the last cell that is not empty. */
function renderRow(line: readonly Piece[], widths: readonly number[]): Text {
  const last = line.findLastIndex((cell) => widthOf(cell) > 0);
  return line.slice(0, last + 1).flatMap((cell, column): Piece[] => {
    const shown = piecesOf(shortened(cell, widths[column]));
    const rest = (widths[column] ?? 0) - widthOf(shown) + GAP;
    return column === last ? [...shown] : [...shown, ' '.repeat(rest)];
  });
}

export function plural(count: number, noun: string, many = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : many}`;
}
