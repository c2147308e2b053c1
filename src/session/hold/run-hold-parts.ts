// The parts of a run's hold.
import type { Plan, PlanNode } from '../../plan/plan.ts';
import type { ProjectReads } from '../../ports/app-projects.ts';
import type { ApplicationView } from '../../ports/application-view.ts';
import type { Watch } from '../../ports/application-watch.ts';
import type { ApplicationReads } from '../../ports/argocd-applications.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Cluster } from '../../ports/target.ts';
import type { Emit } from '../../run/events.ts';
import type { RunIdentity } from '../identity.ts';
import type { HoldWrites } from '../writes/hold-writes.ts';

export interface RunHoldParts {
  readonly plan: Plan;
  readonly run: RunIdentity;
  readonly projects: ProjectReads;
  readonly applications: ApplicationReads;
  /** The Applications as preflight found them. */
  readonly found: ReadonlyMap<string, ApplicationView>;
  /** By the conditions of the gate that need no fresh look. */
  readonly looksDone: (node: PlanNode, found: ReadonlyMap<string, ApplicationView>) => boolean;
  readonly watch: Watch;
  readonly watchProjects: Cluster['watches']['projects'];
  readonly clock: Clock;
  readonly writes: HoldWrites;
  readonly emit: Emit;
  /** Fires when nothing more is started: a hold that is not up by then is not needed. */
  readonly stop: AbortSignal;
  /** Fires when the run no longer owns the platform: no more writes. */
  readonly lost: AbortSignal;
  readonly onLost: (error: unknown) => void;
  readonly onTrouble: (message: string) => void;
  /** Whether an Application that has the AppProject with windows in its Git leaves existing windows alone. */
  readonly leavesWindows: (application: string) => boolean;
  /** Mode `gated`: no application is handed over at its gate. */
  readonly keep: boolean;
}
