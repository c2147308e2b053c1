// The executor's log: one line per event, as JSON or as text.
import type { BootstrapEvent } from '../bootstrap/events.ts';
import type { Io } from '../cli/io.ts';
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
import { LEVELS, type LogLevel, type LogSettings, logSettings } from './executor-settings.ts';

interface LogLine {
  readonly time: number;
  readonly level: LogLevel;
  readonly action: string;
  readonly phase: string;
  readonly component: string;
  readonly message: string;
  /** Additional fields for programs. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** A line without the common fields. */
type Said = Omit<LogLine, 'time' | 'action' | 'phase'> & Partial<LogLine>;
export type Say = (said: Said) => void;

export function logger(io: Io, action: string, phase: () => string): Say {
  const settings = logSettings(io);
  return (said) => {
    const line = { time: io.clock.now(), phase: phase(), ...said, action };
    if (LEVELS.indexOf(line.level) >= LEVELS.indexOf(settings.level))
      io.stderr(renderLogLine(line, settings));
  };
}

function renderLogLine(line: LogLine, { format, traceId, spanId }: LogSettings): string {
  const { level, action, phase, component, message } = line;
  const timestamp = isoTime(line.time);
  if (format === 'text') {
    const time = timestamp.replace(/\.\d+Z$/, 'Z');
    const trace = Object.entries({ traceId, spanId }).map(([name, id]) => id && ` ${name}=${id}`);
    const where = `[${action}/${phase}/${component}]`;
    return renderLines([`${time} ${level.toUpperCase()} ${where} ${message}${trace.join('')}`]);
  }
  const all = { timestamp, level, action, phase, component, message, traceId, spanId };
  return renderJsonLine({ ...all, ...line.fields });
}

/** Warnings of preflight. Failures are diagnostics. */
export const preflightLines = ({ rows }: PreflightReport): Said[] =>
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

/** For the roles of bootstrap. Undefined for an event without a line. */
export function bootstrapLine(event: BootstrapEvent): Said | undefined {
  const message = describeBootstrapEvent(event);
  if (message === undefined || !('role' in event)) return undefined;
  const isBad = 'status' in event && ['failed', 'rolled_back'].includes(event.status);
  const level = isBad ? 'error' : 'info';
  const fields = { event: event.type };
  return { level, phase: 'bootstrap', component: event.role, message, fields };
}

/** Undefined for an event without a line. */
export function eventLine(event: RunEvent): Said | undefined {
  const message = describeEvent(event);
  if (message === undefined) return undefined;
  const component =
    'node' in event && event.node !== undefined ? shortName(event.node) : 'platform';
  const fields = { run: event.run, event: event.type };
  return { level: levelOf(event), component, message, fields };
}

/** Of what is not plain information. */
const LEVEL_OF: Readonly<Partial<Record<RunEvent['type'], LogLevel>>> = {
  'run.warning': 'warn',
  'run.waiting': 'warn',
  'node.attempt-failed': 'warn',
  'gate.closed': 'warn',
  'node.waiting': 'debug',
  'hold.changed': 'debug',
};

function levelOf(event: RunEvent): LogLevel {
  if (event.type !== 'node.finished') return LEVEL_OF[event.type] ?? 'info';
  if (event.outcome === 'failed') return 'error';
  return event.outcome === 'skipped' ? 'warn' : 'info';
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
