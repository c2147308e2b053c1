// The writes to what is Tiphys' own in Argo Workflows. They need no run: they begin one, end one, or tell what came of a task.
import type { TaskResult, TaskSetReads, TaskSets } from '../../ports/argo-workflows.ts';
import type { Cluster } from '../../ports/target.ts';
import type { WriteResult } from '../../ports/write-result.ts';
import { rawPorts } from './raw-ports.ts';

/** With the ConfigMap that its pods read, which may be there already. */
export function createWorkflow(
  target: Cluster,
  namespace: string,
  files: object,
  workflow: object,
): Promise<WriteResult> {
  return rawPorts(target).workflows.create(namespace, files, workflow);
}

/** What runs is ended, and then its exit handler runs. */
export function stopWorkflow(
  target: Cluster,
  namespace: string,
  name: string,
): Promise<WriteResult> {
  return rawPorts(target).workflows.stop(namespace, name);
}

export function reportTasks(
  taskSets: TaskSetReads,
  namespace: string,
  name: string,
  results: ReadonlyMap<string, TaskResult>,
): Promise<WriteResult> {
  return (taskSets as TaskSets).report(namespace, name, results);
}
