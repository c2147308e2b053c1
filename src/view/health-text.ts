// Health checks as text.
import type { Coverage, KindCoverage } from '../health/coverage.ts';
import type { Health } from '../health/lua.ts';
import type { EntryDifference } from '../health/render.ts';
import type { CaseResult, HealthTest } from '../health/test-checks.ts';
import { type Look, PLAIN, renderLines, renderParts, warning } from './lines.ts';
import { plural, renderTable } from './table.ts';
import { hint } from './tone.ts';

export function renderHealthTest(
  { checks, passed, failed }: HealthTest,
  look: Look = PLAIN,
): string {
  const table = renderTable(
    ['CHECK', 'CASES', 'RESULT'],
    checks.map(({ check, cases }) => {
      const wrong = cases.filter((one) => !one.passed).length;
      return [check, String(cases.length), wrong === 0 ? 'passed' : `${wrong} failed`];
    }),
    { look, shorten: ['CHECK'] },
  );
  const failures = checks.flatMap(({ check, cases }) =>
    cases.filter((one) => !one.passed).map((one) => renderFailure(check, one)),
  );
  const sum = `${plural(checks.length, 'check')}, ${plural(passed + failed, 'case')}: ${failed === 0 ? 'all passed' : `${failed} failed`}`;
  return renderParts([table, ...failures, renderLines([sum])]);
}

function renderFailure(check: string, { input, expected, actual, error }: CaseResult): string {
  const came = actual ? renderHealth(actual) : `error: ${error}`;
  return renderLines([
    `${check} ${input}`,
    ...(expected ? [`  expected  ${renderHealth(expected)}`] : []),
    `  actual    ${came}`,
  ]);
}

function renderHealth({ status, message }: Health): string {
  return `${status || 'no status'}${message ? `: ${message}` : ''}`;
}

export function renderDifferences(
  differences: readonly EntryDifference[],
  look: Look = PLAIN,
): string {
  const table = renderTable(
    ['ENTRY OF argocd-cm', 'IN THE CLUSTER'],
    differences.map(({ key, state, line }) => [
      key,
      line === null ? STATES[state] : `${STATES[state]} from line ${line}`,
    ]),
    { look, shorten: ['ENTRY OF argocd-cm'] },
  );
  const open = differences.filter(({ state }) => state === 'missing' || state === 'different');
  const sum =
    open.length === 0
      ? 'argocd-cm is up to date'
      : `${plural(open.length, 'entry', 'entries')} to add to argocd-cm`;
  return renderParts([table, renderLines([sum])]);
}

const STATES: Readonly<Record<EntryDifference['state'], string>> = {
  same: 'up to date',
  missing: 'missing',
  different: 'different',
  other: 'not one of these checks; ignored',
  unused: 'not needed: the cluster has no such kind',
};

export function renderCoverage(
  { kinds, uncovered, platform }: Coverage,
  look: Look = PLAIN,
): string {
  const table = renderTable(
    ['KIND', 'HEALTH', 'USED BY', ''],
    kinds.map((row) => [row.kind, sourceText(row), usersText(row.applications), row.reason ?? '']),
    { look, shorten: ['', 'USED BY'] },
  );
  const warnings = kinds
    .filter(({ state }) => state === 'uncovered')
    .map(({ kind, reason, suggestion }) =>
      renderLines([warning(`${kind}: ${reason}`), hint(suggestion ?? '')], look),
    );
  const sum = `${plural(kinds.length, 'kind')} in "${platform}", ${uncovered === 0 ? 'none uncovered' : `${uncovered} uncovered`}`;
  return renderParts([table, ...warnings, renderLines([sum])]);
}

function sourceText({ source, state }: KindCoverage): string {
  if (state === 'accepted') return 'none: accepted';
  if (state === 'nothing-to-wait-for') return 'none: no status';
  return state === 'uncovered' ? 'NONE' : source;
}

const USERS_SHOWN = 3;

function usersText(applications: readonly string[]): string {
  const shown = applications.slice(0, USERS_SHOWN).join(', ');
  const left = applications.length - USERS_SHOWN;
  return left > 0 ? `${shown} and ${left} more` : shown;
}
