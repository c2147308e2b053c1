// The executor: the same commands, configured by environment variables and mounts instead of options. What they print as
// JSON becomes its log, its metrics and its report.
import type { BootstrapEvent } from '../bootstrap/events.ts';
import { planFor } from '../cli/input/planning.ts';
import { readSource } from '../cli/input/read-source.ts';
import type { Io } from '../cli/io.ts';
import { runCli } from '../cli/run-cli.ts';
import { type Diagnostic, EXIT, type ExitStatus, TiphysError } from '../errors.ts';
import { environmentFile } from '../model/environment-file.ts';
import { quote } from '../model/names.ts';
import { suggestFrom } from '../model/nearest.ts';
import { parseFile } from '../model/validate.ts';
import type { PreflightReport } from '../preflight/preflight-report.ts';
import type { RunEvent } from '../run/events.ts';
import { renderJsonLine, renderLines } from '../view/lines.ts';
import { executorReport, type Result } from './executor-report.ts';
import {
  ACTIONS,
  checkEnvironmentName,
  type ExecutorAction,
  type ExecutorSettings,
  executorSettings,
  isPodAction,
  logSettings,
  MOUNTS,
  platformFileOf,
} from './executor-settings.ts';
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
    if (!(found instanceof TiphysError)) return found;
    for (const diagnostic of found.diagnostics) this.#diagnose(diagnostic);
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
      stdout: (text) => this.#heardSaying(text),
      stderr: (text) => this.#heardOf(text),
      screen: () => undefined,
      onSignal,
      ...(kubeconfig && 'text' in kubeconfig ? { kubeconfigText: kubeconfig.text } : {}),
      ...(kubeconfig && 'host' in kubeconfig ? { inCluster: kubeconfig } : {}),
    };
    return await runCli([this.#action, ...options, ...optionsOf(this.#action, settings)], io);
  }

  /** Where there is nothing to do, a command says so in words. */
  #heardSaying(text: string): void {
    if (text.startsWith('{')) this.#heard(JSON.parse(text));
    else this.#say({ level: 'info', component: 'executor', message: text.trim() });
  }

  /** One event, or the result: the last one is that of the action. */
  #heard(value: RunEvent | BootstrapEvent | Result | PreflightReport): void {
    if ('kind' in value) {
      if (value.kind === 'Preflight') this.#prepared(value);
      else this.#result = value;
      if (value.kind === 'Submitted') this.#say(submittedLine(value));
      return;
    }
    const line = 'run' in value ? eventLine(value) : bootstrapLine(value);
    if (line) this.#say({ ...line, time: new Date(value.time).getTime() });
  }

  #prepared(report: PreflightReport): void {
    for (const line of preflightLines(report)) this.#say(line);
    for (const diagnostic of preflightDiagnostics(report)) this.#diagnose(diagnostic, 'preflight');
  }

  /** Errors as one JSON document; anything else is said to people. */
  #heardOf(text: string): void {
    if (text.startsWith('{')) {
      for (const diagnostic of JSON.parse(text).errors) this.#diagnose(diagnostic);
      return;
    }
    const [, warning] = /^warning: (.*)/s.exec(text) ?? [];
    const message = (warning ?? text).trim();
    this.#say({ level: warning === undefined ? 'info' : 'warn', component: 'executor', message });
  }

  #diagnose(diagnostic: Diagnostic, phase = this.#phase): void {
    this.#diagnostics.push(diagnostic);
    this.#say({ ...diagnosticLine(diagnostic), phase });
  }

  #say(said: Omit<LogLine, 'time' | 'action' | 'phase'> & Partial<LogLine>): void {
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

async function settingsOf(action: string, io: Io): Promise<ExecutorSettings | TiphysError> {
  const problems: Diagnostic[] = [];
  const collect = async <T>(step: () => T | Promise<T>): Promise<T | undefined> => {
    try {
      return await step();
    } catch (error) {
      if (!(error instanceof TiphysError)) throw error;
      problems.push(...error.diagnostics);
      return undefined;
    }
  };
  await collect(() => checkAction(action));
  const settings = await collect(() => executorSettings(io, action));
  await collect(() => checkFiles(io, action, settings));
  if (settings && problems.length === 0) return settings;
  return new TiphysError(problems);
}

function checkAction(action: string): asserts action is ExecutorAction {
  if (ACTIONS.some((one) => one === action)) return;
  const near = suggestFrom([...ACTIONS])(action);
  const message = action ? `There is no action ${quote(action)}.` : 'The action is missing.';
  const hint = near ? `Did you mean "${near}"?` : `executor ${ACTIONS.join(' | ')}; see --help.`;
  throw new TiphysError([{ code: 'usage-invalid', message, hint }]);
}

/** Also where variables are wrong: the files are where they are. */
async function checkFiles(
  io: Io,
  action: string,
  settings: ExecutorSettings | undefined,
): Promise<void> {
  const environment = MOUNTS.environment;
  const source = readSource(io, environment, `Mount it as ${environment}.`);
  const file = platformFileOf(io);
  const way = action === 'teardown' ? 'teardown' : 'deploy';
  await planFor(io, way, { file, environment, ...scopeOf(settings?.scope) });
  if (settings) checkEnvironmentName(settings, parseFile(source, environmentFile).name);
}

/** The whole platform is what is meant where no scope is named. */
function scopeOf(scope = 'platform'): { readonly scope?: readonly string[] } {
  return scope === 'platform' ? {} : { scope: [scope] };
}

function optionsOf(action: string, settings: ExecutorSettings): string[] {
  const { platformFile, kubeconfig, tokenFile, scope, dryRun, image } = settings;
  const inside = action !== 'validate' && image !== undefined && !dryRun;
  const quiet = action === 'validate' ? '--no-refresh' : '--dry-run';
  return [
    ...['--file', platformFile, '--environment', settings.environmentFile, '--output', 'json'],
    ...(scopeOf(scope).scope ?? []).flatMap((one) => ['--scope', one]),
    ...(kubeconfig && 'file' in kubeconfig ? ['--kubeconfig', kubeconfig.file] : []),
    ...(tokenFile === undefined ? [] : ['--argocd-token-file', tokenFile]),
    ...(dryRun ? [quiet] : []),
    ...(inside ? ['--engine', 'auto', '--image', image] : []),
    ...(action === 'deploy' ? bootstrapOptions(settings) : []),
    ...teardownOptions(settings.teardown),
  ];
}

/** What is needed where the cluster has nothing yet. */
function bootstrapOptions({ charts }: ExecutorSettings): string[] {
  const place = charts === undefined ? [] : ['--charts', charts];
  return ['--bootstrap', '--secrets', MOUNTS.secrets, ...place];
}

function teardownOptions(teardown: ExecutorSettings['teardown']): string[] {
  if (!teardown) return [];
  const { volumes, confirmed } = teardown;
  const approved = confirmed && ['--confirm', confirmed.platform, '--expect', confirmed.inventory];
  return ['--volumes', volumes, ...(approved ?? [])];
}
