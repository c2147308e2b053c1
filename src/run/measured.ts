// How long applications took in recorded deployments. For display: no decision depends on it.
import type { RunEvent } from './events.ts';

/** Seconds by the id of the node. */
export type Measured = ReadonlyMap<string, number>;

/** How many deployments of an application count: the newest ones. */
export const COUNTED = 5;

/** For each node, the median of what its newest deployments took. `runs`: newest first. */
export function measured(runs: readonly (readonly RunEvent[])[]): Measured {
  const times = new Map<string, number[]>();
  for (const event of runs.flat()) {
    if (event.type !== 'node.finished' || event.outcome !== 'healthy') continue;
    const { sync, health, dwell } = event.durations;
    const seconds = Math.max(0, sync) + Math.max(0, health) + Math.max(0, dwell);
    times.set(event.node, [...(times.get(event.node) ?? []), seconds]);
  }
  return new Map(
    [...times].map(([node, all]) => [node, Math.round(median(all.slice(0, COUNTED)))]),
  );
}

/** Of an even number, the mean of the two in the middle. */
function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (index: number) => sorted[index] ?? 0;
  return (at(Math.floor((sorted.length - 1) / 2)) + at(Math.floor(sorted.length / 2))) / 2;
}
