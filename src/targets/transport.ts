// The one way to a server: everything above asks through this, so that a simulated cluster can stand in for it.

export interface TransportRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With its query, from the root of the server. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, and of a PATCH as what is merged into what is there. */
  readonly body?: unknown;
  /** Milliseconds until the whole answer must be there; of a stream: until it begins. */
  readonly deadline: number;
  /** Resolves, before the deadline, where it has longer: until this moment of the monotonic clock. */
  readonly extension?: Promise<number> | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface TransportAnswer {
  readonly status: number;
  /** The header of that name, as it came. */
  readonly retryAfter: string | undefined;
  readonly text: string;
}

export interface TransportStream {
  readonly status: number;
  /** Without line ends, empty ones left out. Ends or throws a TransportFailure; leaving the loop closes the stream. */
  readonly lines: AsyncIterable<string>;
}

export interface Transport {
  /** Sends it once. Rejects with a TransportFailure where there is no whole answer. */
  readonly send: (request: TransportRequest) => Promise<TransportAnswer>;
  /** The signal of the request also ends a stream that has begun. */
  readonly stream: (request: TransportRequest) => Promise<TransportStream>;
}

/**
 * `tls`: the certificate of one side is not accepted by the other. `cancelled`: the request's signal was given. `oversized`:
 * an answer is longer than any server should send.
 */
export type FailureKind = 'unreachable' | 'deadline' | 'tls' | 'cancelled' | 'oversized';

/** There is no answer. Whether the request was carried out is not known. */
export class TransportFailure extends Error {
  readonly kind: FailureKind;

  constructor(kind: FailureKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'TransportFailure';
    this.kind = kind;
  }
}
