import type { TiphysError } from '../../src/errors.ts';

/** What it fails with; undefined if it does not. */
export function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

export function codeOf(error: unknown): string | undefined {
  return (error as TiphysError | undefined)?.diagnostics?.[0]?.code;
}
