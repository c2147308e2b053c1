// Everything that is decided by a seed, before anything happens.
import { type Random, seeded } from '../../src/simulator/random.ts';
import { type Reading, readPlatform } from './graph.ts';
import type { Land, Make, Workload } from './land.ts';
import { type Mishaps, mishapsOf } from './mishaps.ts';
import { applicationName, type PlatformData, shapeOf, sizeOf } from './shape.ts';

export interface World extends Land {
  readonly seed: number;
  readonly platform: PlatformData;
  readonly reading: Reading;
  readonly mishaps: Mishaps;
  /** Seconds after which nothing goes wrong any more. */
  readonly end: number;
  /** Milliseconds of a request's way, on average. */
  readonly latency: number;
  /** Already deployed at the beginning; some of it has changed in Git since. */
  readonly wasDeployed: boolean;
  readonly changed: ReadonlySet<string>;
}

export interface WorldOptions {
  /** Applications, on average. */
  readonly mean: number;
  /** Without any. */
  readonly faultless?: boolean;
}

export function worldOf(seed: number, { mean, faultless = false }: WorldOptions): World {
  const random = seeded(seed).named('world');
  const size = sizeOf(random.named('size'), mean);
  const names = Array.from({ length: size }, (_, at) => applicationName(at));
  const workloads = workloadsOf(random.named('workloads'), names);
  const seconds = new Map([...workloads].map(([name, work]) => [name, work.seconds]));
  const platform = shapeOf(random.named('shape'), size, seconds);
  const reading = readPlatform(platform);
  const end = random.named('end').between(30, 240);
  const faults = random.named('mishaps');
  const history = random.named('history');
  const wasDeployed = history.chance(0.25);
  return {
    ...{ seed, platform, reading, workloads, end, wasDeployed },
    automated: automatedOf(random.named('automated'), [...reading.gates.keys()]),
    changed: new Set(names.filter(() => history.chance(0.6))),
    secrets: [`token-${seed}-${random.id()}`],
    latency: random.named('latency').chance(0.7) ? 5 : random.named('latency').between(5, 300),
    mishaps: faultless ? { faults: [], fates: [] } : mishapsOf(faults, names, end),
  };
}

function workloadsOf(random: Random, names: readonly string[]): ReadonlyMap<string, Workload> {
  const longest = random.pick([2, 10, 40]);
  const make = (): Make => (random.chance(0.7) ? 'plain' : random.pick(['hook', 'waves']));
  return new Map(
    names.map((name) => [name, { make: make(), seconds: random.whole(0, longest) }] as const),
  );
}

/** All, none, or some. */
function automatedOf(random: Random, names: readonly string[]): ReadonlySet<string> {
  const share = random.chance(0.6) ? 1 : random.pick([0, 0.5]);
  return new Set(names.filter(() => random.chance(share)));
}
