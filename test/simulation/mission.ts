// What the process of a world is there for: to deploy the platform, or to tear it down.
import { compile } from '../../src/plan/compile.ts';
import type { Rehearsal } from '../../src/rehearsal/rehearsal.ts';
import type { Command, End } from './life.ts';
import type { World } from './seeded-world.ts';
import type { Accuse, Witness } from './witness.ts';

export interface MissionParts {
  readonly world: World;
  readonly rehearsal: Rehearsal;
  readonly accuse: Accuse;
}

export interface Mission {
  readonly command: Command;
  /** They see everything, in this order. */
  readonly witnesses: readonly Witness[];
  /** Seconds that it takes when nothing goes wrong. */
  readonly expected: number;
  /** Called when the platform is there, and nothing was commanded yet. */
  readonly begin: () => void;
  /** Called when it is done, and nothing goes wrong any more. `again` gives the command once more. */
  readonly afterwards: (again: () => Promise<End>) => Promise<void>;
  /** Called at the end, whatever came of it. */
  readonly close: () => void;
  readonly counts: () => Counts;
}

export interface Counts {
  readonly requests: number;
  readonly operations: number;
  readonly deceived: number;
  readonly busiest: number;
  /** Objects that changed out of order, by hands that nobody could stop. */
  readonly excused: number;
  /** Argo CD would break the order if nobody held anything. */
  readonly isBreakable: boolean;
}

export const compiledOf = ({ platform }: World) =>
  compile({ file: 'world.yaml', text: JSON.stringify(platform) });
