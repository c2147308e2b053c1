// The executor's log: one line for each thing, as JSON or as text. It is made from the events that the commands print.
import type { BootstrapEvent } from '../bootstrap/events.ts';
import type { Submitted } from '../cli/output/output.ts';
import type { Diagnostic } from '../errors.ts';
import { shortName } from '../plan/platform-graph.ts';
import type { PreflightReport } from '../preflight/preflight-report.ts';
import type { RunEvent } from '../run/events.ts';
import { isoTime } from '../run/iso-time.ts';
import { describeBootstrapEvent } from '../view/bootstrap-text.ts';
import { describeEvent } from '../view/event-text.ts';
import { renderJsonLine, renderLines } from '../view/lines.ts';
import { submittedText } from '../view/result-text.ts';
import type { LogLevel, LogSettings } from './executor-settings.ts';

const ORDER: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];

export interface LogLine {
  readonly time: number;
  readonly level: LogLevel;
  readonly action: string;
  readonly phase: string;
  readonly component: string;
  readonly message: string;
  /** More that a program may want to know. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** Undefined where the level is not wanted. */
export function renderLogLine(line: LogLine, settings: LogSettings): string | undefined {
  if (ORDER.indexOf(line.level) < ORDER.indexOf(settings.level)) return undefined;
  const { level, action, phase, component, message } = line;
  const { traceId, spanId } = settings;
  if (settings.format === 'text') {
    const time = isoTime(line.time).replace(/\.\d+Z$/, 'Z');
    const trace = Object.entries({ traceId, spanId }).map(([name, id]) => id && ` ${name}=${id}`);
    const where = `[${action}/${phase}/${component}]`;
    return renderLines([`${time} ${level.toUpperCase()} ${where} ${message}${trace.join('')}`]);
  }
  const timestamp = isoTime(line.time);
  const all = { timestamp, level, action, phase, component, message, traceId, spanId };
  return renderJsonLine({ ...all, ...line.fields });
}

type Said = Pick<LogLine, 'level' | 'component' | 'message' | 'fields'>;
type SaidBefore = Said & { readonly phase: string };

/** Rows of phase 0 that somebody may want to do something about. What fails is a diagnostic. */
export const preflightLines = ({ rows }: PreflightReport): SaidBefore[] =>
  rows
    .filter(({ verdict }) => verdict === 'warning')
    .map(({ id, seen, remedy }) => ({
      level: 'warn',
      phase: 'preflight',
      component: id,
      message: `${seen}. ${remedy ?? ''}`.trim(),
    }));

export const preflightDiagnostics = ({ rows }: PreflightReport): Diagnostic[] =>
  rows.flatMap(({ id, seen, remedy, code }) =>
    code === null ? [] : [{ code, message: `${id}: ${seen}`, hint: remedy ?? undefined }],
  );

/** Of the roles that make the primitives. Undefined for what is not worth a line. */
export function bootstrapLine(event: BootstrapEvent): SaidBefore | undefined {
  const message = describeBootstrapEvent(event);
  if (message === undefined || !('role' in event)) return undefined;
  const isBad = 'status' in event && ['failed', 'rolled_back'].includes(event.status);
  const level = isBad ? 'error' : 'info';
  return {
    level,
    phase: 'bootstrap',
    component: event.role,
    message,
    fields: { event: event.type },
  };
}

/** Undefined for what is not worth a line. */
export function eventLine(event: RunEvent): Said | undefined {
  const message = describeEvent(event);
  if (message === undefined) return undefined;
  const component =
    'node' in event && event.node !== undefined ? shortName(event.node) : 'platform';
  const fields = { run: event.run, event: event.type };
  return { level: levelOf(event), component, message, fields };
}

function levelOf(event: RunEvent): LogLevel {
  switch (event.type) {
    case 'run.warning':
    case 'run.waiting':
    case 'node.attempt-failed':
    case 'gate.closed':
      return 'warn';
    case 'node.waiting':
    case 'hold.changed':
      return 'debug';
    case 'node.finished':
      if (event.outcome === 'failed') return 'error';
      return event.outcome === 'skipped' ? 'warn' : 'info';
    default:
      return 'info';
  }
}

export function submittedLine(submitted: Submitted): Said {
  const fields = { workflow: submitted.workflow };
  return { level: 'info', component: 'executor', message: submittedText(submitted), fields };
}

export function diagnosticLine({ code, message, hint, file, line, column }: Diagnostic): Said {
  const place = [file, line, column].filter((part) => part !== undefined).join(':');
  const text = [place ? `${place}: ${message}` : message, hint].filter(Boolean).join(' ');
  return { level: 'error', component: 'executor', message: text, fields: { code } };
}
