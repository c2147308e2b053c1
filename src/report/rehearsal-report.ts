// What a rehearsal tells at its end, as data.
import type { Diagnostic } from '../errors.ts';
import type { API_VERSION } from '../model/api-version.ts';
import type { Forecast } from './forecast.ts';
import type { Report } from './run-report.ts';

/** One start of the command inside the rehearsal. */
export interface RehearsedRun {
  /** `tiphys`, then `tiphys-2` and so on. */
  readonly name: string;
  /** Seconds since the beginning of the rehearsal. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly end: 'reported' | 'killed' | 'refused';
  /** Applications whose gates it saw open. */
  readonly opened: number;
  readonly report: Report | null;
  /** Why it was refused. */
  readonly errors: readonly Diagnostic[];
}

/** A fault as it is written, and how often it had an effect. */
interface RehearsedFault {
  readonly fault: string;
  readonly met: number;
}

interface Rehearsed<Action> {
  readonly apiVersion: typeof API_VERSION;
  readonly kind: 'Rehearsal';
  readonly action: Action;
  readonly platform: string;
  readonly plan: string;
  readonly scope: readonly string[];
  readonly seed: number;
  readonly exitStatus: number;
  /** Seconds: of a deployment from the first start of the command to its last end, of a teardown from the first request. */
  readonly duration: number;
}

export interface RehearsalReport extends Rehearsed<'deploy'> {
  /** The same as the durations of the applications say it, without faults. */
  readonly expectedDuration: number;
  readonly faults: readonly RehearsedFault[];
  /** Those that were carried out. Lease and record are in Kubernetes. */
  readonly requests: {
    readonly kubernetes: number;
    readonly argocd: number;
    readonly argocdWrites: number;
  };
  /** From the times as they were rehearsed; of what did not become Healthy, as they were expected. */
  readonly forecast: Forecast;
  /** In the order of their starts. */
  readonly runs: readonly RehearsedRun[];
}

export interface TeardownRehearsal extends Rehearsed<'teardown'> {
  /** The longest chain, by the times that each took from its request to its end. */
  readonly critical: {
    readonly duration: number;
    readonly path: readonly { readonly id: string; readonly duration: number }[];
  };
  readonly report: Report;
}
