// What a gate opened on.
import type { Decision } from './decision.ts';
import type { ProbeResult } from './probe-result.ts';

export interface Evidence {
  readonly uid: string;
  readonly resourceVersion: string;
  readonly operation: string | null;
  readonly revisions: readonly string[];
  readonly finishedAt: number | null;
  readonly reconciledAt: number;
  readonly healthSince: string | null;
  readonly resources: number;
  /** Kinds that Argo CD has no health for: they count for nothing. */
  readonly withoutHealth: readonly string[];
  /** Not Healthy, and not counted: Argo CD was told to ignore their health. */
  readonly ignored: readonly string[];
  /** Who approved it, where somebody had to. */
  readonly approval?: Decision | undefined;
  /** What was tried from inside the cluster, where that was to be. */
  readonly probe?: ProbeResult | undefined;
}
