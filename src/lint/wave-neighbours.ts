// What sync waves order besides the Applications of a platform file: other Applications, and what the parent has itself.
import type { ApplicationMaterial, ListedResource } from '../import/material.ts';

export interface Waved {
  readonly name: string;
  readonly wave: number;
  readonly isAnnotated: boolean;
}

export interface Ordered {
  readonly label: string;
  /** Whether an Application of that wave would come at another time than this one if it had none. */
  readonly isLost: (wave: number) => boolean;
}

/** Argo CD's own, for what has none. */
export const ownWave = (wave: number | undefined): number => wave ?? 0;

/**
 * There as soon as they are applied, and applied before Applications of the same wave, or needed only by what these create. Other kinds
 * become ready only in time, which waves wait for.
 */
const AT_ONCE: ReadonlySet<string> = new Set([
  ...['Namespace', 'ConfigMap', 'Secret', 'ServiceAccount', 'AppProject'],
  ...['Role', 'RoleBinding', 'ClusterRole', 'ClusterRoleBinding'],
]);

/** Nothing that an Application deploys has to be there for them. */
const NEED_NOTHING: ReadonlySet<string> = new Set([
  ...['Namespace', 'AppProject', 'ClusterRole', 'ClusterRoleBinding'],
]);

export function waveNeighbours(
  members: readonly ApplicationMaterial[],
  known: ReadonlySet<string>,
  parent: ApplicationMaterial | undefined,
): readonly Ordered[] {
  const strangers = members.filter(({ name }) => !known.has(name));
  return [
    ...strangers.map(({ name, wave }) => ordered('Application', name, wave)),
    ...(parent?.resources ?? [])
      .filter(isNoChild)
      .map(({ kind, name, wave }) => ordered(kind, name, wave)),
  ];
}

const isNoChild = ({ group, kind }: ListedResource): boolean =>
  group !== 'argoproj.io' || kind !== 'Application';

function ordered(kind: string, name: string, given: number | undefined): Ordered {
  const wave = ownWave(given);
  const after = Math.sign(ownWave(undefined) - wave);
  return {
    label: `${kind}/${name} (${wave})`,
    isLost: (own) => {
      const before = Math.sign(own - wave);
      if (before === after || (before < 0 && NEED_NOTHING.has(kind))) return false;
      return !(before > 0 && after === 0 && AT_ONCE.has(kind));
    },
  };
}

const SHOWN_MAX = 10;

export function listed(names: readonly string[]): string {
  const left = names.length - SHOWN_MAX;
  const shown = names.slice(0, SHOWN_MAX);
  return left > 0 ? `${shown.join(', ')} and ${left} more` : shown.join(' and ');
}
