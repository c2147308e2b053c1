// A pod of a Workflow: its beginning, one of its nodes, its end, or the agent that serves all of them. Called by what the
// compiler writes into a Workflow, and by nothing else.
import type { Io } from '../cli/io.ts';
import { serveTasks } from '../engines/argo-workflows/agent.ts';
import { AgentRun } from '../engines/argo-workflows/agent-run.ts';
import { beginRun } from '../engines/argo-workflows/begin.ts';
import { endRun } from '../engines/argo-workflows/end.ts';
import { BEGIN_SECONDS, endSeconds } from '../engines/argo-workflows/leaf.ts';
import { isGood, runNode } from '../engines/argo-workflows/node-pod.ts';
import type { PodRequest } from '../engines/argo-workflows/pod.ts';
import { EXIT, TiphysError } from '../errors.ts';
import { startedBy } from '../session/started-by.ts';
import { renderJsonLine } from '../view/lines.ts';
import type { PodAction } from './executor-settings.ts';
import { diagnosticLine, eventLine, logger } from './log.ts';
import { type Patient, patiently } from './patience.ts';
import { type PodOptions, parsePod } from './pod-options.ts';
import { podRequest, podTaskSets, workflowOf } from './pod-request.ts';
import { processOne } from './pod-signals.ts';
import { conclude } from './termination-log.ts';

/** As a process that SIGTERM has ended: Argo Workflows starts another pod in its place. */
const LOST = 143;
/** It makes another agent when the pod is gone; while one that failed is there, all of its nodes fail. */
const LOST_AGENT = EXIT.ok;

interface Pod {
  readonly io: Io;
  readonly options: PodOptions;
  readonly node: string;
  /** Its signal is given when the pod is asked to end. */
  readonly patient: Patient;
  readonly tell: (error: TiphysError) => void;
  readonly request: () => Promise<PodRequest>;
}

export async function runPod(action: PodAction, args: readonly string[], io: Io): Promise<number> {
  const say = logger(io, action, () => 'orchestration');
  const warn = (message: string) => say({ level: 'warn', component: 'executor', message });
  const tell = ({ diagnostics }: TiphysError) => {
    for (const diagnostic of diagnostics) say(diagnosticLine(diagnostic));
  };
  const listen: PodRequest['listen'] = (event) => {
    const line = eventLine(event);
    if (line) say(line);
  };
  const ending = new AbortController();
  const { signal } = ending;
  const patient = { clock: io.clock, signal, warn };
  const lost = action === 'agent' ? LOST_AGENT : LOST;
  const signals = processOne(io, lost);
  const forget = signals.onSignal(() => ending.abort());
  try {
    const { options, node } = parsePod(action, args);
    const request = () => patiently(patient, () => podRequest(io, options, signal, listen, warn));
    const pod: Pod = { io, options, node, patient, tell, request };
    return action === 'agent' ? await serve(pod) : await perform(action, pod);
  } catch (error) {
    if (signal.aborted) return lost;
    if (!(error instanceof TiphysError)) throw error;
    tell(error);
    // Argo Workflows shows it beside the node.
    conclude(io, error.message);
    return error.exitStatus;
  } finally {
    forget();
    signals.close();
  }
}

async function begin({ io, options }: Pod, request: PodRequest): Promise<string> {
  const { submittedBy } = options;
  const starter = await startedBy(request.target, { kind: 'workflow', submittedBy }, io.clock);
  return await beginRun({ ...request, runId: io.randomId(), startedBy: starter });
}

async function end(pod: Pod, request: PodRequest, runStartedAt: number): Promise<void> {
  const { io, options, patient } = pod;
  const { keepHold = false, strict = false, runTimeout = request.plan.runTimeout } = options;
  const given = { ...request, runStartedAt, runTimeout, keepHold, strict, ender: io.randomId() };
  const report = await patiently({ ...patient, signal: request.signal }, () => endRun(given));
  if (report) io.stdout(renderJsonLine(report));
}

async function serve(pod: Pod): Promise<number> {
  const { io, options, patient, request, tell } = pod;
  const { layered = false, runTimeout = BEGIN_SECONDS, concurrency = 1, inventory } = options;
  const [namespace = '', workflow = ''] = workflowOf(io).split('/');
  const taskSets = await patiently(patient, () => podTaskSets(io));
  const action = inventory === undefined ? 'deploy' : 'teardown';
  const run = new AgentRun({
    request,
    clock: io.clock,
    layered,
    limits: {
      run: runTimeout,
      begin: Math.min(BEGIN_SECONDS, runTimeout),
      end: endSeconds({ action }),
    },
    begin: (given) => begin(pod, given),
    end: (given, runStartedAt) => end(pod, given, runStartedAt),
    complain: (error) => {
      if (error instanceof TiphysError) tell(error);
      else patient.warn(String((error as Error).stack ?? error));
    },
  });
  try {
    const perform: AgentRun['perform'] = (task, taken, slot) => run.perform(task, taken, slot);
    await serveTasks({ ...patient, taskSets, namespace, workflow, concurrency, perform });
  } finally {
    await run.close();
  }
  return EXIT.ok;
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
  const { run = '', layered = false } = options;
  const ended = await runNode({ ...request, id: node, run, runStartedAt, layered });
  io.writeFile('/tmp/outcome', ended.outcome);
  if (isGood(ended)) return EXIT.ok;
  conclude(io, ended.message);
  return EXIT.failure;
}
