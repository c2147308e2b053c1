// Progress and results of an action. The command line prints them; the executor turns them into its log and report. An action
// knows neither.
import type { BootstrapReport } from '../../bootstrap/bootstrap-report.ts';
import type { BootstrapEvent } from '../../bootstrap/events.ts';
import type { ExitStatus } from '../../errors.ts';
import type { Inventory } from '../../inventory/inventory.ts';
import type { API_VERSION } from '../../model/api-version.ts';
import type { ShownPlan } from '../../plan/timed-plan.ts';
import type { PreflightReport } from '../../preflight/preflight-report.ts';
import type { DryRun } from '../../report/dry-run-report.ts';
import type { Report } from '../../report/run-report.ts';
import type { Validation } from '../../report/validation.ts';
import type { RunEvent } from '../../run/events.ts';
import type { Text } from '../../view/lines.ts';
import type { Io } from '../io.ts';

export interface Output {
  /** For the events of a run, from its beginning to its report. */
  readonly forRun: (plan: ShownPlan) => Promise<RunOutput>;
  readonly bootstrapEvent: (event: BootstrapEvent) => void;
  /** The checks before a bootstrap. */
  readonly preflight: (report: PreflightReport) => void;
  readonly result: (result: Result) => Promise<void>;
  /** A line of progress. */
  readonly note: (text: string) => void;
  readonly warn: (text: string) => void;
  /** A notice that no option silences, made from the names of what is in progress. */
  readonly notice: (text: Notice) => void;
}

export type Notice = (inProgress: readonly string[]) => Text;

export interface RunOutput {
  readonly event: (event: RunEvent) => void;
  readonly report: (report: Report) => void;
  readonly notice: (text: Notice) => void;
  readonly close: () => void;
}

/** Prints a run from its first event to its report; returns the exit status. */
export async function tellRun(
  output: Output,
  plan: ShownPlan,
  run: (listen: RunOutput['event']) => Promise<Report>,
): Promise<ExitStatus> {
  const told = await output.forRun(plan);
  try {
    const report = await run(told.event);
    told.report(report);
    return report.exitStatus as ExitStatus;
  } finally {
    told.close();
  }
}

export type Result =
  | Report
  | Validation
  | DryRun
  | Inventory
  | Submitted
  | NothingToDo
  | BootstrapReport;

/** A Workflow that runs on its own. */
export interface Submitted {
  readonly apiVersion: typeof API_VERSION;
  readonly kind: 'Submitted';
  readonly platform: string;
  /** Its hash. */
  readonly plan: string;
  readonly namespace: string;
  readonly workflow: string;
  /** NAMESPACE/NAME of the Workflow that must end first. */
  readonly waitsFor: string | null;
}

/** A teardown that found the cluster empty. */
export interface NothingToDo {
  readonly apiVersion: typeof API_VERSION;
  readonly kind: 'NothingToDo';
  readonly platform: string;
}

export interface OutputOptions {
  readonly output: 'text' | 'json';
  /** Tables as wide as they are, also on a narrow terminal. */
  readonly wide?: boolean;
  readonly quiet?: boolean;
}

/** What an action works with. */
export interface ActionContext {
  readonly io: Io;
  readonly output: Output;
}
