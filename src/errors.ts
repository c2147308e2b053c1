// The catalogue of error codes, and the one class that carries diagnostics. docs/errors.md describes the same codes for
// users; a test compares the two.

export const EXIT = { ok: 0, failure: 1, partial: 2, invalid: 3, timeout: 4 } as const;
export type ExitStatus = (typeof EXIT)[keyof typeof EXIT];

export const CATALOGUE = {
  bug: EXIT.failure,
  'usage-invalid': EXIT.invalid,
  'variable-invalid': EXIT.invalid,
  'file-unreadable': EXIT.invalid,
  'file-unwritable': EXIT.invalid,
  'file-exists': EXIT.invalid,
  'file-too-large': EXIT.invalid,
  'file-not-utf8': EXIT.invalid,
  'yaml-syntax': EXIT.invalid,
  'yaml-too-deep': EXIT.invalid,
  'yaml-alias': EXIT.invalid,
  'yaml-duplicate-key': EXIT.invalid,
  'key-unknown': EXIT.invalid,
  'key-missing': EXIT.invalid,
  'key-reserved': EXIT.invalid,
  'value-type': EXIT.invalid,
  'value-unexpected': EXIT.invalid,
  'value-range': EXIT.invalid,
  'credential-in-file': EXIT.invalid,
  'duration-invalid': EXIT.invalid,
  'name-invalid': EXIT.invalid,
  'name-reserved': EXIT.invalid,
  'name-duplicate': EXIT.invalid,
  'application-in-two-stacks': EXIT.invalid,
  'class-unknown': EXIT.invalid,
  'reference-invalid': EXIT.invalid,
  'reference-unknown': EXIT.invalid,
  'reference-self': EXIT.invalid,
  'reference-contains': EXIT.invalid,
  'reference-absent': EXIT.invalid,
  'environment-unknown': EXIT.invalid,
  'environment-empty': EXIT.invalid,
  'approval-without-application': EXIT.invalid,
  'generated-invalid': EXIT.invalid,
  'generated-names': EXIT.invalid,
  'probe-without-application': EXIT.invalid,
  'probe-invalid': EXIT.invalid,
  'decision-conflict': EXIT.invalid,
  'import-empty': EXIT.invalid,
  'fault-invalid': EXIT.invalid,
  'run-file-invalid': EXIT.invalid,
  'graph-cycle': EXIT.invalid,
  'applications-too-many': EXIT.invalid,
  'dependencies-too-many': EXIT.invalid,
  'workflow-too-large': EXIT.invalid,
  'workflows-not-found': EXIT.invalid,
  'workflow-refused': EXIT.invalid,
  'workflow-failed': EXIT.failure,
  'kubeconfig-invalid': EXIT.invalid,
  'cluster-unreachable': EXIT.failure,
  'cluster-tls': EXIT.failure,
  'cluster-unauthorized': EXIT.failure,
  'cluster-forbidden': EXIT.invalid,
  'cluster-answer-invalid': EXIT.failure,
  'cluster-name-differs': EXIT.invalid,
  'argocd-not-found': EXIT.invalid,
  'argocd-core-mode': EXIT.invalid,
  'argocd-ambiguous': EXIT.invalid,
  'argocd-unreachable': EXIT.failure,
  'argocd-tls': EXIT.failure,
  'argocd-token-missing': EXIT.invalid,
  'argocd-token-rejected': EXIT.failure,
  'argocd-forbidden': EXIT.invalid,
  'argocd-answer-invalid': EXIT.failure,
  'run-already-active': EXIT.failure,
  'run-unfinished': EXIT.partial,
  'run-unknown': EXIT.invalid,
  interrupted: EXIT.partial,
  'release-unconfirmed': EXIT.invalid,
  'deploy-unconfirmed': EXIT.invalid,
  'lease-lost': EXIT.partial,
  'hold-lost': EXIT.partial,
  'hold-not-written': EXIT.failure,
  'dependencies-not-healthy': EXIT.failure,
  'approval-not-awaited': EXIT.failure,
  'approval-of-another-question': EXIT.failure,
  'dependents-exist': EXIT.failure,
  'maker-not-stopped': EXIT.failure,
  'operation-endless': EXIT.failure,
  'teardown-refused': EXIT.failure,
  'teardown-differs': EXIT.failure,
  'teardown-unconfirmed': EXIT.invalid,
  'inventory-invalid': EXIT.invalid,
  'application-missing': EXIT.invalid,
  'application-wrong-project': EXIT.invalid,
  'application-hydrated': EXIT.invalid,
  'applicationset-rolling-sync': EXIT.invalid,
  'project-missing': EXIT.invalid,
  'project-held': EXIT.failure,
  'project-managed-windows': EXIT.invalid,
  'tool-missing': EXIT.invalid,
  'credential-unsafe': EXIT.invalid,
  'credential-missing': EXIT.invalid,
  'cluster-unfit': EXIT.failure,
  'cluster-not-empty': EXIT.failure,
  'endpoint-unreachable': EXIT.failure,
  'preflight-late': EXIT.failure,
  'snapshot-invalid': EXIT.invalid,
  'ansible-failed': EXIT.failure,
  'health-check-missing': EXIT.invalid,
  'health-check-invalid': EXIT.invalid,
} as const satisfies Record<string, ExitStatus>;

export type ErrorCode = keyof typeof CATALOGUE;

/** One problem: what is wrong, where (if it is in a file), and what to do next. */
export interface Diagnostic {
  readonly code: ErrorCode;
  readonly message: string;
  /** Shown below the message, one per line. */
  readonly details?: readonly string[] | undefined;
  readonly hint?: string | undefined;
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

/**
 * A quoted address may contain a password. The pattern starts at `://`, and no match can reach past the next one, so the
 * cost is linear in the length of any text.
 */
export function withoutPasswords(text: string): string {
  return text.replace(/:\/\/[^\s/?#"'`]*@/g, '://***@');
}

/** Carries every diagnostic that was found, not only the first one. */
export class TiphysError extends Error {
  readonly diagnostics: readonly Diagnostic[];

  constructor(diagnostics: readonly Diagnostic[], options?: ErrorOptions) {
    const clean = diagnostics.map((d) => ({
      ...d,
      message: withoutPasswords(d.message),
      ...(d.details && { details: d.details.map(withoutPasswords) }),
    }));
    super(clean.flatMap((d) => [d.message, ...(d.details ?? [])]).join('\n'), options);
    this.name = 'TiphysError';
    this.diagnostics = clean;
  }

  /** A server that is unreachable now may answer later. */
  get isPassing(): boolean {
    return this.diagnostics.every(({ code }) => code.endsWith('-unreachable'));
  }

  get exitStatus(): ExitStatus {
    const [first] = this.diagnostics;
    return first ? CATALOGUE[first.code] : EXIT.failure;
  }
}

/** The code of the first diagnostic; undefined if the error is not a TiphysError. */
export function codeOf(error: unknown): ErrorCode | undefined {
  return error instanceof TiphysError ? error.diagnostics[0]?.code : undefined;
}

/** The request itself makes no sense. */
export function usageError(message: string, hint: string): TiphysError {
  return new TiphysError([{ code: 'usage-invalid', message, hint }]);
}

/** Runs all checks, so that one error reports the problems of all of them. */
export function together<T extends readonly unknown[]>(
  ...steps: { readonly [K in keyof T]: () => T[K] }
): T {
  const results = steps.map((step) => {
    try {
      return { value: step(), diagnostics: [] };
    } catch (error) {
      if (error instanceof TiphysError) return { value: undefined, diagnostics: error.diagnostics };
      throw error;
    }
  });
  const diagnostics = results.flatMap((result) => result.diagnostics);
  if (diagnostics.length > 0) throw new TiphysError(diagnostics);
  return results.map((result) => result.value) as readonly unknown[] as T;
}
