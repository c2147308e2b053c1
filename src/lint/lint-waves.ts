// Sync waves on Applications, beside a graph. They are needless only together, and only if the graph keeps every order that they make.
import { groupBy } from '../import/group.ts';
import type { ApplicationMaterial, Material } from '../import/material.ts';
import type { LintFinding } from './finding.ts';
import { wavePatch } from './removal-patch.ts';
import { listed, type Ordered, ownWave, type Waved, waveNeighbours } from './wave-neighbours.ts';

/** Whether the graph starts an application only after another, directly or by others. */
export type ComesAfter = (dependent: string, dependency: string) => boolean;

export function lintWaves(
  { applications, wavesWaitForHealth }: Material,
  known: ReadonlySet<string>,
  comesAfter: ComesAfter,
): LintFinding[] {
  const parents = new Map(applications.map((one) => [one.name, one]));
  const families = groupBy(applications, ({ parent }) => parent ?? '');
  return [...families].flatMap(([name, members]) => {
    const parent = parents.get(name);
    const family = {
      ...{ members: members.filter((one) => known.has(one.name)).map(wavedOf), comesAfter },
      neighbours: waveNeighbours(members, known, parent),
      ...(name !== '' && { parent: name }),
    };
    return lintFamily(family, wavesWaitForHealth === true);
  });
}

/** What one Application creates: waves order only that. */
interface Family {
  readonly parent?: string;
  /** Those that the platform file has. */
  readonly members: readonly Waved[];
  /** What the waves order as well, and the platform file does not have. */
  readonly neighbours: readonly Ordered[];
  readonly comesAfter: ComesAfter;
}

const wavedOf = ({ name, wave }: ApplicationMaterial): Waved => ({
  name,
  wave: ownWave(wave),
  isAnnotated: wave !== undefined,
});

/** Removed, the waves are all the same: an order is kept by the graph, or lost. */
function lintFamily(family: Family, waits: boolean): LintFinding[] {
  const tiers = [...groupBy(family.members, ({ wave }) => String(wave)).values()].sort(
    ([one], [other]) => ownWave(one?.wave) - ownWave(other?.wave),
  );
  const contradictions = contradictionsIn(tiers, family, waits);
  const needed = [...neededIn(tiers, family), ...besides(family)];
  const canGo = needed.length === 0 && tiers.length > 1;
  return [...contradictions, ...needed, ...(canGo ? needless(family) : [])];
}

type Tiers = readonly (readonly Waved[])[];

function contradictionsIn(tiers: Tiers, { comesAfter }: Family, waits: boolean): LintFinding[] {
  return tiers.flatMap((lates, at) =>
    tiers
      .slice(0, at)
      .flat()
      .flatMap((early) =>
        lates
          .filter((late) => comesAfter(early.name, late.name))
          .map((late) => contradiction(early, late, waits)),
      ),
  );
}

function contradiction(early: Waved, late: Waved, waits: boolean): LintFinding {
  const effect = waits
    ? 'The parent waits for the first before it creates the second, which the first depends on: it never finishes.'
    : 'The parent creates them in the wrong order.';
  return {
    ...{ rule: 'wave-contradicts', level: 'error', application: early.name, object: null },
    message: `${early.name} has sync wave ${early.wave} and ${late.name} has ${late.wave}, but ${early.name} depends on ${late.name}. ${effect}`,
    fix: `Correct the annotation argocd.argoproj.io/sync-wave of one of them, or dependsOn of ${early.name}. What the waves order otherwise stays in order without them where lint calls them needless.`,
    edge: null,
    patch: null,
  };
}

/** The fewest edges that keep the order of the waves. What comes after another also comes after everything before that. */
function neededIn(tiers: Tiers, { parent, comesAfter }: Family): LintFinding[] {
  const orders = new Map<string, ReadonlySet<string>>();
  return tiers.flatMap((lates, at) => {
    const before = tiers.slice(0, at).reverse().flat();
    return lates.flatMap((late): LintFinding[] => {
      const after = new Set<string>();
      const follow = (name: string) => {
        after.add(name);
        for (const other of orders.get(name) ?? []) after.add(other);
      };
      for (const { name } of before) if (comesAfter(late.name, name)) follow(name);
      const [first, ...more] = before.filter(({ name }) => {
        if (after.has(name) || comesAfter(name, late.name)) return false;
        follow(name);
        return true;
      });
      orders.set(late.name, after);
      return first ? [neededEdge(late, [first, ...more], parent)] : [];
    });
  });
}

function neededEdge(
  late: Waved,
  earlier: readonly [Waved, ...Waved[]],
  parent: string | undefined,
): LintFinding {
  const names = listed(earlier.map(({ name }) => name));
  const waved = listed(earlier.map(({ name, wave }) => `${name} (${wave})`));
  return {
    ...{ rule: 'wave-needed', level: 'note', application: late.name, object: null },
    message: `Only sync waves put ${late.name} (${late.wave}) after ${waved}: the platform file does not order them.`,
    fix: `Write ${names} into dependsOn of ${late.name}, unless the order is needless. Until then keep the sync waves${ofParent(parent)}.`,
    edge: { dependent: late.name, dependency: earlier[0].name },
    patch: null,
  };
}

/** No edge can be written for these. */
function besides({ parent, members, neighbours }: Family): LintFinding[] {
  const annotated = members.filter(({ isAnnotated }) => isAnnotated);
  return annotated.flatMap(({ name, wave }): LintFinding[] => {
    const lost = neighbours.filter((one) => one.isLost(wave)).map(({ label }) => label);
    if (lost.length === 0) return [];
    return [
      {
        ...{ rule: 'wave-needed', level: 'note', application: name, object: null },
        message: `Only its sync wave (${wave}) orders ${name} beside ${listed(lost)}: the platform file does not have that.`,
        fix: `Keep the sync waves${ofParent(parent)}.`,
        ...{ edge: null, patch: null },
      },
    ];
  });
}

const ofParent = (parent: string | undefined): string =>
  parent === undefined ? '' : ` of everything that ${parent} creates`;

function needless({ parent, members }: Family): LintFinding[] {
  const annotated = members.filter(({ isAnnotated }) => isAnnotated);
  const all = parent === undefined ? '' : `, from every Application that ${parent} creates`;
  return annotated.map(({ name, wave }) => ({
    ...{ rule: 'wave-needless', level: 'note', application: name, object: null },
    message: `${name} has sync wave ${wave}, and the platform file orders everything that it orders.`,
    fix: `Remove the annotation argocd.argoproj.io/sync-wave${all}.`,
    edge: null,
    patch: wavePatch(name),
  }));
}
