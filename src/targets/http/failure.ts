// What undici and Node throw, as the few kinds that make a difference.
import { type FailureKind, TransportFailure } from '../transport.ts';

const TLS = /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS|ERR_SSL|EPROTO|HOSTNAME_MISMATCH/;

export function failureOf(error: unknown): TransportFailure {
  if (error instanceof TransportFailure) return error;
  const cause = innermost(error);
  const code = codeOf(cause);
  const kind: FailureKind = TLS.test(code) ? 'tls' : 'unreachable';
  return new TransportFailure(kind, wordsOf(cause, code), { cause: error });
}

/** Several addresses of one name fail as one error that holds the others. */
function innermost(error: unknown): unknown {
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors[0];
  return error;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

const WORDS: Readonly<Record<string, string>> = {
  ECONNRESET: 'the connection was cut',
  EPIPE: 'the connection was cut',
  UND_ERR_SOCKET: 'the connection was cut',
  UND_ERR_CONNECT_TIMEOUT: 'no connection within 10 s',
  EPROTO: 'the other side does not speak TLS',
};

function wordsOf(error: unknown, code: string): string {
  return WORDS[code] ?? (error instanceof Error ? error.message : String(error));
}
