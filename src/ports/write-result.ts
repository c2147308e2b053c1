// How a write ended, to any server.

/** What became of a write. `unknown`: it may have been done; only reading tells. */
export type WriteResult =
  | { readonly kind: 'done' }
  | { readonly kind: 'refused'; readonly reason: RefusalReason; readonly message: string }
  | { readonly kind: 'unknown'; readonly message: string };

export const isForbidden = (result: WriteResult): boolean =>
  result.kind === 'refused' && result.reason === 'forbidden';

export type RefusalReason =
  | 'operation-in-progress'
  | 'nothing-in-progress'
  | 'blocked-by-window'
  | 'deleting'
  | 'forbidden'
  | 'unauthenticated'
  | 'not-found'
  | 'conflict'
  | 'invalid';

/** For a request that Argo CD may need longer for than for others. Until more is known it has as long as any write. */
export interface LongRequest {
  /** Resolves where it may take longer: until this moment of the monotonic clock. */
  readonly extension: Promise<number>;
  /** Given when it must stop. */
  readonly signal: AbortSignal;
}

/** A write is given up after so long. A lease must outlast it, and a takeover waits so much longer than the lease. */
export const WRITE_DEADLINE_MS = 5_000;
