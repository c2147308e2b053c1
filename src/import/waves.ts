// Sync waves check the direction of an edge, and make none: a wave says "not before", hardly ever "because of".
import type { ApplicationMaterial } from './material.ts';
import type { ProposedEdge } from './proposal.ts';
import type { Family } from './tree.ts';

export type WaveCheck = (dependent: string, dependency: string) => ProposedEdge['waves'];

/** Waves count among the children of one parent: the two are compared where their ways from the root part. */
export function waveCheck(applications: readonly ApplicationMaterial[], family: Family): WaveCheck {
  const waves = new Map(applications.map(({ name, wave }) => [name, wave]));
  const way = (name: string) => [name, ...family.ancestors(name)].reverse();
  return (dependent, dependency) => {
    const [one, other] = [way(dependent), way(dependency)];
    const at = one.findIndex((name, place) => name !== other[place]);
    const later = waves.get(one[at] ?? '');
    const earlier = waves.get(other[at] ?? '');
    if (later === undefined || earlier === undefined) return undefined;
    if (later === earlier) return 'same';
    return later > earlier ? 'with' : 'against';
  };
}
