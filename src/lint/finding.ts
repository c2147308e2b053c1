// What lint finds: ordering between Applications that is done by Jobs, hooks, init containers and waves instead of the graph.
import type { API_VERSION } from '../model/api-version.ts';

export const LINT_RULES = {
  'wait-for-application': 'A Job, hook or init container waits for another Application.',
  'wait-for-itself': 'A Job or hook waits for its own Application, as the gate does.',
  'wait-unclear': 'A Job or hook looks like a wait, and may do more.',
  'wait-only-application': 'An Application does nothing but wait.',
  'wave-contradicts': 'A sync wave orders two Applications against the graph.',
  'wave-needed': 'Only a sync wave orders Applications: the graph does not.',
  'wave-needless': 'A sync wave orders Applications that the graph orders.',
  'namespace-by-accident': 'An Application relies on a namespace that another one creates.',
} as const;

type LintRule = keyof typeof LINT_RULES;

export interface Place {
  /** Or the folder, where no file has it as it is. */
  readonly file: string;
  readonly line?: number;
}

export interface LintFinding {
  readonly rule: LintRule;
  /** note: information, which never fails a check. */
  readonly level: 'error' | 'warning' | 'note';
  readonly application: string;
  /** KIND/NAME, or KIND/NAME/CONTAINER of an init container. */
  readonly object: string | null;
  readonly message: string;
  /** What to do. */
  readonly fix: string;
  /** The dependency that the platform file should have instead. */
  readonly edge: { readonly dependent: string; readonly dependency: string } | null;
  /**
   * An entry for `patches` of a kustomization. It removes what waits, only where script and rights agree that it does nothing else; or
   * the sync wave of an Application.
   */
  readonly patch: string | null;
  /** In the folder that was read. Absent or null: not in a file, or not known in which. */
  readonly place?: Place | null;
}

/** A Job, hook or init container that changes something, and so stays. */
export interface KeptObject {
  readonly application: string;
  readonly object: string;
  readonly because: string;
}

export interface LintReport {
  readonly apiVersion: typeof API_VERSION;
  readonly kind: 'LintReport';
  readonly applications: number;
  /** Of these, what they deploy is not known, or only in part: what they wait for was not looked at. */
  readonly unchecked: readonly string[];
  readonly findings: readonly LintFinding[];
  readonly kept: readonly KeptObject[];
  /** What could not be read, and so was not looked at. */
  readonly problems: readonly { readonly subject: string; readonly message: string }[];
}

/** Notes never fail a check; what could not be checked does. */
export const isClean = ({ findings, unchecked, problems }: LintReport): boolean =>
  findings.every(({ level }) => level === 'note') && unchecked.length + problems.length === 0;
