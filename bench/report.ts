// The tables that benchmarks print.
import { availableParallelism, loadavg } from 'node:os';

export interface Row {
  readonly applications: number;
  /** Seconds. */
  readonly cold: number;
  readonly cpu: number;
  readonly parse: number;
  readonly plan: number;
  readonly render: number;
  /** Megabytes. */
  readonly memory: number;
  /** Order alone, by different planners. */
  readonly ours: number;
  readonly toposort: number;
  /** Undefined where it would take too long. */
  readonly naive: number | undefined;
}

export interface Budget {
  readonly what: string;
  readonly value: number;
  readonly limit: number;
  readonly unit: string;
}

export function renderRows(rows: readonly Row[]): string {
  const header = ['applications', 'cold', 'ratio', 'CPU', 'memory'];
  const phases = ['parse', 'graph+plan', 'render'];
  const planners = ['order: ours', 'toposort', 'naive'];
  const cells = rows.map((row, at) => {
    const previous = rows[at - 1];
    return [
      row.applications.toLocaleString('en'),
      seconds(row.cold),
      previous ? (row.cold / previous.cold).toFixed(1) : '-',
      seconds(row.cpu),
      `${row.memory.toFixed(0)} MB`,
      seconds(row.parse),
      seconds(row.plan),
      seconds(row.render),
      seconds(row.ours),
      seconds(row.toposort),
      row.naive === undefined ? '-' : seconds(row.naive),
    ];
  });
  const lines = [[...header, ...phases, ...planners], ...cells];
  const widths = lines[0]?.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)));
  const render = (line: readonly string[]) =>
    line.map((cell, at) => cell.padStart(widths?.[at] ?? 0)).join('  ');
  return `${lines.map(render).join('\n')}\n`;
}

export function renderBudgets(budgets: readonly Budget[]): string {
  const width = Math.max(...budgets.map(({ what }) => what.length));
  return budgets
    .map((budget) => {
      const { what, value, limit, unit } = budget;
      const verdict = isOver(budget) ? 'OVER' : 'ok';
      return `${what.padEnd(width)}  ${value.toFixed(2)}${unit} of ${limit}${unit}: ${verdict}\n`;
    })
    .join('');
}

export const isOver = ({ value, limit }: Budget): boolean => value > limit;

/** Seconds say something only of a machine that does nothing else. */
export function load(): string {
  const [busy = 0] = loadavg();
  return `load ${busy.toFixed(1)} on ${availableParallelism()} cores\n`;
}

const seconds = (value: number): string =>
  value < 1 ? `${(value * 1000).toFixed(value < 0.01 ? 1 : 0)} ms` : `${value.toFixed(2)} s`;
