// What could not be read, and what is lost by it. Only where nothing can be read at all does reading fail.
import { codeOf, type ErrorCode } from '../../errors.ts';
import type { ReadProblem } from '../../import/material.ts';

/** Of one part: the others can be read all the same. */
const PARTIAL: ReadonlySet<ErrorCode> = new Set([
  'cluster-forbidden',
  'cluster-answer-invalid',
  'argocd-forbidden',
  'argocd-answer-invalid',
  'application-missing',
]);

export class ReadProblems {
  readonly all: ReadProblem[] = [];

  /** What is read; undefined where that is a problem. `lost`: what is not known without it. */
  async attempt<T>(
    subject: string,
    lost: string,
    read: () => Promise<T>,
    tolerated: ReadonlySet<ErrorCode> = PARTIAL,
  ): Promise<T | undefined> {
    try {
      return await read();
    } catch (error) {
      const code = codeOf(error);
      if (code === undefined || !tolerated.has(code)) throw error;
      // Reports cut long lines, and messages of Kubernetes are long.
      this.all.push({ subject, message: `${lost} ${(error as Error).message}`.trim() });
      return undefined;
    }
  }
}

/** Argo CD says the same of an Application that it cannot compare. */
export const PARTIAL_OR_SILENT: ReadonlySet<ErrorCode> = new Set([
  ...PARTIAL,
  'argocd-unreachable',
]);
