// One way to break the engine or the gate: a small change of one place. Not one of them is in the sources: they are put in
// when the simulation is bundled.
import type { Patch } from '../bundle.ts';
import type { Size } from '../realistic.ts';

export interface Bug {
  readonly name: string;
  readonly what: string;
  readonly patches: readonly Patch[];
  /** Where it shows; by a process that deploys, if nothing is said. */
  readonly mission?: 'deploy' | 'approvals' | 'probes' | 'workflow' | 'teardown';
  /** Of the worlds that it shows in; small, if nothing is said. */
  readonly size?: Size;
}

export const bug = (name: string, what: string, file: string, find: string, put: string): Bug => ({
  ...{ name, what },
  patches: [{ file, find, put }],
});
