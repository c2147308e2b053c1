// What goes wrong where platforms are large: an Argo CD that has too much to do, repositories that everybody commits to, and a cluster that it
// does not reach. They are in worlds of mixed size only.
import { type FaultClass, faultsOf, type Mishaps, type Place, span } from './mishaps.ts';

const CUT_OFF = 'D17 cluster cut off';

const CLASSES: readonly FaultClass[] = [
  {
    ...{ name: CUT_OFF, most: 2, what: 'argocd cut-off' },
    made: (place) => span(place, 5, 90),
  },
  {
    ...{ name: 'A6 revisions resolved slowly', most: 1, what: 'git resolves-slowly' },
    made: (place) => ({ ...span(place, 20, 200), by: place.random.between(1, 20) }),
  },
  {
    ...{ name: 'D10 monorepo', most: 1, what: 'git busy' },
    made: (place) => ({ ...span(place, 60, 400), every: place.random.between(3, 30) }),
  },
  {
    ...{ name: 'D9 window closes for long', most: 1, what: 'project closed' },
    made: (place) => span(place, 60, 300),
  },
  {
    ...{ name: 'D15 Argo CD overloaded', most: 1, what: 'argocd overloaded' },
    made: (place) => ({ ...span(place, 20, 200), by: place.random.between(2, 40) }),
  },
  {
    ...{ name: 'B6 Argo CD stale', most: 1, what: 'argocd stale' },
    made: (place) => ({ ...span(place, 20, 200), by: place.random.between(1, 10) }),
  },
  {
    ...{ name: 'A6 AppProjects written slowly', most: 1, what: 'project update-slow' },
    made: (place) => ({ ...span(place, 10, 100), by: place.random.between(1, 12) / 3 }),
  },
  {
    ...{ name: 'A3 AppProjects not written', most: 1, what: 'project update-fails' },
    made: ({ random, end }) => {
      const at = random.between(0, 0.1 * end);
      return { at, for: random.chance(0.5) ? random.between(5, 60) : end - at };
    },
  },
];

/** Each group draws for itself: a seed that is known for what it shows keeps its other faults when a group is added. */
const ADDED: readonly (readonly FaultClass[])[] = [
  [
    {
      ...{ name: 'B7 refreshes overlooked', most: 1, what: 'argocd misses-refreshes' },
      made: (place) => ({ ...span(place, 20, 200), rate: place.random.between(0.1, 1) }),
    },
  ],
];

export const SCALE_CLASS_NAMES: readonly string[] = [...CLASSES, ...ADDED.flat()].map(
  ({ name }) => name,
);

/** Only what has another cluster can lose it. */
export function atScale(mishaps: Mishaps, place: Place, hasSpoke: boolean): Mishaps {
  const classes = CLASSES.filter(({ name }) => hasSpoke || name !== CUT_OFF);
  const added = ADDED.flatMap((group) => faultsOf(ofGroup(place, group), group));
  return { ...mishaps, faults: [...mishaps.faults, ...faultsOf(place, classes), ...added] };
}

const ofGroup = (place: Place, group: readonly FaultClass[]): Place => ({
  ...place,
  random: place.random.named(group.map(({ name }) => name).join()),
});
