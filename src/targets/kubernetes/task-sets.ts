// The tasks that a Workflow leaves to its agent, and their results: a WorkflowTaskSet with the Workflow's name.
import { z } from 'zod';
import type { TaskResult, TaskSets, TaskSetView } from '../../ports/argo-workflows.ts';
import type { WriteResult } from '../../ports/write-result.ts';
import { optional } from '../application/schema.ts';
import type { KubernetesApi } from './api.ts';
import { parsedIfAny } from './errors.ts';
import { paths } from './paths.ts';
import { watchOne } from './watch.ts';

/** The key of a plugin template that is for this program. */
const PLUGIN = 'tiphys';
const COMPLETED = 'workflows.argoproj.io/completed';

const texts = z.record(z.string(), z.string());
const taskSet = z.looseObject({
  metadata: z.looseObject({ name: z.string(), labels: optional(texts) }),
  spec: optional(
    z.looseObject({
      tasks: optional(
        z.record(
          z.string(),
          z.looseObject({ plugin: optional(z.looseObject({ [PLUGIN]: optional(texts) })) }),
        ),
      ),
    }),
  ),
  status: optional(
    z.looseObject({
      nodes: optional(z.record(z.string(), z.looseObject({ phase: optional(z.string()) }))),
    }),
  ),
});
type TaskSet = z.infer<typeof taskSet>;

export function kubernetesTaskSets(api: KubernetesApi): TaskSets {
  const read = async (namespace: string, name: string) =>
    parsedIfAny(taskSet, await api.get(paths.taskSets(namespace, name)), 'not a WorkflowTaskSet');
  return {
    get: async (namespace, name) => {
      const found = await read(namespace, name);
      return found && viewOf(found);
    },
    report: async (namespace, name, results) => {
      const found = await read(namespace, name);
      return await report(api, `${paths.taskSets(namespace, name)}/status`, found, results);
    },
    watch: (namespace, name, changed, signal) =>
      watchOne(api, paths.taskSets(namespace), name, changed, signal),
  };
}

/** With the version that was read: a task that was taken back meanwhile gets no result. */
async function report(
  api: KubernetesApi,
  path: string,
  found: TaskSet | undefined,
  results: ReadonlyMap<string, TaskResult>,
): Promise<WriteResult> {
  const there = new Set(Object.keys(found?.spec?.tasks ?? {}));
  const wanted = [...results].filter(([id]) => there.has(id));
  if (!found || wanted.length === 0) return { kind: 'done' };
  const nodes = wanted.map(([id, { phase, message, outputs }]) => {
    const parameters = Object.entries(outputs).map(([name, value]) => ({ name, value }));
    return [id, { phase, message, outputs: { parameters } }];
  });
  const status = {
    ...found.status,
    nodes: { ...found.status?.nodes, ...Object.fromEntries(nodes) },
  };
  return await api.write('PUT', path, { ...found, status });
}

function viewOf({ metadata, spec, status }: TaskSet): TaskSetView {
  const tasks = Object.entries(spec?.tasks ?? {});
  const isEnded = (phase: string | undefined) => phase !== undefined && ENDED.has(phase);
  const reported = Object.entries(status?.nodes ?? {}).filter(([, { phase }]) => isEnded(phase));
  return {
    isOver: metadata.labels?.[COMPLETED] === 'true',
    tasks: new Map(tasks.map(([id, { plugin }]) => [id, plugin?.[PLUGIN] as TextsOrNone])),
    reported: new Set(reported.map(([id]) => id)),
  };
}

type TextsOrNone = Readonly<Record<string, string>> | undefined;
const ENDED: ReadonlySet<string> = new Set(['Succeeded', 'Failed', 'Error']);
