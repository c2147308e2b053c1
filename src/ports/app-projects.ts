// AppProjects, as far as their sync windows go.
import type { WriteResult } from './write-result.ts';

/** An AppProject, as far as windows go. */
export interface ProjectView {
  readonly name: string;
  readonly resourceVersion: string;
  readonly annotations: ReadonlyMap<string, string>;
  readonly windows: readonly ProjectWindow[];
  /** The Application that has it in its Git (tracking id), if one has. */
  readonly trackedBy: string | undefined;
  /** The field manager that has its windows by server-side apply, if one has. */
  readonly windowsAppliedBy: string | undefined;
}

/** Fields that are not known here are kept as they are. */
export interface ProjectWindow {
  readonly kind: 'allow' | 'deny';
  readonly schedule: string;
  readonly duration: string;
  readonly applications: readonly string[];
  readonly manualSync: boolean;
  /** The whole window as it was read, to be given back unchanged; undefined for one of ours. */
  readonly given: unknown;
}

export interface ProjectReads {
  readonly get: (name: string) => Promise<ProjectView | undefined>;
}

/** Everything else of the project stays as it was read. */
export interface ProjectChange {
  readonly windows: readonly ProjectWindow[];
  /** Undefined removes one. */
  readonly annotations: ReadonlyMap<string, string | undefined>;
}

export interface Projects extends ProjectReads {
  /** Replaces windows and the annotations named, only if there was no other write meanwhile: `conflict` otherwise. */
  readonly update: (project: ProjectView, change: ProjectChange) => Promise<WriteResult>;
}
