// What of a proposal can stand in a platform file: names that the model allows, references to what is there, and no cycle.
// What cannot is kept as a problem, with the reason.
import type { ProposedEdge } from '../proposal.ts';

/** An entry of `dependsOn`. */
export interface LaidDependency {
  /** NAME, app:NAME or stack:NAME. */
  readonly reference: string;
  /** Undefined for the order of waves, which no evidence stands behind. */
  readonly edge?: ProposedEdge | undefined;
  /** False: as a comment only. */
  readonly isWritten: boolean;
  /** Why it is a comment although it was proposed to be written. */
  readonly because?: string | undefined;
}

export interface LaidApplication {
  readonly name: string;
  readonly class?: string | undefined;
  /** Whole seconds. */
  readonly expectedDuration?: number | undefined;
  readonly fromHistory: boolean;
  readonly project?: string | undefined;
  readonly dependsOn: readonly LaidDependency[];
}

export interface LaidStack {
  readonly name: string;
  readonly application?: string | undefined;
  readonly project?: string | undefined;
  readonly parent?: string | undefined;
  readonly dependsOn: readonly LaidDependency[];
  readonly applications: readonly LaidApplication[];
}

export interface LayoutProblem {
  /** The application or stack that it is about. */
  readonly subject: string;
  readonly message: string;
}

export interface Layout {
  readonly platform: string;
  readonly argocdNamespace: string;
  readonly project?: string | undefined;
  readonly root?: string | undefined;
  readonly stacks: readonly LaidStack[];
  readonly problems: readonly LayoutProblem[];
}
