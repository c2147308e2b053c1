// npm run bench [-- --quick]: what planning costs, beside other planners in the same run, against its budgets.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { naiveOrder, ourOrder, toposortOrder } from './planners.ts';
import { type GeneratedPlatform, generatePlatform } from './platforms.ts';
import { costOf, MAIN, median, timePhases, timeProcess } from './processes.ts';
import { type Budget, isOver, load, type Row, renderBudgets, renderRows } from './report.ts';

const quick = process.argv.includes('--quick');
const SIZES = quick ? [100, 1_000, 10_000] : [100, 1_000, 10_000, 100_000];
const RUNS = 5;
const START_RUNS = 21;
/** The naive planner takes a hundred times as long for ten times the applications; it stops before that is too long. */
const NAIVE_SECONDS_MAX = 20;
let naiveSeconds = 0;

const folder = mkdtempSync(join(tmpdir(), 'tiphys-bench-'));
let budgets: Budget[] = [];
try {
  const rows = SIZES.map((size) => {
    process.stderr.write(`planning ${size} applications\n`);
    return measure(size);
  });
  process.stderr.write('starting the command\n');
  budgets = [...planBudgets(rows), startBudget()];
  process.stdout.write(`${renderRows(rows)}\n${renderBudgets(budgets)}${load()}`);
} finally {
  rmSync(folder, { recursive: true });
}
process.exitCode = budgets.some(isOver) ? 1 : 0;

function measure(applications: number): Row {
  const platform = generatePlatform(applications);
  const file = write(`platform-${applications}`, platform);
  const warmUp = write('warm-up', generatePlatform(100));
  const args = [MAIN, 'plan', '-f', file, '-o', 'json'];
  const output = join(folder, 'plan.json');
  const runs = times(RUNS, () => ({
    cold: timeProcess(args, output),
    ...timePhases(file, warmUp),
    ours: timed(() => ourOrder(platform)),
    toposort: timed(() => toposortOrder(platform)),
  }));
  const middle = (key: keyof (typeof runs)[number]) => median(runs.map((run) => run[key]));
  return {
    applications,
    cold: middle('cold'),
    parse: middle('parse'),
    plan: middle('plan'),
    render: middle('render'),
    ...costOf(args),
    ours: middle('ours'),
    toposort: middle('toposort'),
    naive: timeNaive(platform),
  };
}

function timeNaive(platform: GeneratedPlatform): number | undefined {
  if (naiveSeconds * 100 > NAIVE_SECONDS_MAX) return undefined;
  naiveSeconds = timed(() => naiveOrder(platform));
  return naiveSeconds;
}

function write(name: string, { yaml }: GeneratedPlatform): string {
  const file = join(folder, `${name}.yaml`);
  writeFileSync(file, yaml);
  return file;
}

function planBudgets(rows: readonly Row[]): Budget[] {
  const ratios = rows.slice(1).map((row, at): Budget => {
    const from = rows[at]?.applications ?? 0;
    const what = `time from ${from} to ${row.applications} applications`;
    return { what, value: row.cold / (rows[at]?.cold ?? 1), limit: 12, unit: ' times' };
  });
  const large = rows.find(({ applications }) => applications === 10_000);
  return [
    { what: 'plan of 10000 applications, cold', value: large?.cold ?? 0, limit: 1, unit: ' s' },
    ...ratios,
    { what: 'memory at 10000 applications', value: large?.memory ?? 0, limit: 400, unit: ' MB' },
  ];
}

/** In turns, so that whatever else the machine does weighs on both alike. */
function startBudget(): Budget {
  const pairs = times(START_RUNS, () => ({
    ours: timeProcess([MAIN, 'version']),
    node: timeProcess(['-e', '0']),
  }));
  const ratio = median(pairs.map(({ ours }) => ours)) / median(pairs.map(({ node }) => node));
  return {
    what: 'start of `tiphys version` over `node -e 0`',
    value: ratio,
    limit: 2.5,
    unit: ' times',
  };
}

function timed(work: () => unknown): number {
  const started = performance.now();
  work();
  return (performance.now() - started) / 1000;
}

function times<T>(count: number, make: () => T): T[] {
  return Array.from({ length: count }, make);
}
