// The report for people: what came out, what failed and why, what is still held, what to do next.

import { isDenial, isUnanswered } from '../gate/decision.ts';
import { shortName } from '../plan/platform-graph.ts';
import { renderResource } from '../ports/application-view.ts';
import type { Report, ReportNode } from '../report/run-report.ts';
import { type Cause, isOfTheRun, TIME_UP } from '../run/events.ts';
import type { Leftover } from '../run/leftover.ts';
import { starterName } from '../run/started-by.ts';
import { renderLines, renderParts } from './lines.ts';
import { plural, renderTable } from './table.ts';

interface ReportOptions {
  /** No command of the advice would find this run: the cluster was simulated. */
  readonly isRehearsed?: boolean;
}

export function renderReport(report: Report, { isRehearsed = false }: ReportOptions = {}): string {
  return renderParts([
    table(report),
    failures(report, isRehearsed),
    warnings(report),
    leftovers(report),
    held(report, isRehearsed),
    summary(report),
  ]);
}

function table({ action, nodes }: Report): string {
  if (action === 'teardown') return removals(nodes);
  return renderTable(
    ['NODE', 'OUTCOME', 'WAITED', 'SYNC', 'HEALTH', 'DWELL', 'ATTEMPTS', 'REVISION'],
    onePerName(nodes).map(({ id, outcome, durations, attempts, revisions }) => [
      shortName(id),
      outcome,
      ...[durations.wait, durations.sync, durations.health, durations.dwell].map(renderSeconds),
      String(attempts),
      revisions.map((revision) => revision.slice(0, 8)).join(', ') || '-',
    ]),
  );
}

/** Of a parent, the node that tells its outcome: its open where that failed, else its close. */
function onePerName(nodes: readonly ReportNode[]): ReportNode[] {
  const isOpen = ({ id }: ReportNode) => id.startsWith('open:');
  const failed = nodes.filter((node) => isOpen(node) && node.outcome === 'failed');
  const names = new Set(failed.map(({ id }) => shortName(id)));
  return nodes.filter((node) =>
    isOpen(node) ? failed.includes(node) : !names.has(shortName(node.id)),
  );
}

function removals(nodes: readonly ReportNode[]): string {
  return renderTable(
    ['NODE', 'OUTCOME', 'WAITED', 'TOOK'],
    nodes.map(({ id, outcome, durations }) => [
      shortName(id),
      outcome,
      ...[durations.wait, durations.sync].map(renderSeconds),
    ]),
  );
}

function renderSeconds(seconds: number): string {
  return seconds === 0 ? '-' : `${seconds.toFixed(1)}s`;
}

function failures({ action, nodes }: Report, isRehearsed: boolean): string {
  const failed = nodes.filter(({ outcome }) => outcome === 'failed');
  const next = (node: ReportNode) => (isRehearsed ? [] : [`  next: ${NEXT[action](node)}`]);
  return renderParts(failed.map((node) => renderFailure(node, nodes, next(node))));
}

const NEXT: Readonly<Record<Report['action'], (node: ReportNode) => string>> = {
  deploy: ({ id, cause }) => {
    const name = shortName(id);
    if (cause && isDenial(cause.message)) return 'run the same command again: it asks again';
    if (cause && isUnanswered(cause.message))
      return `\`tiphys approve ${name}\`, then run the same command again${orMoreTime(cause)}`;
    return cause && isOfTheRun(cause)
      ? `run the same command again: it goes on from here${orMoreTime(cause)}`
      : `fix it in Git, then run the same command again; see \`tiphys explain ${name}\``;
  },
  teardown: ({ cause }) =>
    cause?.resource === undefined
      ? 'fix what it names, then run the same command again: it goes on from here'
      : 'let who serves the finalizer run again, or clean up by hand what it stands for and take it off; then run the same command again',
};

const orMoreTime = ({ message }: Cause): string =>
  message.includes(TIME_UP)
    ? '; raise `timeouts.run` or --timeout where the time is too short'
    : '';

function renderFailure(
  { id, cause, attempts }: ReportNode,
  nodes: readonly ReportNode[],
  next: readonly string[],
): string {
  const name = shortName(id);
  const behind = nodes
    .filter((node) => node.outcome === 'skipped' && node.cause?.node === id)
    .map((node) => shortName(node.id));
  const skipped = [...new Set(behind)].filter((other) => other !== name);
  const lines = [
    `${name} failed${attempts > 1 ? ` after ${attempts} attempts` : ''}: ${cause?.message ?? ''}`,
    ...(cause?.resource ? [`  resource: ${cause.resource}`] : []),
    ...(skipped.length > 0 ? [`  skipped: ${skipped.join(', ')}`] : []),
    ...next,
  ];
  return renderLines(lines);
}

function warnings(report: Report): string {
  return renderLines(report.warnings.map((warning) => `warning: ${warning}`));
}

/** With the command that would remove it: those that nobody has announced first. */
function leftovers({ leftovers: all = [] }: Report): string {
  const lines = (title: string, announced: boolean) => {
    const some = all.filter((one) => one.announced === announced);
    return some.length === 0 ? '' : renderLines([title, ...some.flatMap(renderLeftover)]);
  };
  return renderParts([lines('Left behind:', false), lines('Left, as announced:', true)]);
}

const renderLeftover = ({ resource, cluster, why, command }: Leftover): string[] => [
  `  ${renderResource(resource)}${cluster === undefined ? '' : ` in ${cluster}`}: ${why}`,
  `    ${command}`,
];

function held(report: Report, isRehearsed: boolean): string {
  if (report.held.length === 0) return '';
  const names = report.held.map(shortName).join(', ');
  if (isRehearsed) return renderLines([`On hold at the end: ${names}`]);
  if (report.action === 'teardown') {
    return renderLines([
      'The hold stays, so that no parent makes them again; the next deployment takes it over, `tiphys release` lifts it',
    ]);
  }
  return renderLines([
    `Still held, so that Argo CD does not deploy them by itself: ${names}`,
    '  lift it with `tiphys release`; the next run takes it over',
  ]);
}

function summary(report: Report): string {
  const { action, platform, counts, reason, exitStatus, run, startedBy } = report;
  const by = startedBy ? `, started by ${starterName(startedBy)}` : '';
  const said = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([outcome, count]) => `${count} ${outcome}`);
  const why = reason ? ` (${reason})` : '';
  const nodes = said.length > 0 ? said.join(', ') : plural(0, 'application');
  return renderLines([
    `${action} of "${platform}"${why}: ${nodes}; run ${run}${by}, exit status ${exitStatus}`,
  ]);
}
