// Everything that is decided by a seed, before anything happens.
import { type Random, seeded } from '../../src/simulator/random.ts';
import { membersOf, type Reading, readPlatform, type Scope, scopeOf } from './graph.ts';
import type { Land, Make, Workload } from './land.ts';
import { type Mishaps, mishapsOf } from './mishaps.ts';
import { atScale } from './mishaps-at-scale.ts';
import {
  isRealistic,
  nestedStacks,
  PLAIN,
  type Size,
  type Surroundings,
  surroundingsOf,
} from './realistic.ts';
import { applicationName, type PlatformData, shapeOf, sizeOf } from './shape.ts';

export interface World extends Land, Surroundings {
  readonly seed: number;
  readonly isLarge: boolean;
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
  /** The hold is on the AppProjects before the first command: bootstrap's, or what an earlier run has left. */
  readonly heldBefore: boolean;
  /** Seconds until Argo CD compares everything by itself, as after a push, and between one time and the next. */
  readonly looks: { readonly first: number; readonly every: number };
  readonly mode: 'continuous' | 'gated';
  readonly scope: Scope | undefined;
  /** The Applications that the command is about. */
  readonly planned: ReadonlySet<string>;
  /** Whose gates ask for approval. */
  readonly asking: ReadonlySet<string>;
  /** Whose gates have a probe. */
  readonly probing: ReadonlySet<string>;
}

export interface WorldOptions {
  /** Applications, on average. */
  readonly mean: number;
  /** Without any. */
  readonly faultless?: boolean;
  /** Some gates ask for approval. */
  readonly asking?: boolean;
  /** Small, if nothing is said: seeds that are known for something are known for their small world. */
  readonly size?: Size;
  /** Some gates have a probe. */
  readonly probing?: boolean;
}

/** So much more time passes in a large one. */
const LARGE = 2;

export function worldOf(seed: number, options: WorldOptions): World {
  const { mean, faultless = false } = options;
  const random = seeded(seed).named('world');
  const isLarge = isRealistic(random.named('scale'), options.size);
  const size = isLarge ? random.named('scale').whole(10, 60) : sizeOf(random.named('size'), mean);
  const names = Array.from({ length: size }, (_, at) => applicationName(at));
  const workloads = workloadsOf(random.named('workloads'), names);
  const seconds = new Map([...workloads].map(([name, work]) => [name, work.seconds]));
  const questions = random.named('questions');
  const asking = new Set(options.asking ? names.filter(() => questions.chance(0.4)) : []);
  const stacking = isLarge ? nestedStacks : undefined;
  const shape = shapeOf(random.named('shape'), size, seconds, stacking);
  const tries = random.named('probes');
  const probing = new Set(options.probing ? names.filter(() => tries.chance(0.4)) : []);
  const platform = withGates(shape, asking, probing);
  const reading = readPlatform(platform);
  const end = (isLarge ? LARGE : 1) * random.named('end').between(30, 240);
  const faults = random.named('mishaps');
  const history = random.named('history');
  const wasDeployed = history.chance(0.25);
  const latency = random.named('latency').chance(0.7) ? 5 : random.named('latency').between(5, 300);
  const order = random.named('order');
  const scope = scopeOf(random.named('scope'), reading);
  const automated = automatedOf(random.named('automated'), [...reading.gates.keys()]);
  const isUniform = automated.size === 0 || automated.size === reading.gates.size;
  const surroundings = isLarge ? surroundingsOf(random.named('surroundings'), names) : PLAIN;
  const usual = mishapsOf(faults, names, end);
  const place = { random: random.named('at scale'), applications: names, end };
  const hasSpoke = surroundings.destinations.size > 0;
  const isPlain = (options.size ?? 'small') === 'small';
  const mishaps = isPlain ? usual : atScale(usual, place, hasSpoke);
  return {
    ...{
      seed,
      isLarge,
      platform,
      reading,
      workloads,
      end,
      wasDeployed,
      latency,
      scope,
      ...surroundings,
    },
    ...{ automated, hasGenerator: isUniform && random.named('generator').chance(0.2) },
    changed: new Set(names.filter(() => history.chance(0.6))),
    secrets: [`token-${seed}-${random.id()}`],
    // Otherwise Argo CD is mostly faster than the first command.
    heldBefore: order.chance(wasDeployed ? 0.4 : 0.85),
    looks: {
      first: 2 + latency / 22 + order.between(0, 2),
      every: (isLarge ? LARGE : 1) * order.between(2, 5),
    },
    mode: order.chance(0.15) ? 'gated' : 'continuous',
    planned: membersOf(reading, scope),
    ...{ asking, probing },
    mishaps: faultless
      ? { faults: [], fates: [] }
      : withFailures(withDenials(mishaps, questions, [...asking]), tries, [...probing]),
  };
}

function withGates(
  platform: PlatformData,
  asking: ReadonlySet<string>,
  probing: ReadonlySet<string>,
): PlatformData {
  const gateOf = (name: string) => ({
    ...(asking.has(name) && { approval: `Look at ${name}` }),
    ...(probing.has(name) && { probe: { tcp: `${name}:80` } }),
  });
  const asks = (name: string) => asking.has(name) || probing.has(name);
  const stacks = platform.spec.stacks.map((stack) => ({
    ...stack,
    applications: stack.applications.map((one) =>
      asks(one.name) ? { ...one, gate: gateOf(one.name) } : one,
    ),
  }));
  return { ...platform, spec: { ...platform.spec, stacks } };
}

/** Until nothing goes wrong any more, somebody says no, now and then. */
function withDenials(mishaps: Mishaps, random: Random, asking: readonly string[]): Mishaps {
  if (asking.length === 0 || !random.chance(0.3)) return mishaps;
  const name = random.pick(asking);
  const denied = { subject: 'app', effect: 'denied', name, after: 2, class: DENIED } as const;
  return { ...mishaps, faults: [...mishaps.faults, denied] };
}

/** Until nothing goes wrong any more, a probe fails, now and then for so long that its node does. */
function withFailures(mishaps: Mishaps, random: Random, probing: readonly string[]): Mishaps {
  if (probing.length === 0 || !random.chance(0.6)) return mishaps;
  const lasts = random.chance(0.5) ? {} : { for: random.whole(1, 30) };
  const name = random.pick(probing);
  const fails = { subject: 'app', effect: 'probe-fails', name, ...lasts, class: UNPROBED } as const;
  return { ...mishaps, faults: [...mishaps.faults, fails] };
}

export const UNPROBED = 'probe failed';
export const DENIED = 'approval denied';

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
