// A rehearsal as text: the report of the run, then the forecast.
import { EXIT } from '../errors.ts';
import { renderDuration } from '../model/duration.ts';
import { shortName } from '../plan/platform-graph.ts';
import type { Blast, Gain } from '../report/forecast.ts';
import type {
  RehearsalReport,
  RehearsedRun,
  TeardownRehearsal,
} from '../report/rehearsal-report.ts';
import { type Look, PLAIN, renderLines, renderParts, type Text } from './lines.ts';
import { renderReport } from './report-text.ts';
import { plural, renderTable } from './table.ts';
import { faint, strong } from './tone.ts';
import { renderWrapped } from './wrap.ts';

/** A suggested command line and its purpose. */
export type NextCommand = readonly [line: string, purpose: string];

export function renderRehearsal(
  report: RehearsalReport,
  next: readonly NextCommand[],
  look: Look = PLAIN,
): string {
  const told = [starts(report.runs, look), faults(report, look), duration(report, look)];
  // Failures come last, where they are read; a forecast would push them off the screen.
  if (report.exitStatus !== EXIT.ok)
    return renderParts([...told, ...reports(report, look), commands(next, look)]);
  const { gains: worth, blasts: wide } = report.forecast;
  return renderParts([
    ...reports(report, look),
    ...told,
    gains(worth, look),
    blasts(wide, look),
    commands(next, look),
  ]);
}

function reports({ runs }: RehearsalReport, look: Look): string[] {
  return runs.flatMap(({ report }) =>
    report ? [renderReport(report, { isRehearsed: true, look })] : [],
  );
}

/** Only if there was more than one. */
function starts(runs: readonly RehearsedRun[], look: Look): string {
  if (runs.length < 2) return '';
  const rows = runs.map((run) => {
    return [run.name, time(run.startedAt), time(run.endedAt), String(run.opened), endOf(run)];
  });
  return renderTable(['COMMAND', 'STARTED', 'ENDED', 'GATES', 'END'], rows, {
    look,
    shorten: ['END'],
  });
}

function endOf({ end, report, errors }: RehearsedRun): string {
  if (end === 'killed') return 'killed';
  if (end === 'refused') return `refused: ${errors.map(({ message }) => message).join(' ')}`;
  return `exit status ${report?.exitStatus}${report?.reason ? ` (${report.reason})` : ''}`;
}

function faults({ faults: all }: RehearsalReport, look: Look): string {
  const lines = all.map(({ fault, met }) => {
    return `  ${fault}: ${met > 0 ? `happened${met > 1 ? ` ${met} times` : ''}` : 'did not happen'}`;
  });
  return lines.length > 0 ? renderLines([strong('Faults:'), ...lines], look) : '';
}

function duration(
  { duration: rehearsed, expectedDuration, requests, seed, forecast }: RehearsalReport,
  look: Look,
) {
  const path = forecast.criticalPath.filter(({ id }) => id.startsWith('app:'));
  const steps = path.map((step) => `${shortName(step.id)} ${time(step.duration)}`);
  const lines: Text[] = [
    [
      strong('Rehearsed:'),
      ` ${time(rehearsed)}, expected ${time(expectedDuration)} with concurrency ${forecast.concurrency}`,
    ],
    `  ${plural(requests.argocd, 'request')} to Argo CD, ${requests.argocdWrites} of them writes; ${requests.kubernetes} to Kubernetes; seed ${seed}`,
    ...(steps.length > 0 ? [[strong('Critical path:'), ` ${steps.join(' -> ')}`]] : []),
  ];
  return renderWrapped(lines, look);
}

const ROWS_MAX = 8;
/** Smaller gains are within the random variation of a run. */
const GAIN_MIN = 1;

function gains(all: readonly Gain[], look: Look): string {
  const worth = all.filter(({ ifInstant }) => ifInstant >= GAIN_MIN);
  if (worth.length === 0) return '';
  const rows = worth.slice(0, ROWS_MAX).map(({ id, duration: takes, ifTwiceAsFast, ifInstant }) => {
    return [shortName(id), time(takes), time(ifTwiceAsFast), time(ifInstant)];
  });
  const table = renderTable(
    ['WORTH MAKING FASTER', 'TAKES', 'SAVED IF TWICE AS FAST', 'SAVED IF INSTANT'],
    rows,
    { look },
  );
  return `${table}${more(worth.length)}`;
}

function blasts(all: readonly Blast[], look: Look): string {
  const wide = all.filter(({ blocks }) => blocks.length > 0);
  if (wide.length === 0) return '';
  const rows = wide.slice(0, ROWS_MAX).map(({ id, blocks }) => {
    return [shortName(id), `${blocks.length} of ${all.length}`, some(blocks.map(shortName))];
  });
  const table = renderTable(['IF IT FAILS', 'BLOCKED', 'INCLUDING'], rows, {
    look,
    shorten: ['INCLUDING'],
  });
  return `${table}${more(wide.length)}`;
}

function more(count: number): string {
  if (count <= ROWS_MAX) return '';
  return renderLines([`... and ${count - ROWS_MAX} more; -o json prints all of them`]);
}

const NAMES_MAX = 5;

function some(names: readonly string[]): string {
  const left = names.length - NAMES_MAX;
  return `${names.slice(0, NAMES_MAX).join(', ')}${left > 0 ? `, ... (${left} more)` : ''}`;
}

function commands(next: readonly NextCommand[], look: Look): string {
  const lines = next.flatMap(([line, purpose]) => [faint(`  # ${purpose}`), `  ${line}`]);
  return lines.length > 0 ? renderLines([strong('Next:'), ...lines], look) : '';
}

function time(seconds: number): string {
  return renderDuration(Math.round(seconds));
}

export function renderTeardownRehearsal(
  { report, duration, critical }: TeardownRehearsal,
  look: Look = PLAIN,
): string {
  const path = critical.path
    .filter((one) => one.duration >= 0.5)
    .map((one) => `${shortName(one.id)} ${time(one.duration)}`);
  return renderParts([
    renderReport(report, { isRehearsed: true, look }),
    renderWrapped(
      [
        `Rehearsed: ${time(duration)}, with pods that stop quickly; longest chain: ${path.join(' -> ')}`,
      ],
      look,
    ),
  ]);
}
