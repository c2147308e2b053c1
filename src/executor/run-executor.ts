// The executor: the same actions, configured by environment variables and mounts instead of options. What they tell becomes
// its log, its metrics and its report.
import type { Io } from '../cli/io.ts';
import type { Output } from '../cli/output/output.ts';
import { perform } from '../cli/run-cli.ts';
import { type Diagnostic, EXIT, type ExitStatus, TiphysError } from '../errors.ts';
import { renderJsonLine, renderLines, renderText } from '../view/lines.ts';
import { nothingToDoText } from '../view/result-text.ts';
import { settingsOf } from './check-configuration.ts';
import { executorReport, type Result } from './executor-report.ts';
import { type ExecutorSettings, isPodAction, MOUNTS, PROBE } from './executor-settings.ts';
import { HELP } from './help.ts';
import {
  bootstrapLine,
  diagnosticLine,
  eventLine,
  logger,
  preflightDiagnostics,
  preflightLines,
  type Say,
  submittedLine,
} from './log.ts';
import { renderMetrics } from './metrics.ts';
import { processOne } from './pod-signals.ts';

const PHASES: Readonly<Record<string, string>> = {
  deploy: 'orchestration',
  validate: 'validation',
  teardown: 'teardown',
};

export async function runExecutor(args: readonly string[], io: Io): Promise<number> {
  const [action = '', ...options] = args;
  if (action === '--help' || action === '-h') {
    io.stdout(HELP);
    return EXIT.ok;
  }
  if (action === '--version' || action === '-V') {
    io.stdout(renderLines([`executor ${io.version()}`]));
    return EXIT.ok;
  }
  if (action === PROBE) return await (await import('./run-probe.ts')).runProbe(io);
  if (isPodAction(action)) return await (await import('./run-pod.ts')).runPod(action, options, io);
  return await new Execution(action, io).run(options);
}

class Execution {
  readonly #action: string;
  readonly #io: Io;
  readonly #say: Say;
  readonly #diagnostics: Diagnostic[] = [];
  #result: Result | undefined;
  #phase = 'configuration';

  constructor(action: string, io: Io) {
    this.#action = action;
    this.#io = io;
    this.#say = logger(io, action, () => this.#phase);
  }

  async run(options: readonly string[]): Promise<ExitStatus> {
    const { clock } = this.#io;
    const started = clock.monotonic();
    const signals = processOne(this.#io, EXIT.partial);
    let settings: ExecutorSettings | undefined;
    let exitStatus: ExitStatus;
    try {
      settings = await settingsOf(this.#action, this.#io);
      exitStatus = await this.#command(settings, options, signals.onSignal);
    } catch (error) {
      if (!(error instanceof TiphysError)) throw error;
      for (const diagnostic of error.diagnostics) this.#diagnose(diagnostic);
      exitStatus = error.exitStatus;
    } finally {
      signals.close();
    }
    this.#finish(exitStatus, (clock.monotonic() - started) / 1000, settings?.environment);
    return exitStatus;
  }

  async #command(
    settings: ExecutorSettings,
    options: readonly string[],
    onSignal: Io['onSignal'],
  ): Promise<ExitStatus> {
    const action = this.#action;
    this.#phase = PHASES[action] ?? action;
    const { scope, environment, isShipped, access, trigger } = settings;
    const whose = isShipped
      ? `; ${MOUNTS.platform} is not mounted: using the reference platform`
      : '';
    this.#remark('info', `${action} of ${scope} in ${environment}${whose}`);
    const io: Io = {
      ...this.#io,
      stdout: (text) => this.#remark('info', text.trim()),
      stderr: (text) => this.#remark('info', text.trim()),
      terminal: () => undefined,
      color: 'never',
      screen: () => undefined,
      onSignal,
      ...access,
      trigger,
    };
    const context = { io, output: async () => this.#output() };
    return await perform([action, ...options], context, settings.options);
  }

  /** Progress becomes log lines; the result is kept for the report. */
  #output(): Output {
    const told = (line: Parameters<Say>[0] | undefined, time: string) => {
      if (line) this.#say({ ...line, time: new Date(time).getTime() });
    };
    return {
      forRun: async () => ({
        event: (event) => told(eventLine(event), event.time),
        report: (report) => {
          this.#result = report;
        },
        notice: (text) => this.#remark('info', renderText(text([]))),
        close: () => {},
      }),
      bootstrapEvent: (event) => told(bootstrapLine(event), event.time),
      preflight: (report) => {
        for (const line of preflightLines(report)) this.#say(line);
        for (const one of preflightDiagnostics(report)) this.#diagnose(one, 'preflight');
      },
      result: async (result) => {
        if (result.kind === 'NothingToDo') this.#remark('info', nothingToDoText(result));
        else this.#result = result;
        if (result.kind === 'Submitted') this.#say(submittedLine(result));
      },
      note: (message) => this.#remark('info', message),
      warn: (message) => this.#remark('warn', message),
      notice: (text) => this.#remark('info', renderText(text([]))),
    };
  }

  #remark(level: 'info' | 'warn', message: string): void {
    this.#say({ level, component: 'executor', message });
  }

  #diagnose(diagnostic: Diagnostic, phase = this.#phase): void {
    this.#diagnostics.push(diagnostic);
    this.#say({ ...diagnosticLine(diagnostic), phase });
  }

  #finish(exitStatus: ExitStatus, seconds: number, environment: string | undefined): void {
    const action = this.#action;
    const durationSeconds = Math.round(seconds * 1000) / 1000;
    const [result, diagnostics] = [this.#result, this.#diagnostics];
    const ended = { action, environment, exitStatus, durationSeconds, result, diagnostics };
    const report = executorReport(ended);
    const message = `${action}: ${report.summary.status}`;
    const level = exitStatus === EXIT.ok ? 'info' : 'error';
    this.#say({ level, component: 'executor', message, fields: { exitStatus } });
    this.#io.stdout(renderJsonLine(report));
    const file = this.#io.environment('METRICS_FILE');
    if (file) this.#measure(file, renderMetrics(report));
  }

  /** Metrics do not change the result: if they cannot be written, only a warning is logged. */
  #measure(file: string, text: string): void {
    try {
      this.#io.writeFile(file, text);
    } catch (error) {
      this.#remark('warn', `cannot write the metrics: ${(error as Error).message}`);
    }
  }
}
