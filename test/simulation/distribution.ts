// What the worlds of a run were like: how large, how deep, and what struck them.
import type { World } from './seeded-world.ts';

export interface Facts {
  readonly isLarge: boolean;
  /** Applications that make others. */
  readonly parents: number;
  /** Stacks inside of each other, at most. */
  readonly depth: number;
  readonly projects: number;
  /** Argo CD's own, and those beside it. */
  readonly clusters: number;
  readonly argocd: string;
  readonly nestedHealth: string;
}

export function factsOf(world: World): Facts {
  const { isLarge, reading, platform, destinations, argocd, nestedHealth } = world;
  const outer = new Map(platform.spec.stacks.map(({ name, parent }) => [name, parent]));
  const depthOf = (name: string | undefined): number =>
    name === undefined ? 0 : 1 + depthOf(outer.get(name));
  return {
    ...{ isLarge, parents: reading.parents.size, argocd, nestedHealth },
    depth: Math.max(...[...outer.keys()].map(depthOf)),
    projects: new Set(reading.projects.values()).size,
    clusters: 1 + new Set(destinations.values()).size,
  };
}

interface Seen extends Facts {
  readonly applications: number;
  /** Classes of faults that had an effect. */
  readonly struck: number;
}

const COLUMNS = ['applications', 'parents', 'depth', 'projects', 'clusters', 'struck'] as const;

export class Distribution {
  readonly #worlds: Seen[] = [];

  add(facts: Facts, applications: number, met: Readonly<Record<string, number>>): void {
    const struck = Object.values(met).filter((times) => times > 0).length;
    this.#worlds.push({ ...facts, applications, struck });
  }

  lines(): string[] {
    const head = 'worlds: least / median / most of';
    return [
      [head.padEnd(34), ...COLUMNS.map((name) => name.padStart(15))].join(''),
      ...[false, true].flatMap((isLarge) => this.#line(isLarge)),
      this.#argocd(),
    ];
  }

  #line(isLarge: boolean): string[] {
    const some = this.#worlds.filter((world) => world.isLarge === isLarge);
    if (some.length === 0) return [];
    const name = `${some.length} ${isLarge ? 'realistic' : 'small'}`.padEnd(34);
    return [[name, ...COLUMNS.map((key) => spread(some.map((one) => one[key])))].join('')];
  }

  #argocd(): string {
    const count = (has: (world: Seen) => boolean) => this.#worlds.filter(has).length;
    const versions = [...new Set(this.#worlds.map(({ argocd }) => argocd))].sort();
    const each = versions.map((one) => `${one} in ${count(({ argocd }) => argocd === one)}`);
    const checked = count(({ nestedHealth }) => nestedHealth !== 'none');
    return `Argo CD ${each.join(', ')} worlds; with a health check for Applications in ${checked}`;
  }
}

function spread(values: readonly number[]): string {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)];
  return `${sorted[0]} / ${middle} / ${sorted.at(-1)}`.padStart(15);
}
