// What Argo Workflows and the streams of Kubernetes say: Workflows, the tasks of an agent, lines of a watch.
import fc from 'fast-check';
import { serveTasks } from '../../../src/engines/argo-workflows/agent.ts';
import { AgentRun } from '../../../src/engines/argo-workflows/agent-run.ts';
import { runningWorkflow } from '../../../src/engines/argo-workflows/find-workflows.ts';
import { followWorkflow } from '../../../src/engines/argo-workflows/follow.ts';
import { lastRun } from '../../../src/engines/argo-workflows/run-of.ts';
import { TiphysError } from '../../../src/errors.ts';
import type { Target } from '../../../src/ports/target.ts';
import type { RunEvent } from '../../../src/run/events.ts';
import { kubernetesApi } from '../../../src/targets/kubernetes/api.ts';
import { seenApplications } from '../../../src/targets/kubernetes/seen.ts';
import { kubernetesTaskSets } from '../../../src/targets/kubernetes/task-sets.ts';
import { followStream } from '../../../src/targets/kubernetes/watch-stream.ts';
import type { Transport } from '../../../src/targets/transport.ts';
import { renderEvent } from '../../../src/view/event-text.ts';
import { renderJson, renderLines } from '../../../src/view/lines.ts';
import { renderReport } from '../../../src/view/report-text.ts';
import { FakeTransport } from '../../fakes/transport.ts';
import { VirtualClock } from '../../fakes/virtual-clock.ts';
import { type FuzzTarget, fuzzTarget } from '../fuzz.ts';
import { changedJson } from '../hostile.ts';
import { type Told, toldOf } from '../properties.ts';
import { goodAnswers, PLAN, sharedCluster } from './cluster.ts';
import { hastyClock, worldOf } from './hostile-cluster.ts';
import { APPLICATIONS, FAILED_WORKFLOW, TASK_SET, WORKFLOW } from './samples.ts';

const PLACE = { name: 'shop', workflowsNamespace: 'argo' };
/** Looks at one thing: whoever waits for its end has waited long enough. */
const LOOKS = 3;

/** As the list gives it, and alone. */
async function workflow(text: string): Promise<Told> {
  const { target, become } = await sharedCluster;
  const stop = new AbortController();
  let looks = 0;
  become((request) => {
    if (!request.path.includes('/workflows')) return goodAnswers(request);
    if (++looks > LOOKS) stop.abort();
    const isList = /\/workflows\?/.test(request.path);
    return { text: isList ? `{"metadata":{"resourceVersion":"1"},"items":[${text}]}` : text };
  });
  const found = await Promise.all([runningWorkflow(PLACE, target), lastRun(PLACE, target)]);
  const events: RunEvent[] = [];
  const followed = await follow(target, events, stop.signal);
  const lines = events.flatMap((event) => renderEvent(event) ?? []);
  return { ...followed, text: [...(followed.text ?? []), renderLines(lines)], values: found };
}

async function follow(target: Target, events: RunEvent[], signal: AbortSignal): Promise<Told> {
  const none = async () => false;
  const unwatched = {
    ...target,
    workflows: { ...target.workflows, watch: none, watchAgent: none },
    watches: { ...target.watches, run: none },
  };
  const listen = (event: RunEvent) => events.push(event);
  const one = { namespace: 'argo', name: 'w', clock: hastyClock(), listen, signal };
  try {
    const report = await followWorkflow({ ...one, plan: PLAN, target: unwatched });
    return { text: [renderReport(report)], json: [renderJson(report)] };
  } catch (error) {
    if (!(error instanceof TiphysError)) throw error;
    return toldOf(error.diagnostics);
  }
}

/** Its files are wrong: each task is told so. */
async function tasks(text: string): Promise<Told> {
  const clock = hastyClock();
  const stop = new AbortController();
  let looks = 0;
  const transport = new FakeTransport(({ method }) => {
    if (method === 'GET' && ++looks > LOOKS) stop.abort();
    return { text };
  });
  const taskSets = kubernetesTaskSets(kubernetesApi(transport, worldOf(clock)));
  const said: string[] = [];
  const run = new AgentRun({
    request: async () => {
      throw new TiphysError([{ code: 'variable-invalid', message: 'no such plan' }]);
    },
    ...{ clock, layered: false, limits: { run: 9, begin: 9, end: 9 } },
    begin: async () => 'r1',
    end: async () => {},
    complain: (error) => said.push(String(error)),
  });
  const unwatched = { ...taskSets, watch: async () => false };
  await serveTasks({
    ...{ taskSets: unwatched, namespace: 'argo', workflow: 'w', clock, concurrency: 2 },
    signal: stop.signal,
    perform: (task, taken, slot) => run.perform(task, taken, slot),
    warn: (message) => said.push(message),
  });
  return { text: [renderLines(said)] };
}

/** A stream that says this and ends. */
function streamOf(lines: readonly string[]): Transport {
  async function* all() {
    yield* lines;
  }
  const send = async () => ({ status: 500, retryAfter: undefined, text: '' });
  return { send, stream: async () => ({ status: 200, lines: all() }) };
}

async function watched(lines: readonly string[]): Promise<Told> {
  const seen = seenApplications();
  const { signal } = new AbortController();
  const api = kubernetesApi(streamOf(lines), worldOf(new VirtualClock()));
  const end = await followStream(api, '/applications', '1', seen, signal);
  seen.replace('argocd', [], '9');
  return { values: [end, seen.all()] };
}

const LINES = [
  ...APPLICATIONS.map((object) => ({ type: 'MODIFIED', object })),
  { type: 'DELETED', object: APPLICATIONS[0] },
  { type: 'BOOKMARK', object: { metadata: { resourceVersion: '4' } } },
  { type: 'ERROR', object: { code: 410 } },
];

export const WORKFLOWS: readonly FuzzTarget[] = [
  fuzzTarget('Workflows', 8, changedJson([WORKFLOW, FAILED_WORKFLOW]), workflow),
  fuzzTarget('tasks of an agent', 10, changedJson([TASK_SET]), tasks),
  fuzzTarget('lines of a watch', 16, fc.array(changedJson(LINES), { maxLength: 3 }), watched),
];
