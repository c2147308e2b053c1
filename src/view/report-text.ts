// The report for people: what came out, what failed and why, what is still held, what to do next.

import { shortName } from '../plan/platform-graph.ts';
import type { Report, ReportNode } from '../run/report.ts';
import { plural, renderTable } from './table.ts';

export function renderReport(report: Report): string {
  const parts = [table(report), failures(report), warnings(report), held(report), summary(report)];
  return parts.filter((part) => part !== '').join('\n');
}

function table({ nodes }: Report): string {
  const rows = nodes.filter(({ id }) => id.startsWith('app:') || id.startsWith('close:'));
  return renderTable(
    ['NODE', 'OUTCOME', 'WAITED', 'SYNC', 'HEALTH', 'DWELL', 'ATTEMPTS', 'REVISION'],
    rows.map(({ id, outcome, durations, attempts, revisions }) => [
      shortName(id),
      outcome,
      ...[durations.wait, durations.sync, durations.health, durations.dwell].map(renderSeconds),
      String(attempts),
      revisions.map((revision) => revision.slice(0, 8)).join(', ') || '-',
    ]),
  );
}

function renderSeconds(seconds: number): string {
  return seconds === 0 ? '-' : `${seconds.toFixed(1)}s`;
}

function failures({ nodes }: Report): string {
  const failed = nodes.filter(({ outcome }) => outcome === 'failed');
  return failed.map((node) => renderFailure(node, nodes)).join('\n');
}

function renderFailure({ id, cause, attempts }: ReportNode, nodes: readonly ReportNode[]): string {
  const behind = nodes.filter((node) => node.outcome === 'skipped' && node.cause?.node === id);
  const lines = [
    `${shortName(id)} failed${attempts > 1 ? ` after ${attempts} attempts` : ''}: ${cause?.message ?? ''}`,
    ...(cause?.resource ? [`  resource: ${cause.resource}`] : []),
    ...(behind.length > 0
      ? [`  skipped: ${[...new Set(behind.map((node) => shortName(node.id)))].join(', ')}`]
      : []),
    `  next: mend it in Git, then run the same command again; see \`tiphys explain ${shortName(id)}\``,
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function warnings(report: Report): string {
  return report.warnings.map((warning) => `warning: ${warning}\n`).join('');
}

function held(report: Report): string {
  if (report.held.length === 0) return '';
  const names = report.held.map(shortName).join(', ');
  return `Still held, so that Argo CD does not deploy them by itself: ${names}\n  lift it with \`tiphys release\`; the next run takes it over\n`;
}

function summary({ action, platform, counts, reason, exitStatus, run }: Report): string {
  const said = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([outcome, count]) => `${count} ${outcome}`);
  const why = reason ? ` (${reason})` : '';
  const nodes = said.length > 0 ? said.join(', ') : plural(0, 'application');
  return `${action} of "${platform}"${why}: ${nodes}; run ${run}, exit status ${exitStatus}\n`;
}
