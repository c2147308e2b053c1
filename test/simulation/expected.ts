// How long a deployment takes when nothing goes wrong, reckoned from the platform's data alone.
import type { World } from './seeded-world.ts';

/** Request, operation, comparisons. */
const OVERHEAD = 4;

/** Until somebody answers, the run hears of it, and everything was looked at again. */
const ASKED = 15;
/** Until a Job has ended, and everything was looked at again. */
const PROBED = 10;

export function expectedSeconds(world: World): number {
  const { platform, reading, workloads, latency, asking, probing } = world;
  const { gate, concurrency } = platform.spec;
  const dwell = Number.parseInt(gate.dwell, 10);
  const took = (name: string) =>
    (workloads.get(name)?.seconds ?? 0) +
    dwell +
    OVERHEAD +
    (asking.has(name) ? ASKED : 0) +
    (probing.has(name) ? PROBED : 0) +
    (20 * latency) / 1000;
  const done = new Map<string, number>();
  const finish = (name: string): number => {
    const known = done.get(name);
    if (known !== undefined) return known;
    const before = [...(reading.gates.get(name) ?? [])].map(finish);
    const end = Math.max(0, ...before) + took(name);
    done.set(name, end);
    return end;
  };
  const names = [...reading.gates.keys()];
  const longest = Math.max(...names.map(finish));
  const work = names.reduce((sum, name) => sum + took(name), 0);
  // No order is worse than the one after the other, as far as slots go (Graham).
  return longest + work / concurrency + reading.parents.size * took('');
}
