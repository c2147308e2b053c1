// Small random platforms as plain data, and their text.
import fc from 'fast-check';
import { dump } from 'js-yaml';

interface ApplicationData {
  readonly name: string;
  readonly dependsOn: readonly string[];
  readonly seconds: number | undefined;
}

export interface StackData {
  readonly name: string;
  /** The stack that it is inside of. */
  readonly parent: string | undefined;
  /** Whether it has an Application of its own. */
  readonly own: boolean;
  readonly dependsOn: readonly string[];
  readonly applications: readonly ApplicationData[];
}

export interface PlatformData {
  readonly root: boolean;
  readonly stacks: readonly StackData[];
}

export const ROOT = 'the-root';
export const ownOf = (stack: string): string => `own-${stack}`;

/** Some are prefixes of others, some read like a keyword, some sort one way by locale and another by code unit. */
const APPLICATIONS = ['a', 'a-b', 'a.b', 'ab', 'b0', 'platform', 'stack', 'z'];
/** Stacks and applications may have the same name. */
const STACKS = ['a', 'a-b', 'platform', 'zz'];

/**
 * How dependencies are chosen: `layered` makes a cycle only through stacks inside of others, since all of a stack comes after
 * all it refers to; `ranked` orders only applications, so that stacks interleave; `free` mostly makes cycles.
 */
type Mode = 'layered' | 'ranked' | 'free';

const picks = fc.array(fc.nat(99), { maxLength: 3 });
const applicationSeed = fc.record({
  picks,
  rank: fc.nat(9),
  seconds: fc.option(fc.integer({ min: 0, max: 9 }), { nil: undefined }),
});
const stackSeed = fc.record({
  own: fc.boolean(),
  picks: fc.oneof({ weight: 2, arbitrary: fc.constant<number[]>([]) }, picks),
  applications: fc.array(applicationSeed, { maxLength: 4 }),
  // Three of ten are inside of one before them.
  inside: fc.oneof(
    { weight: 7, arbitrary: fc.constant(undefined) },
    { weight: 3, arbitrary: fc.nat(99) },
  ),
});
const all = <T>(list: T[]) =>
  fc.shuffledSubarray(list, { minLength: list.length, maxLength: list.length });

export const platforms: fc.Arbitrary<PlatformData> = fc
  .record({
    root: fc.boolean(),
    mode: fc.constantFrom<Mode>('layered', 'ranked', 'free'),
    names: all(APPLICATIONS),
    stackNames: all(STACKS),
    stacks: fc.array(stackSeed, { minLength: 1, maxLength: 4 }),
  })
  .map(({ root, mode, names, stackNames, stacks: seeds }) => {
    const members = seeds
      .flatMap((seed, stack) => seed.applications.map((member) => ({ ...member, stack })))
      .slice(0, names.length)
      .map((member, place) => ({ ...member, place, name: names[place] ?? '' }));
    const free = mode === 'free';
    const places = placesOf(seeds);
    const stacks = seeds.map((seed, place): StackData => {
      const name = stackNames[place] ?? '';
      const inside = places[place] ?? [];
      const parent = inside[1] === undefined ? undefined : stackNames[inside[1]];
      // Nothing refers to what contains it, and no stack to what it contains: that is refused for itself.
      const others = [...seeds.keys()].slice(0, free ? seeds.length : place);
      const around = others
        .filter((other) => !inside.includes(other))
        .map((other) => ({
          text: `stack:${stackNames[other]}`,
          isMine: places[other]?.includes(place) ?? false,
        }));
      const earlier = around.map(({ text }) => text);
      const beside = around.filter(({ isMine }) => !isMine).map(({ text }) => text);
      const outside = members.filter((m) => {
        const isMine = places[m.stack]?.includes(place);
        return !isMine && (free || m.stack < place);
      });
      const applications = members
        .filter(({ stack }) => stack === place)
        .map(({ name, seconds, picks, rank, place }): ApplicationData => {
          const allowed = members.filter((m) => {
            if (free) return m.name !== name;
            return mode === 'layered' ? m.place < place : m.rank < rank;
          });
          return { name, seconds, dependsOn: choose(picks, [...allowed.map(nameOf), ...earlier]) };
        });
      const dependsOn = choose(seed.picks, [...beside, ...outside.map(nameOf)]);
      return { name, parent, own: seed.own, dependsOn, applications };
    });
    return { root, stacks };
  });

/** For each stack its own place, and those of the stacks around it, the nearest first. */
function placesOf(seeds: readonly { readonly inside: number | undefined }[]): number[][] {
  const places: number[][] = [];
  for (const [place, { inside }] of seeds.entries()) {
    const around = inside === undefined || place === 0 ? [] : (places[inside % place] ?? []);
    places.push([place, ...around]);
  }
  return places;
}

const nameOf = ({ name }: { name: string }) => name;

/** The high bit of a pick decides how an application is written, the rest which reference it is. */
function choose(picks: readonly number[], candidates: readonly string[]): string[] {
  return picks.flatMap((pick) => {
    const text = candidates[pick % Math.max(candidates.length, 1)];
    if (text === undefined) return [];
    const bare = text.startsWith('stack:') || (pick < 50 && text !== 'platform');
    return [bare ? text : `app:${text}`];
  });
}

/** References as a user may give them for a scope: none, some, or the platform among them. */
export function scopesOf({ stacks }: PlatformData): fc.Arbitrary<string[]> {
  const applications = stacks.flatMap((stack) => stack.applications).map(nameOf);
  const references = [
    ...stacks.map(({ name }) => `stack:${name}`),
    ...applications.map((name) => `app:${name}`),
  ];
  return fc.array(
    fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...references) }, fc.constant('platform')),
    { maxLength: 3 },
  );
}

/** The platform as a document, one dependency a line. */
export function render({ root, stacks }: PlatformData): string {
  const document = {
    apiVersion: 'tiphys.dev/v1alpha1',
    kind: 'Platform',
    metadata: { name: 'random' },
    spec: {
      ...(root ? { root: ROOT } : {}),
      stacks: stacks.map(({ name, parent, own, dependsOn, applications }) => ({
        name,
        ...(parent === undefined ? {} : { parent }),
        ...(own ? { application: ownOf(name) } : {}),
        dependsOn,
        applications: applications.map(({ seconds, ...application }) =>
          seconds === undefined ? application : { ...application, expectedDuration: `${seconds}s` },
        ),
      })),
    },
  };
  return dump(document, { noRefs: true });
}
