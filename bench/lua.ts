// npm run bench:lua: what health checks cost: hostile ones, and many, against their budgets.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeHealthCases } from './health-cases.ts';
import { hostileBudgets, renderHarmless } from './hostile-checks.ts';
import { MAIN, timeProcess } from './processes.ts';
import { type Budget, isOver, load, renderBudgets } from './report.ts';

const CASES = 1_000;
const CASES_SECONDS_MAX = 15;

const folder = mkdtempSync(join(tmpdir(), 'tiphys-bench-'));
let budgets: Budget[] = [];
try {
  process.stderr.write('running hostile checks\n');
  budgets = [...hostileBudgets(folder), casesBudget()];
  process.stdout.write(`${renderHarmless(folder)}${renderBudgets(budgets)}${load()}`);
} finally {
  rmSync(folder, { recursive: true });
}
process.exitCode = budgets.some(isOver) ? 1 : 0;

/** Each case passes, or the command would not end with 0. */
function casesBudget(): Budget {
  process.stderr.write(`running ${CASES} cases\n`);
  const checks = join(folder, 'checks');
  writeHealthCases(checks, CASES);
  const value = timeProcess([MAIN, 'health', 'test', checks]);
  return { what: `health test of ${CASES} cases`, value, limit: CASES_SECONDS_MAX, unit: ' s' };
}
