// A pod of a Workflow: its beginning, one of its nodes, its end, or the agent that serves all of them. Called by what the
// compiler writes into a Workflow, and by nothing else.
import type { Io } from '../cli/io.ts';
import type { AgentRunParts } from '../engines/argo-workflows/agent-run.ts';
import type { PodRequest } from '../engines/argo-workflows/pod.ts';
import { EXIT, TiphysError } from '../errors.ts';
import { renderJsonLine } from '../view/lines.ts';
import { logSettings, type PodAction } from './executor-settings.ts';
import { diagnosticLine, eventLine, type LogLine, renderLogLine } from './log.ts';
import { patiently } from './patience.ts';
import { type PodOptions, parsePod } from './pod-options.ts';
import { podRequest, podTaskSets, workflowOf } from './pod-request.ts';
import { processOne } from './pod-signals.ts';

/** As a process that SIGTERM has ended: Argo Workflows starts another pod in its place. */
const LOST = 143;
/** It makes another agent when the pod is gone; while one that failed is there, all of its nodes fail. */
const LOST_AGENT = EXIT.ok;

type Say = (said: Omit<LogLine, 'time' | 'action' | 'phase'>) => void;

interface Pod {
  readonly io: Io;
  readonly options: PodOptions;
  readonly node: string;
  /** Given when the pod is asked to end. */
  readonly signal: AbortSignal;
  readonly say: Say;
  readonly warn: (message: string) => void;
  readonly request: () => Promise<PodRequest>;
}

export async function runPod(action: PodAction, args: readonly string[], io: Io): Promise<number> {
  const log = logSettings(io);
  const say: Say = (said) => {
    const line = { time: io.clock.now(), action, phase: 'orchestration', ...said };
    const text = renderLogLine(line, log);
    if (text !== undefined) io.stderr(text);
  };
  const leave = new AbortController();
  const lost = action === 'agent' ? LOST_AGENT : LOST;
  const signals = processOne(io, lost);
  const forget = signals.onSignal(() => leave.abort());
  try {
    const pod = podOf(action, args, io, leave.signal, say);
    return action === 'agent' ? await serve(pod) : await perform(action, pod);
  } catch (error) {
    if (leave.signal.aborted) return lost;
    if (!(error instanceof TiphysError)) throw error;
    for (const diagnostic of error.diagnostics) say(diagnosticLine(diagnostic));
    conclude(io, error.message);
    return error.exitStatus;
  } finally {
    forget();
    signals.close();
  }
}

function podOf(
  action: PodAction,
  args: readonly string[],
  io: Io,
  signal: AbortSignal,
  say: Say,
): Pod {
  const { options, node } = parsePod(action, args);
  const listen: PodRequest['listen'] = (event) => {
    const line = eventLine(event);
    if (line) say(line);
  };
  const warn = (message: string) => say({ level: 'warn', component: 'executor', message });
  const patient = { clock: io.clock, signal, warn };
  const request = () => patiently(patient, () => podRequest(io, options, signal, listen, warn));
  return { io, options, node, signal, say, warn, request };
}

async function begin({ io }: Pod, request: PodRequest): Promise<string> {
  const { beginRun } = await import('../engines/argo-workflows/begin.ts');
  return await beginRun({ ...request, runId: io.randomId() });
}

async function end(pod: Pod, request: PodRequest, runStartedAt: number): Promise<void> {
  const { io, options, warn } = pod;
  const { endRun } = await import('../engines/argo-workflows/end.ts');
  const { keepHold = false } = options;
  const runTimeout = Number(options.runTimeout ?? request.plan.runTimeout);
  const given = { ...request, runStartedAt, runTimeout, keepHold, ender: io.randomId() };
  const patient = { clock: io.clock, signal: request.signal, warn };
  const report = await patiently(patient, () => endRun(given));
  if (report) io.stdout(renderJsonLine(report));
}

async function serve(pod: Pod): Promise<number> {
  const [{ serveTasks }, { AgentRun }, { BEGIN_SECONDS, endSeconds }] = await Promise.all([
    import('../engines/argo-workflows/agent.ts'),
    import('../engines/argo-workflows/agent-run.ts'),
    import('../engines/argo-workflows/leaf.ts'),
  ]);
  const { io, options, signal, warn, request } = pod;
  const { clock } = io;
  const [namespace = '', workflow = ''] = workflowOf(io).split('/');
  const taskSets = await patiently({ clock, signal, warn }, () => podTaskSets(io));
  const runSeconds = Number(options.runTimeout ?? BEGIN_SECONDS);
  const run = new AgentRun({
    request,
    clock,
    layered: options.layered ?? false,
    limits: {
      run: runSeconds,
      begin: Math.min(BEGIN_SECONDS, runSeconds),
      end: endSeconds({ action: options.inventory === undefined ? 'deploy' : 'teardown' }),
    },
    begin: (given) => begin(pod, given),
    end: (given, runStartedAt) => end(pod, given, runStartedAt),
    complain: complainer(pod),
  });
  try {
    await serveTasks({
      taskSets,
      namespace,
      workflow,
      clock,
      signal,
      warn,
      concurrency: Number(options.concurrency ?? 1),
      perform: (task, taken) => run.perform(task, taken),
    });
  } finally {
    await run.close();
  }
  return EXIT.ok;
}

function complainer({ say, warn }: Pod): AgentRunParts['complain'] {
  return (error) => {
    if (!(error instanceof TiphysError)) warn(String((error as Error).stack ?? error));
    else for (const diagnostic of error.diagnostics) say(diagnosticLine(diagnostic));
  };
}

async function perform(action: Exclude<PodAction, 'agent'>, pod: Pod): Promise<number> {
  const { io, options, node } = pod;
  const runStartedAt = new Date(io.environment('WORKFLOW_STARTED') ?? '').getTime() || 0;
  const request = await pod.request();
  if (action === 'begin') {
    io.writeFile('/tmp/run', await begin(pod, request));
    return EXIT.ok;
  }
  if (action === 'end') {
    await end(pod, request, runStartedAt);
    // What failed has said so; telling it is no failure.
    return EXIT.ok;
  }
  const { isGood, runNode } = await import('../engines/argo-workflows/node-pod.ts');
  const { run = '', layered = false } = options;
  const ended = await runNode({ ...request, id: node, run, runStartedAt, layered });
  io.writeFile('/tmp/outcome', ended.outcome);
  if (isGood(ended)) return EXIT.ok;
  conclude(io, ended.message);
  return EXIT.failure;
}

const TERMINATION_LOG = '/dev/termination-log';
const MESSAGE_MAX = 400;

/** One line that Argo Workflows shows beside the node. */
function conclude(io: Io, message: string): void {
  if (io.exists(TERMINATION_LOG)) io.writeFile(TERMINATION_LOG, message.slice(0, MESSAGE_MAX));
}
