// A pod of a Workflow: its beginning, one of its nodes, its end. Called by what the compiler writes into a Workflow, and by
// nothing else.
import { Command } from 'commander';
import { scopeOption } from '../cli/command.ts';
import { connectTo } from '../cli/connection.ts';
import type { Io } from '../cli/io.ts';
import { type PlanningOptions, planFor } from '../cli/planning.ts';
import type { PodRequest } from '../engines/argo-workflows/pod.ts';
import { EXIT, TiphysError } from '../errors.ts';
import { diagnosticLine, eventLine, type LogLine, renderLogLine } from './log.ts';
import { patiently } from './patience.ts';
import { inClusterOf, logSettings, MOUNTS, type PodAction } from './settings.ts';
import { processOne } from './signals.ts';

/** As a process that SIGTERM has ended: Argo Workflows starts another pod in its place. */
const LOST = 143;

interface Options extends Omit<PlanningOptions, 'file' | 'environment'> {
  readonly plan: string;
  readonly run?: string;
  readonly layered?: boolean;
  readonly runTimeout?: string;
  readonly keepHold?: boolean;
}

export async function runPod(action: PodAction, args: readonly string[], io: Io): Promise<number> {
  const log = logSettings(io);
  const say = (said: Omit<LogLine, 'time' | 'action' | 'phase'>) => {
    const line = { time: io.clock.now(), action, phase: 'orchestration', ...said };
    const text = renderLogLine(line, log);
    if (text !== undefined) io.stderr(text);
  };
  const leave = new AbortController();
  const signals = processOne(io, LOST);
  const forget = signals.onSignal(() => leave.abort());
  try {
    const { options, node } = parse(action, args);
    const listen: PodRequest['listen'] = (event) => {
      const line = eventLine(event);
      if (line) say(line);
    };
    const warn = (message: string) => say({ level: 'warn', component: 'executor', message });
    const patient = { clock: io.clock, signal: leave.signal, warn };
    const request = await patiently(patient, () => requestOf(io, options, leave.signal, listen));
    return await perform(action, io, { request, options, node });
  } catch (error) {
    if (leave.signal.aborted) return LOST;
    if (!(error instanceof TiphysError)) throw error;
    for (const diagnostic of error.diagnostics) say(diagnosticLine(diagnostic));
    conclude(io, error.message);
    return error.exitStatus;
  } finally {
    forget();
    signals.close();
  }
}

function parse(action: PodAction, args: readonly string[]) {
  const command = new Command(action)
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
    .argument('[node]')
    .requiredOption('--plan <hash>')
    .option('--run <id>')
    .option('--layered')
    .option('--run-timeout <seconds>')
    .option('--keep-hold')
    .option('--with-dependencies')
    .addOption(scopeOption())
    .parse(args, { from: 'user' });
  return { options: command.opts<Options>(), node: command.args[0] ?? '' };
}

async function requestOf(
  io: Io,
  options: Options,
  signal: AbortSignal,
  listen: PodRequest['listen'],
): Promise<PodRequest> {
  const files = {
    file: MOUNTS.platform,
    ...(io.exists(MOUNTS.environment) && { environment: MOUNTS.environment }),
  };
  const { plan, whole, compiled } = await planFor(io, 'deploy', { ...options, ...files });
  if (plan.hash !== options.plan) throw changed(options.plan, plan.hash);
  const workflow = io.environment('WORKFLOW');
  if (!workflow) throw invalid('WORKFLOW is not set.');
  const tokenFile = io.exists(MOUNTS.token) ? { argocdTokenFile: MOUNTS.token } : {};
  const place = inClusterOf(io.environment);
  const inside = place ? { ...io, inCluster: place } : io;
  const target = await connectTo(inside, tokenFile, compiled.platform.argocdNamespace);
  return { plan, whole, target, clock: io.clock, workflow, listen, signal };
}

interface Work {
  readonly request: PodRequest;
  readonly options: Options;
  readonly node: string;
}

async function perform(action: PodAction, io: Io, work: Work): Promise<number> {
  const { request, options, node } = work;
  const runStartedAt = new Date(io.environment('WORKFLOW_STARTED') ?? '').getTime() || 0;
  if (action === 'begin') {
    const { beginRun } = await import('../engines/argo-workflows/begin.ts');
    io.writeFile('/tmp/run', await beginRun({ ...request, runId: io.randomId() }));
    return EXIT.ok;
  }
  if (action === 'end') {
    const { endRun } = await import('../engines/argo-workflows/end.ts');
    const { keepHold = false } = options;
    const runTimeout = Number(options.runTimeout ?? request.plan.runTimeout);
    const report = await endRun({ ...request, runStartedAt, runTimeout, keepHold });
    if (report) io.stdout(`${JSON.stringify(report)}\n`);
    // What failed has said so; telling it is no failure.
    return EXIT.ok;
  }
  const { runNode } = await import('../engines/argo-workflows/node.ts');
  const { run = '', layered = false } = options;
  const end = await runNode({ ...request, id: node, run, runStartedAt, layered });
  io.writeFile('/tmp/outcome', end.outcome);
  const good = end.outcome === 'healthy' || end.outcome === 'unchanged';
  if (!good) conclude(io, end.message);
  return good ? EXIT.ok : EXIT.failure;
}

const TERMINATION_LOG = '/dev/termination-log';
const MESSAGE_MAX = 400;

/** One line that Argo Workflows shows beside the node. */
function conclude(io: Io, message: string): void {
  if (io.exists(TERMINATION_LOG)) io.writeFile(TERMINATION_LOG, message.slice(0, MESSAGE_MAX));
}

function changed(wanted: string, found: string): TiphysError {
  return invalid(`The files give plan ${found}, not ${wanted}, which the Workflow was made of.`);
}

function invalid(message: string): TiphysError {
  const hint = 'Submit the plan anew: `tiphys plan -o workflow`.';
  return new TiphysError([{ code: 'variable-invalid', message, hint }]);
}
