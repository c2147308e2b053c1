// The evidence on which a gate opened.
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
  /** Kinds without a health check in Argo CD: they do not count. */
  readonly withoutHealth: readonly string[];
  /** Resources that are not Healthy and do not count: Argo CD was told to ignore their health. */
  readonly ignored: readonly string[];
  /** Who approved it, if an approval was required. */
  readonly approval?: Decision | undefined;
  /** The result of the probe, if there is one. */
  readonly probe?: ProbeResult | undefined;
}
