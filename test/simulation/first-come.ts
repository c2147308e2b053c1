// First come, first served, written down as plainly as possible: what the engine's order is measured by.
import type { Plan, PlanNode } from '../../src/plan/plan.ts';

export function firstComeSeconds(
  plan: Plan,
  times: ReadonlyMap<string, number>,
  slots: number,
): number {
  const done = new Set<string>();
  const known = new Set<string>();
  const queue: PlanNode[] = [];
  let running: { readonly id: string; readonly end: number }[] = [];
  let now = 0;
  /** Joins are done at once, and what is behind them comes. */
  const come = () => {
    for (const node of plan.nodes) {
      if (known.has(node.id) || !node.dependsOn.every((id) => done.has(id))) continue;
      known.add(node.id);
      if (node.application === null) done.add(node.id);
      else queue.push(node);
    }
  };
  for (;;) {
    come();
    while (running.length < slots && queue.length > 0) {
      const id = queue.shift()?.id ?? '';
      running.push({ id, end: now + (times.get(id) ?? 0) });
    }
    if (running.length === 0) return now;
    now = Math.min(...running.map(({ end }) => end));
    for (const { id, end } of running) if (end === now) done.add(id);
    running = running.filter(({ end }) => end > now);
  }
}
