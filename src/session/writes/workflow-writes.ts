// Writes to Tiphys' own objects in Argo Workflows. They need no run: they start one, end one, or report the result of a
// task.
import type { TaskResult, TaskSetReads, TaskSets } from '../../ports/argo-workflows.ts';
import type { Cluster } from '../../ports/target.ts';
import type { WriteResult } from '../../ports/write-result.ts';
import { rawPorts } from './raw-ports.ts';

/** Together with the ConfigMap that its pods read, which may exist already. */
export function createWorkflow(
  target: Cluster,
  namespace: string,
  files: object,
  workflow: object,
): Promise<WriteResult> {
  return rawPorts(target).workflows.create(namespace, files, workflow);
}

/** Running pods are terminated, and then its exit handler runs. */
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
