// The executor: the same actions, configured by environment variables and mounts instead of options. What they tell becomes
// its log, its metrics and its report.
import type { Io } from '../cli/io.ts';
import type { NothingToDo, Output } from '../cli/output/output.ts';
import { perform } from '../cli/run-cli.ts';
import { type Diagnostic, EXIT, type ExitStatus, TiphysError } from '../errors.ts';
import type { PreflightReport } from '../preflight/preflight-report.ts';
import { renderJsonLine, renderLines } from '../view/lines.ts';
import { nothingToDoText } from '../view/result-text.ts';
import { optionsOf } from './action-options.ts';
import { settingsOf } from './check-configuration.ts';
import { executorReport, type Result } from './executor-report.ts';
import { type ExecutorSettings, isPodAction, logSettings, MOUNTS } from './executor-settings.ts';
import { HELP } from './help.ts';
import {
  bootstrapLine,
  diagnosticLine,
  eventLine,
  type LogLine,
  preflightDiagnostics,
  preflightLines,
  renderLogLine,
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
  if (isPodAction(action)) return await (await import('./run-pod.ts')).runPod(action, options, io);
  return await new Execution(action, io).run(options);
}

/** A line of the log, but for what all of them have. */
type Unsaid = Omit<LogLine, 'time' | 'action' | 'phase'> & Partial<LogLine>;

class Execution {
  readonly #action: string;
  readonly #io: Io;
  readonly #log: ReturnType<typeof logSettings>;
  readonly #diagnostics: Diagnostic[] = [];
  #result: Result | undefined;
  #phase = 'configuration';

  constructor(action: string, io: Io) {
    this.#action = action;
    this.#io = io;
    this.#log = logSettings(io);
  }

  async run(options: readonly string[]): Promise<ExitStatus> {
    const { clock } = this.#io;
    const started = clock.monotonic();
    const signals = processOne(this.#io, EXIT.partial);
    try {
      const settings = await this.#settings();
      const exitStatus =
        settings instanceof TiphysError
          ? settings.exitStatus
          : await this.#command(settings, options, signals.onSignal);
      const known = settings instanceof TiphysError ? undefined : settings;
      this.#finish(exitStatus, (clock.monotonic() - started) / 1000, known);
      return exitStatus;
    } finally {
      signals.close();
    }
  }

  /** Everything that is wrong with variables, mounts and files, at once. */
  async #settings(): Promise<ExecutorSettings | TiphysError> {
    const found = await settingsOf(this.#action, this.#io);
    if (found instanceof TiphysError) this.#failed(found);
    return found;
  }

  async #command(
    settings: ExecutorSettings,
    options: readonly string[],
    onSignal: Io['onSignal'],
  ): Promise<ExitStatus> {
    this.#phase = PHASES[this.#action] ?? this.#action;
    const { kubeconfig, scope, environment, isShipped } = settings;
    const what = `${this.#action} of ${scope} in ${environment}`;
    const whose = isShipped ? `; there is no ${MOUNTS.platform}: the reference platform` : '';
    this.#say({ level: 'info', component: 'executor', message: `${what}${whose}` });
    const io: Io = {
      ...this.#io,
      stdout: (text) => this.#remark('info', text.trim()),
      stderr: (text) => this.#remark('info', text.trim()),
      screen: () => undefined,
      onSignal,
      ...(kubeconfig && 'text' in kubeconfig ? { kubeconfigText: kubeconfig.text } : {}),
      ...(kubeconfig && 'host' in kubeconfig ? { inCluster: kubeconfig } : {}),
    };
    const context = { io, output: async () => this.#output() };
    try {
      return await perform([this.#action, ...options], context, optionsOf(this.#action, settings));
    } catch (error) {
      return this.#failed(error as TiphysError);
    }
  }

  /** What the action tells becomes log lines; its result is kept for the report. */
  #output(): Output {
    const told = (line: Unsaid | undefined, time: string) => {
      if (line) this.#say({ ...line, time: new Date(time).getTime() });
    };
    return {
      forRun: async () => ({
        event: (event) => told(eventLine(event), event.time),
        report: (report) => {
          this.#result = report;
        },
        close: () => {},
      }),
      bootstrapEvent: (event) => told(bootstrapLine(event), event.time),
      preflight: (report) => this.#prepared(report),
      result: async (result) => this.#ended(result),
      note: (message) => this.#remark('info', message),
      warn: (message) => this.#remark('warn', message),
    };
  }

  #ended(result: Result | NothingToDo): void {
    if (result.kind === 'NothingToDo') this.#remark('info', nothingToDoText(result));
    else this.#result = result;
    if (result.kind === 'Submitted') this.#say(submittedLine(result));
  }

  #remark(level: 'info' | 'warn', message: string): void {
    this.#say({ level, component: 'executor', message });
  }

  #prepared(report: PreflightReport): void {
    for (const line of preflightLines(report)) this.#say(line);
    for (const diagnostic of preflightDiagnostics(report)) this.#diagnose(diagnostic, 'preflight');
  }

  #failed({ diagnostics, exitStatus }: TiphysError): ExitStatus {
    for (const diagnostic of diagnostics) this.#diagnose(diagnostic);
    return exitStatus;
  }

  #diagnose(diagnostic: Diagnostic, phase = this.#phase): void {
    this.#diagnostics.push(diagnostic);
    this.#say({ ...diagnosticLine(diagnostic), phase });
  }

  #say(said: Unsaid): void {
    const { clock, stderr } = this.#io;
    const line = { time: clock.now(), phase: this.#phase, ...said, action: this.#action };
    const text = renderLogLine(line, this.#log);
    if (text !== undefined) stderr(text);
  }

  #finish(exitStatus: ExitStatus, seconds: number, settings: ExecutorSettings | undefined): void {
    const report = executorReport({
      action: this.#action,
      environment: settings?.environment,
      exitStatus,
      durationSeconds: Math.round(seconds * 1000) / 1000,
      result: this.#result,
      diagnostics: this.#diagnostics,
    });
    const message = `${this.#action}: ${report.summary.status}`;
    const level = exitStatus === EXIT.ok ? 'info' : 'error';
    this.#say({ level, component: 'executor', message, fields: { exitStatus } });
    this.#io.stdout(renderJsonLine(report));
    const file = this.#io.environment('METRICS_FILE');
    if (file) this.#measure(file, renderMetrics(report));
  }

  /** Metrics are for looking at: where they cannot be written, the action has still ended as it has. */
  #measure(file: string, text: string): void {
    try {
      this.#io.writeFile(file, text);
    } catch (error) {
      const message = `the metrics cannot be written: ${(error as Error).message}`;
      this.#say({ level: 'warn', component: 'executor', message });
    }
  }
}
