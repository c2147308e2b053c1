// A random platform, as the data that a platform file has. Checkers read this data, never what the engine makes of it.
import type { Random } from '../../src/simulator/random.ts';

interface ApplicationData {
  readonly name: string;
  readonly dependsOn: readonly string[];
  readonly expectedDuration: string;
  readonly gate?: { readonly approval?: string; readonly probe?: object };
}

export interface StackData {
  readonly name: string;
  /** The stack that it is inside of. */
  readonly parent?: string;
  readonly application?: string;
  readonly dependsOn: readonly string[];
  readonly argocd?: { readonly project: string };
  readonly applications: readonly ApplicationData[];
}

export interface PlatformData {
  readonly apiVersion: 'tiphys.dev/v1alpha1';
  readonly kind: 'Platform';
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly argocd: { readonly namespace: string; readonly project: string };
    readonly root?: string;
    readonly timeouts: { readonly sync: string; readonly health: string; readonly run: string };
    readonly retries: { readonly maxAttempts: number; readonly backoff: string };
    readonly gate: { readonly dwell: string; readonly degradedGrace: string };
    readonly concurrency: number;
    readonly stacks: readonly StackData[];
  };
}

export const NAMESPACE = 'argocd';
const PROJECT = 'platform';
const SMALLEST = 3;
const LARGEST = 60;

/** Most are small, some are not: small ones are run more often in the same time. */
export function sizeOf(random: Random, mean: number): number {
  const more = -Math.log(1 - random.next()) * Math.max(0, mean - SMALLEST);
  return Math.min(LARGEST, SMALLEST + Math.floor(more));
}

/** `seconds`: how long the workload of each application takes. */
export type Stacking = (
  random: Random,
  size: number,
  seconds: ReadonlyMap<string, number>,
  dwell: number,
) => readonly StackData[];

export function shapeOf(
  random: Random,
  size: number,
  seconds: ReadonlyMap<string, number>,
  stacking: Stacking = stacksOf,
): PlatformData {
  const whole = (low: number, high: number) => `${random.whole(low, high)}s`;
  const dwell = random.whole(1, 5);
  const stacks = stacking(random, size, seconds, dwell);
  return {
    apiVersion: 'tiphys.dev/v1alpha1',
    kind: 'Platform',
    metadata: { name: 'world' },
    spec: {
      argocd: { namespace: NAMESPACE, project: PROJECT },
      ...(random.chance(0.4) ? { root: 'root' } : {}),
      timeouts: { sync: whole(40, 140), health: whole(90, 240), run: '1h' },
      retries: { maxAttempts: random.whole(1, 3), backoff: whole(1, 8) },
      gate: { dwell: `${dwell}s`, degradedGrace: whole(5, 30) },
      concurrency: random.chance(0.3) ? random.whole(1, 3) : random.whole(4, 50),
      stacks,
    },
  };
}

export const applicationName = (at: number): string => `a${at}`;

/**
 * Applications are in one order, and depend on what is before them. A stack refers only to stacks whose members all come
 * before its own: so there is no cycle, while stacks may interleave.
 */
function stacksOf(
  random: Random,
  size: number,
  seconds: ReadonlyMap<string, number>,
  dwell: number,
): readonly StackData[] {
  const count = random.whole(1, Math.max(1, Math.min(6, Math.floor(size / 2))));
  const interleaved = random.chance(0.3);
  const members: number[][] = Array.from({ length: count }, () => []);
  for (let at = 0; at < size; at++) {
    const stack = interleaved ? random.whole(0, count - 1) : Math.floor((at * count) / size);
    members[stack]?.push(at);
  }
  const density = random.between(0.1, 1.8);
  return members.map((own, place) => {
    const before = members.flatMap((other, at) => {
      const complete = Math.max(-1, ...other) < Math.min(size, ...own);
      return at !== place && complete && at < place ? [`stack:s${at}`] : [];
    });
    return {
      name: `s${place}`,
      ...(random.chance(0.4) && own.length > 0 ? { application: `s${place}-stack` } : {}),
      // An empty one comes before everything.
      dependsOn:
        random.chance(0.4) && before.length > 0 && own.length > 0 ? [random.pick(before)] : [],
      ...(random.chance(0.15) ? { argocd: { project: 'second' } } : {}),
      applications: own.map((at) => ({
        name: applicationName(at),
        dependsOn: dependencies(random, at, density, before),
        expectedDuration: `${(seconds.get(applicationName(at)) ?? 0) + dwell + 2}s`,
      })),
    };
  });
}

export function dependencies(
  random: Random,
  at: number,
  density: number,
  stacks: readonly string[],
): readonly string[] {
  const found = new Set<string>();
  for (let left = random.between(0, 2 * density); left > 0.5 && at > 0; left--) {
    // Near ones more often: chains are long then.
    const far = random.chance(0.5) ? at : Math.min(at, 4);
    found.add(applicationName(at - random.whole(1, far)));
  }
  if (stacks.length > 0 && random.chance(0.1)) found.add(random.pick(stacks));
  return [...found];
}
