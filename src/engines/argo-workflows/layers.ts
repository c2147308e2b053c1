// More nodes than one DAG takes: layer by layer, since no edge can lead from one DAG into another. A layer begins when the one
// before has ended, whatever came of it; each node judges its own dependencies, so that what is independent of a failure goes
// on.
import type { Plan, PlanNode } from '../../plan/plan.ts';
import { expectedRunTime } from '../../report/run-time.ts';
import { TASKS_MAX } from './workflow.ts';

/** Nodes that act, in layers that have no edge inside. Joins are gone: the layers' order says more than they did. */
export function layersOf({ nodes }: Plan): PlanNode[][] {
  const after = new Map<string, number>();
  const layers: PlanNode[][] = [];
  for (const node of nodes) {
    const at = Math.max(0, ...node.dependsOn.map((id) => after.get(id) ?? 0));
    const acts = node.application !== null;
    after.set(node.id, acts ? at + 1 : at);
    if (acts) layers[at] = [...(layers[at] ?? []), node];
  }
  return layers;
}

/** What fits into one DAG; the parts of a layer run beside each other. */
export function partsOf(layer: readonly PlanNode[]): PlanNode[][] {
  const parts: PlanNode[][] = [];
  for (let at = 0; at < layer.length; at += TASKS_MAX) parts.push(layer.slice(at, at + TASKS_MAX));
  return parts;
}

/** Seconds that are expected if each layer waits for the slowest of the one before. */
export function layeredDuration(layers: readonly (readonly PlanNode[])[]): number {
  return layers.reduce(
    (sum, layer) => sum + Math.max(...layer.map(({ expectedDuration }) => expectedDuration)),
    0,
  );
}

/** Seconds that a deployment is expected to take as a Workflow. */
export function workflowDuration(plan: Plan, concurrency: number): number {
  const byItself = expectedRunTime(plan, concurrency);
  return plan.nodes.length > TASKS_MAX
    ? Math.max(byItself, layeredDuration(layersOf(plan)))
    : byItself;
}
