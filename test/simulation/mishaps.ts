// What goes wrong in a world, by the classes of the fault catalogue. Each seed switches some classes on: a fault that is always there hides
// others, one that is rare meets them all.
import type { Fault } from '../../src/rehearsal/fault.ts';
import type { Random } from '../../src/simulator/random.ts';

/** What befalls the process of Tiphys itself; seconds since the beginning. */
export type Fate =
  | { readonly kind: 'killed'; readonly at: number; readonly back: number }
  | { readonly kind: 'stopped'; readonly at: number; readonly back: number }
  | { readonly kind: 'paused'; readonly at: number; readonly for: number }
  | { readonly kind: 'jumps'; readonly at: number; readonly by: number }
  | { readonly kind: 'doubled'; readonly at: number };

/** As the catalogue has them. */
export const FATE_CLASSES: Readonly<Record<Fate['kind'], string>> = {
  killed: 'C1 killed',
  stopped: 'C8 told to stop',
  paused: 'C5 paused',
  jumps: 'C6 clock set',
  doubled: 'C4 two at once',
};

export interface Mishaps {
  /** With the class that each belongs to. */
  readonly faults: readonly (Fault & { readonly class: string })[];
  readonly fates: readonly Fate[];
}

export interface Place {
  readonly random: Random;
  readonly applications: readonly string[];
  /** Seconds by which everything is over. */
  readonly end: number;
}

type Made = Omit<Fault, 'subject' | 'effect'>;

export interface FaultClass {
  readonly name: string;
  /** How many in one world, at most. */
  readonly most: number;
  readonly what: string;
  readonly made: (place: Place) => Made;
  /** What must befall the same application, so that this can have an effect. */
  readonly after?: { readonly name: string; readonly what: string; readonly made: Made };
}

const sometime = ({ random, end }: Place): number => random.between(0, 0.7 * end);

/** Begins at some time and is over before the end. */
export function span(place: Place, low: number, high: number): { at: number; for: number } {
  const at = sometime(place);
  return { at, for: Math.min(place.random.between(low, high), place.end - at) };
}

const always = ({ end }: Place) => ({ at: 0, for: end });
const one = ({ random, applications }: Place) => ({ name: random.pick(applications) });

const HANGS = 'D4 hook hangs';

const CLASSES: readonly FaultClass[] = [
  {
    ...{ name: 'A1 conflicts', most: 1, what: 'api conflicts' },
    made: (place) => ({ ...always(place), rate: place.random.between(0.01, 0.3) }),
  },
  {
    ...{ name: 'A2 too many requests', most: 2, what: 'api busy' },
    made: (place) => ({ ...span(place, 1, 40), rate: place.random.between(0.2, 1) }),
  },
  {
    ...{ name: 'A3 server errors', most: 3, what: 'api fails' },
    made: (place) => ({ ...span(place, 1, 60), rate: place.random.between(0.1, 1) }),
  },
  {
    ...{ name: 'A4 answers lost', most: 1, what: 'api loses-answers' },
    made: (place) => ({ ...always(place), rate: place.random.between(0.01, 0.1) }),
  },
  {
    ...{ name: 'A5 requests lost', most: 1, what: 'api drops' },
    made: (place) => ({ ...always(place), rate: place.random.between(0.01, 0.3) }),
  },
  {
    ...{ name: 'A6 slow', most: 2, what: 'api slow' },
    made: (place) => ({ ...span(place, 5, 60), factor: place.random.between(5, 400) }),
  },
  {
    ...{ name: 'A7 token expires', most: 1, what: 'token expires' },
    made: (place) => span(place, 1, 60),
  },
  {
    ...{ name: 'A8 rights withdrawn', most: 1, what: 'token loses-rights' },
    made: (place) => ({ at: sometime(place) }),
  },
  {
    ...{ name: 'A10 recreated', most: 2, what: 'app recreated' },
    made: (place) => ({ ...one(place), at: sometime(place) }),
  },
  {
    ...{ name: 'B1 watch closes', most: 3, what: 'watch closes' },
    made: (place) => ({ at: sometime(place) }),
  },
  {
    ...{ name: 'B1 watch breaks', most: 3, what: 'watch breaks' },
    made: (place) => ({ at: sometime(place) }),
  },
  {
    ...{ name: 'B2 watch expires', most: 2, what: 'watch expires' },
    made: (place) => ({ at: sometime(place) }),
  },
  {
    ...{ name: 'B3 silent watch', most: 2, what: 'watch silent' },
    made: (place) => ({ at: sometime(place) }),
  },
  {
    ...{ name: 'B4 events lost', most: 1, what: 'watch loses' },
    made: (place) => ({ ...always(place), rate: place.random.between(0.01, 0.1) }),
  },
  {
    ...{ name: 'B5 events repeated', most: 1, what: 'watch repeats' },
    made: (place) => ({ ...always(place), rate: place.random.between(0.05, 0.5) }),
  },
  {
    ...{ name: 'B6 stale reads', most: 2, what: 'api stale' },
    made: (place) => ({ ...span(place, 5, 60), by: place.random.between(1, 60) }),
  },
  {
    ...{ name: 'B7 events late', most: 1, what: 'watch late' },
    made: (place) => ({ ...always(place), by: place.random.between(0.5, 20) }),
  },
  {
    ...{ name: 'B8 watch refused', most: 1, what: 'watch refused' },
    made: (place) => span(place, 5, 60),
  },
  {
    ...{ name: 'D1 healthy too early', most: 2, what: 'app healthy-too-early' },
    made: (place) => ({ ...one(place), for: place.random.between(1, 30) }),
  },
  {
    ...{ name: 'D2 flaps', most: 2, what: 'app flaps' },
    made: (place) => ({ ...one(place), for: place.random.between(8, 60) }),
  },
  {
    ...{ name: 'D3 degraded', most: 3, what: 'app degraded' },
    made: (place) => ({
      ...one(place),
      after: place.random.between(0, 60),
      for: place.random.between(2, 60),
    }),
  },
  {
    ...{ name: 'D3 never healthy', most: 1, what: 'app never-healthy' },
    made: (place) => one(place),
  },
  {
    ...{ name: 'D3 slow', most: 2, what: 'app slow' },
    made: (place) => ({ ...one(place), factor: place.random.between(2, 8) }),
  },
  {
    ...{ name: HANGS, most: 2, what: 'app hangs' },
    made: (place) => ({ ...one(place), for: place.random.between(5, 400) }),
  },
  {
    ...{ name: 'D5 ends slowly', most: 2, what: 'app ends-slowly' },
    made: (place) => ({ ...one(place), for: place.random.between(1, 60) }),
    // Only what takes too long is terminated.
    after: { name: HANGS, what: 'app hangs', made: { for: 400 } },
  },
  {
    ...{ name: 'D6 operations orphaned', most: 1, what: 'argocd orphans' },
    made: (place) => ({ at: sometime(place) }),
  },
  {
    ...{ name: 'D6 controller restarts', most: 3, what: 'argocd restart' },
    made: (place) => span(place, 2, 20),
  },
  {
    ...{ name: 'A3 argocd-server down', most: 2, what: 'argocd server-down' },
    made: (place) => span(place, 2, 40),
  },
  {
    ...{ name: 'B7 requests overlooked', most: 1, what: 'argocd overlooks' },
    made: (place) => ({ ...always(place), rate: place.random.between(0.1, 1) }),
  },
  {
    ...{ name: 'D7 Git unreachable', most: 2, what: 'git unreachable' },
    made: (place) => span(place, 2, 60),
  },
  {
    ...{ name: 'D8 synced by others', most: 3, what: 'app synced-by-others' },
    made: (place) => ({ ...one(place), at: sometime(place) }),
  },
  {
    ...{ name: 'D9 window closes', most: 1, what: 'project closed' },
    made: (place) => span(place, 5, 60),
  },
  {
    ...{ name: 'D9 hold removed', most: 1, what: 'project hold-removed' },
    made: (place) => ({ at: sometime(place) }),
  },
  {
    ...{ name: 'D10 Git moves', most: 3, what: 'git moves' },
    made: (place) => ({ at: sometime(place) }),
  },
  {
    ...{ name: 'D15 refreshes', most: 1, what: 'argocd refreshes-all' },
    made: (place) => ({ at: sometime(place), for: place.random.between(1, 15) }),
  },
  {
    ...{ name: 'D16 sync fails', most: 3, what: 'app sync-fails' },
    made: (place) => ({ ...one(place), factor: place.random.whole(1, 2) }),
  },
];

/** All classes, those of the process itself included. */
export const CLASS_NAMES: readonly string[] = [
  ...CLASSES.map(({ name }) => name),
  ...Object.values(FATE_CLASSES),
];

export function mishapsOf(random: Random, applications: readonly string[], end: number): Mishaps {
  const place = { random, applications, end };
  const faults = faultsOf(place, CLASSES);
  return { faults, fates: fatesOf(place) };
}

/** Some of these classes, as often as this world has any. */
export function faultsOf(place: Place, classes: readonly FaultClass[]): Mishaps['faults'] {
  const { random } = place;
  const density = random.between(0.01, 0.22);
  const on = classes.filter(() => random.chance(density));
  return on.flatMap(({ name, most, what, made, after }) =>
    Array.from({ length: random.whole(1, most) }, () => made(place)).flatMap((one) => [
      { ...wordsOf(what), class: name, ...one },
      ...(after ? [{ ...wordsOf(after.what), class: after.name, ...one, ...after.made }] : []),
    ]),
  );
}

function wordsOf(what: string): Pick<Fault, 'subject' | 'effect'> {
  const [subject, effect = ''] = what.split(' ');
  return { subject: subject as Fault['subject'], effect };
}

const KILLS = 5;

function fatesOf(place: Place): readonly Fate[] {
  const { random, end } = place;
  const back = () => random.between(0, 40);
  /** While the deployment goes on, mostly. */
  const soon = () => random.between(0, Math.min(0.7 * end, 80));
  const fates: Fate[] = [];
  if (random.chance(0.3)) {
    // A chain of them, near each other or not.
    const within = random.chance(0.5) ? 0.2 * end : 0.8 * end;
    for (let left = random.whole(1, KILLS); left > 0; left--) {
      fates.push({ kind: 'killed', at: random.between(0, within), back: back() });
    }
  }
  if (random.chance(0.1)) fates.push({ kind: 'stopped', at: soon(), back: back() });
  if (random.chance(0.2)) {
    const lasts = random.chance(0.5) ? random.between(1, 20) : random.between(20, 120);
    const at = soon();
    fates.push({ kind: 'paused', at, for: lasts });
    // Somebody sees that nothing happens.
    if (random.chance(0.5)) fates.push({ kind: 'doubled', at: at + random.between(0, lasts) });
  }
  if (random.chance(0.15)) {
    const by = random.pick([-3600, -30, -2, 2, 12, 30, 3600]);
    const at = soon();
    fates.push({ kind: 'jumps', at, by });
    // As when a machine wakes up.
    const lasts = random.between(5, 25);
    if (random.chance(0.5))
      fates.push({ kind: 'paused', at: at + random.between(0, 8), for: lasts });
  }
  if (random.chance(0.1)) fates.push({ kind: 'doubled', at: soon() });
  return fates.sort((a, b) => a.at - b.at);
}
