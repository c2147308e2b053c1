// What the benchmark on the stack prints.
import { median } from './processes.ts';
import type { Budget } from './report.ts';
import { type RunMeasures, sum } from './stack-measures.ts';
import type { Quiet } from './stack-runs.ts';

export function budgetsOf(run: RunMeasures, quiet: Quiet): Budget[] {
  const ratio = run.makespan / run.criticalPath;
  return [
    { what: 'makespan over critical path', value: ratio, limit: 1.05, unit: ' times' },
    { what: 'gate to request, p99', value: percentile(run.latency, 99), limit: 50, unit: ' ms' },
    {
      what: 'requests per changed application, median',
      value: median(perApplication(run)),
      limit: 12,
      unit: '',
    },
    { what: 'requests while nothing changes', value: quiet.requests.length, limit: 0, unit: '' },
  ];
}

export function renderMeasured(run: RunMeasures, quiet: Quiet): string {
  const { latency, arrival } = run;
  const per = perApplication(run);
  const kinds = [...total([...run.requests.values()])].sort(([, a], [, b]) => b - a);
  const lines: [string, string][] = [
    ['applications', String(run.applications)],
    ['makespan', seconds(run.makespan)],
    ['critical path', seconds(run.criticalPath)],
    ['all nodes, one after the other', seconds(run.nodes)],
    ['  of that: operations, by Argo CD', seconds(run.operations)],
    ['  of that: comparisons that were waited for', seconds(run.comparisons)],
    ['  of that: dwell', seconds(run.dwell)],
    ['gate to request sent, p50 and p99', both(latency)],
    ['gate to request arriving, p50 and p99', both(arrival)],
    ['requests per application', `${median(per)} (${Math.min(...per)} to ${Math.max(...per)})`],
    ...kinds.map(([what, n]): [string, string] => [`  ${what}`, (n / run.applications).toFixed(1)]),
    ['requests for no single application', listed(run.others)],
    ['time without a change', seconds(quiet.seconds)],
    ...quiet.requests.map(({ method, path }): [string, string] => [
      '  asked meanwhile',
      `${method} ${path}`,
    ]),
  ];
  const width = Math.max(...lines.map(([what]) => what.length));
  return lines.map(([what, value]) => `${what.padEnd(width)}  ${value}\n`).join('');
}

function perApplication({ requests }: RunMeasures): number[] {
  return [...requests.values()].map((kinds) => sum([...kinds.values()]));
}

function total(all: readonly ReadonlyMap<string, number>[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const kinds of all) {
    for (const [what, n] of kinds) counts.set(what, (counts.get(what) ?? 0) + n);
  }
  return counts;
}

/** The smallest value that so many percent do not exceed. */
function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.ceil((percent / 100) * sorted.length) - 1] ?? Number.NaN;
}

const both = (values: readonly number[]): string =>
  `${percentile(values, 50)} ms, ${percentile(values, 99)} ms`;

const listed = (counts: ReadonlyMap<string, number>): string =>
  [...counts].map(([what, n]) => `${what} ${n}`).join(', ');

const seconds = (value: number): string => `${value.toFixed(1)} s`;
