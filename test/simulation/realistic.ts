// Worlds of the size that platforms have: 10 to 60 applications in stacks inside of stacks, several AppProjects, a cluster beside Argo CD's own,
// the versions of Argo CD, with and without its health check for Applications.
import type { SimulatedVersion } from '../../src/simulator/argocd/version.ts';
import type { Random } from '../../src/simulator/random.ts';
import { applicationName, dependencies, type StackData, type Stacking } from './shape.ts';

/** `mixed`: half of the seeds are realistic. */
export const SIZES = ['small', 'realistic', 'mixed'] as const;
export type Size = (typeof SIZES)[number];

export function isRealistic(random: Random, size: Size = 'small'): boolean {
  return size === 'realistic' || (size === 'mixed' && random.chance(0.5));
}

/** What the platform lives in. */
export interface Surroundings {
  readonly argocd: SimulatedVersion;
  /** Whether the health of a child Application counts for its parent. */
  readonly nestedHealth: 'none' | 'documented';
  /** Application -> the cluster that it deploys to, where that is not Argo CD's own. */
  readonly destinations: ReadonlyMap<string, string>;
  /** Those clusters that whoever gives the command has a context for. */
  readonly contexts: ReadonlySet<string>;
}

const SPOKE = 'https://spoke.example:6443';

export const PLAIN: Surroundings = {
  ...{ argocd: '3.2', nestedHealth: 'none', destinations: new Map(), contexts: new Set() },
};

export function surroundingsOf(random: Random, names: readonly string[]): Surroundings {
  const argocd = random.pick(['3.2', '3.5'] as const);
  const nestedHealth = random.pick(['none', 'documented'] as const);
  // None, some, or all.
  const share = random.chance(0.5) ? random.pick([0.1, 0.3, 0.6, 1]) : 0;
  const there = names.filter(() => random.chance(share));
  return {
    ...{ argocd, nestedHealth, destinations: new Map(there.map((name) => [name, SPOKE])) },
    contexts: new Set(random.chance(0.7) ? [SPOKE] : []),
  };
}

/** From the first of its applications to the one behind the last, those of inner stacks included. */
interface Span {
  readonly name: string;
  readonly parent: string | undefined;
  readonly from: number;
  readonly to: number;
  readonly own: readonly number[];
}

const DEEPEST = 3;
const PROJECTS = ['second', 'third', 'fourth'] as const;

/**
 * Applications are in one order, each stack is a part of it, and everything depends on what is before it: so there is no
 * cycle, however deep the stacks are.
 */
export const nestedStacks: Stacking = (random, size, seconds, dwell) => {
  const spans = spansOf(random, [0, size]);
  const density = random.between(0.1, 1.8);
  const before = (at: number) => spans.filter(({ to }) => to <= at).map(({ name }) => name);
  return spans.map(({ name, parent, from, own }): StackData => {
    const stacks = before(from);
    return {
      name,
      ...(parent === undefined ? {} : { parent }),
      ...(random.chance(0.5) ? { application: `${name}-stack` } : {}),
      dependsOn: stacks.length > 0 && random.chance(0.4) ? [`stack:${random.pick(stacks)}`] : [],
      ...(random.chance(0.35) ? { argocd: { project: random.pick(PROJECTS) } } : {}),
      applications: own.map((at) => ({
        name: applicationName(at),
        dependsOn: dependencies(
          random,
          at,
          density,
          before(at).map((one) => `stack:${one}`),
        ),
        expectedDuration: `${(seconds.get(applicationName(at)) ?? 0) + dwell + 2}s`,
      })),
    };
  });
};

function spansOf(random: Random, whole: readonly [number, number]): readonly Span[] {
  const spans: Span[] = [];
  const cut = (
    [from, to]: readonly [number, number],
    parent: string | undefined,
    depth: number,
  ) => {
    const most = depth === 1 ? 6 : 2;
    const count = Math.min(to - from, random.whole(Math.min(2, most - 1), most));
    for (let part = 0; part < count; part++) {
      const [low, high] = [part, part + 1].map(
        (at) => from + Math.floor((at * (to - from)) / count),
      );
      add([low ?? from, high ?? to], parent, depth);
    }
  };
  /** Its own come before the stacks inside of it, or after them. */
  const add = (
    [from, to]: readonly [number, number],
    parent: string | undefined,
    depth: number,
  ) => {
    const name = `s${spans.length}`;
    const isDeep = depth < DEEPEST && to - from >= 3 && random.chance(0.6);
    const inner = isDeep ? random.whole(2, to - from - 1) : 0;
    const isFirst = random.chance(0.7);
    const [low, high] = isFirst ? [from, to - inner] : [from + inner, to];
    const own = Array.from({ length: high - low }, (_, at) => low + at);
    spans.push({ name, parent, from, to, own });
    if (inner > 0) cut(isFirst ? [high, to] : [from, low], name, depth + 1);
  };
  cut(whole, undefined, 1);
  return spans;
}
