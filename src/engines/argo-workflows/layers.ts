// For more nodes than one DAG allows: layer by layer, because no edge can connect two DAGs. A layer starts when the
// previous one has ended, with any result; each node judges its own dependencies, so that nodes independent of a
// failure continue.
import type { Plan, PlanNode } from '../../plan/plan.ts';
import { expectedRunTime } from '../../report/run-time.ts';
import { TASKS_MAX } from './workflow.ts';

/** Nodes with an action, in layers without inner edges. Joins are dropped: the order of the layers is stricter. */
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

/** The parts that fit into one DAG each; the parts of a layer run in parallel. */
export function partsOf(layer: readonly PlanNode[]): PlanNode[][] {
  const parts: PlanNode[][] = [];
  for (let at = 0; at < layer.length; at += TASKS_MAX) parts.push(layer.slice(at, at + TASKS_MAX));
  return parts;
}

/** The expected seconds if each layer waits for the slowest node of the previous one. */
export function layeredDuration(layers: readonly (readonly PlanNode[])[]): number {
  return layers.reduce(
    (sum, layer) => sum + Math.max(...layer.map(({ expectedDuration }) => expectedDuration)),
    0,
  );
}

/** The expected seconds of a deployment as a Workflow. */
export function workflowDuration(plan: Plan, concurrency: number): number {
  const byItself = expectedRunTime(plan, concurrency);
  return plan.nodes.length > TASKS_MAX
    ? Math.max(byItself, layeredDuration(layersOf(plan)))
    : byItself;
}
