// The report as text: outcomes, what is on hold, then the failures with their causes and what to do next.

import { isDenial, isUnanswered } from '../gate/decision.ts';
import { renderDuration } from '../model/duration.ts';
import { shortName } from '../plan/platform-graph.ts';
import { renderResource } from '../ports/application-view.ts';
import { REJECTED_TOKEN } from '../ports/argocd-token.ts';
import type { Report, ReportNode } from '../report/run-report.ts';
import { type Cause, isOfTheRun, TIME_UP } from '../run/events.ts';
import type { Leftover } from '../run/leftover.ts';
import { starterName } from '../run/started-by.ts';
import { skipReason } from './event-lines.ts';
import { NOT_FINISHED, outcomeText } from './event-text.ts';
import {
  type Look,
  type Piece,
  PLAIN,
  renderLines,
  renderParts,
  type Text,
  warning,
} from './lines.ts';
import { plural, renderTable } from './table.ts';
import { faint, strong, toned } from './tone.ts';
import { renderWrapped } from './wrap.ts';

interface ReportOptions {
  /** The cluster was simulated: commands for a real cluster would not find this run. */
  readonly isRehearsed?: boolean;
  readonly look?: Look;
}

export function renderReport(
  report: Report,
  { isRehearsed = false, look = PLAIN }: ReportOptions = {},
): string {
  return renderParts([
    table(report, look),
    renderWrapped(report.warnings.map(warning), look),
    leftovers(report, look),
    renderWrapped(held(report, isRehearsed), look),
    renderWrapped(skips(report), look),
    renderWrapped([summary(report)], look),
    // Failures and what to do next come last, where they stay on the screen.
    failures(report, isRehearsed, look),
    resume(report, isRehearsed, look),
  ]);
}

function table({ action, nodes }: Report, look: Look): string {
  if (action === 'teardown') return removals(nodes, look);
  return renderTable(
    ['NAME', 'OUTCOME', 'WAITED', 'SYNC', 'HEALTH', 'DWELL', 'ATTEMPTS', 'REVISION'],
    onePerName(nodes.filter(isVisited)).map(
      ({ id, outcome, cause, durations, attempts, revisions }) => [
        shortName(id),
        outcomeText(outcome, cause),
        ...[durations.wait, durations.sync, durations.health, durations.dwell].map(renderTime),
        String(attempts),
        revisions.map((revision) => revision.slice(0, 8)).join(', ') || '-',
      ],
    ),
    { look, leaveOut: ['REVISION'], shorten: ['NAME'] },
  );
}

/** Skipped nodes have one line per cause instead of a row each. */
const isVisited = ({ outcome }: ReportNode): boolean => outcome !== 'skipped';

/** Its run left it in progress. */
const isLeft = ({ outcome, cause }: ReportNode): boolean =>
  outcomeText(outcome, cause) === NOT_FINISHED;

/** As in the summary: of stacks and the platform, what is on hold is listed, and nothing is counted. */
const isCounted = ({ id }: ReportNode): boolean => id.startsWith('app:');

/** Skips that no failure below explains: the run ended early. */
function skips({ nodes }: Report): Text[] {
  const failed = new Set(nodes.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id));
  const byCause = new Map<string, Set<string>>();
  for (const { id, outcome, cause } of nodes.filter(isCounted)) {
    if (outcome !== 'skipped' || failed.has(cause?.node ?? '')) continue;
    const why = cause ? skipReason(id, cause) : 'unknown';
    byCause.set(why, (byCause.get(why) ?? new Set()).add(shortName(id)));
  }
  return [...byCause].map(([why, names]) => faint(`${names.size} skipped: ${why}`));
}

/** One node per parent: its open if that failed, else its close. */
function onePerName(nodes: readonly ReportNode[]): ReportNode[] {
  const isOpen = ({ id }: ReportNode) => id.startsWith('open:');
  const failed = nodes.filter((node) => isOpen(node) && node.outcome === 'failed');
  const names = new Set(failed.map(({ id }) => shortName(id)));
  return nodes.filter((node) =>
    isOpen(node) ? failed.includes(node) : !names.has(shortName(node.id)),
  );
}

function removals(nodes: readonly ReportNode[], look: Look): string {
  return renderTable(
    ['NAME', 'OUTCOME', 'WAITED', 'TOOK'],
    nodes
      .filter(isVisited)
      .map(({ id, outcome, cause, durations }) => [
        shortName(id),
        outcomeText(outcome, cause),
        ...[durations.wait, durations.sync].map(renderTime),
      ]),
    { look },
  );
}

/** Tenths matter below a minute only. */
function renderTime(seconds: number): string {
  if (seconds === 0) return '-';
  return seconds < 59.95 ? `${seconds.toFixed(1)}s` : renderDuration(Math.round(seconds));
}

function failures({ action, nodes }: Report, isRehearsed: boolean, look: Look): string {
  const failed = nodes.filter(({ outcome }) => outcome === 'failed');
  const hints = failed.map((node) => (isRehearsed ? rehearsedNext(node) : NEXT[action](node)));
  return renderParts(
    failed.map((node, at) => {
      // Advice that the next failure repeats stands below the last of them.
      const hint = hints[at] === hints[at + 1] ? '' : hints[at];
      const next = hint ? [faint(`  next: ${hint}`)] : [];
      return renderWrapped(failureLines(node, nodes, next), look);
    }),
  );
}

/** A run that ended early, where nothing above says how to resume it. */
function resume({ nodes, reason }: Report, isRehearsed: boolean, look: Look): string {
  const isSaid = nodes.some(({ outcome }) => outcome === 'failed');
  return !reason || isSaid || isRehearsed
    ? ''
    : renderWrapped([faint('next: rerun the command to resume')], look);
}

const NEXT: Readonly<Record<Report['action'], (node: ReportNode) => string>> = {
  deploy: ({ id, cause }) => {
    const name = shortName(id);
    if (cause && isDenial(cause.message)) return 'rerun the command; it asks again';
    if (cause && isUnanswered(cause.message))
      return `run \`tiphys approve ${name}\`, then rerun the command${orMoreTime(cause)}`;
    if (cause?.message.includes(REJECTED_TOKEN))
      return 'renew the token (`tiphys bootstrap --only argocd`, or --argocd-token-file), then rerun the command';
    return cause && isOfTheRun(cause)
      ? `rerun the command to resume${orMoreTime(cause)}`
      : `fix "${name}" in Git, then rerun the command; for details run \`tiphys explain ${name}\``;
  },
  teardown: ({ cause }) =>
    cause?.resource === undefined
      ? 'fix the cause, then rerun the command to resume'
      : 'restart the controller of the finalizer, or clean up manually and remove the finalizer; then rerun the command',
};

/** Commands would act on the cluster of the kubeconfig. */
const rehearsedNext = ({ cause }: ReportNode): string =>
  cause?.message.includes(REJECTED_TOKEN) ? 'renew the token, then rerun the command' : '';

const orMoreTime = ({ message }: Cause): string =>
  message.includes(TIME_UP) ? '; if it needs more time, raise `timeouts.run` or --timeout' : '';

function failureLines(
  { id, outcome, cause, attempts }: ReportNode,
  nodes: readonly ReportNode[],
  next: readonly Text[],
): Text[] {
  const name = shortName(id);
  const skipped = nodes
    .filter((node) => isCounted(node) && node.outcome === 'skipped' && node.cause?.node === id)
    .map((node) => shortName(node.id));
  const tries = attempts > 1 ? ` after ${attempts} attempts` : '';
  return [
    [`${name} `, toned(outcomeText(outcome, cause)), `${tries}: ${cause?.message ?? ''}`],
    ...(cause?.resource ? [`  resource: ${cause.resource}`] : []),
    ...(skipped.length > 0 ? [faint(`  ${skipped.length} skipped: ${skipped.join(', ')}`)] : []),
    ...next,
  ];
}

/** With the command that deletes each object; unexpected ones first. */
function leftovers({ leftovers: all = [] }: Report, look: Look): string {
  const lines = (title: string, announced: boolean) => {
    const some = all.filter((one) => one.announced === announced);
    return some.length === 0
      ? ''
      : renderLines([strong(title), ...some.flatMap(renderLeftover)], look);
  };
  return renderParts([lines('Not deleted:', false), lines('Kept, as announced:', true)]);
}

const renderLeftover = ({ resource, cluster, why, command }: Leftover): string[] => [
  `  ${renderResource(resource)}${cluster === undefined ? '' : ` in ${cluster}`}: ${why}`,
  `    ${command}`,
];

function held(report: Report, isRehearsed: boolean): string[] {
  if (report.held.length === 0) return [];
  const names = report.held.map(shortName).join(', ');
  if (report.action === 'teardown') {
    return [
      'The hold remains so that no parent recreates the Applications. The next deployment takes it over; `tiphys release` lifts it.',
    ];
  }
  if (isRehearsed) return [`On hold at the end: ${shortList(report.held.map(shortName))}`];
  return [
    `On hold, so that Argo CD does not sync them out of order: ${names}`,
    '  the next run takes the hold over; to lift it, run `tiphys release`',
  ];
}

const NAMES_MAX = 8;

/** After a failure early in a large platform, nearly all of it is on hold. */
function shortList(names: readonly string[]): string {
  const more = names.length - NAMES_MAX;
  const shown = more > 1 ? [...names.slice(0, NAMES_MAX), `... (${more} more)`] : names;
  return shown.join(', ');
}

function summary(report: Report): Text {
  const { action, platform, counts, nodes, reason, exitStatus, run, startedBy } = report;
  const by = startedBy ? `, started by ${starterName(startedBy)}` : '';
  const unfinished = nodes.filter((node) => isCounted(node) && isLeft(node)).length;
  const said = Object.entries(counts)
    .flatMap(([outcome, count]): [string, number][] =>
      outcome === 'failed'
        ? [
            [outcome, count - unfinished],
            [NOT_FINISHED, unfinished],
          ]
        : [[outcomeText(outcome), count]],
    )
    .filter(([, count]) => count > 0)
    .flatMap(([word, count], at): Piece[] => [`${at > 0 ? ', ' : ''}${count} `, toned(word)]);
  const why = reason ? ` (${reason})` : '';
  const tally = said.length > 0 ? said : [plural(0, 'application')];
  return [
    strong(`${action} of "${platform}"${why}:`),
    ' ',
    ...tally,
    `; run ${run}${by}, exit status ${exitStatus}`,
  ];
}
