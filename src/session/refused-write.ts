// Why a write was refused, as an error with what to do about it.
import { type ErrorCode, TiphysError } from '../errors.ts';
import type { WriteResult } from '../ports/write-result.ts';

export type Refused = Extract<WriteResult, { kind: 'refused' }>;

const CODES: Readonly<Record<'cluster' | 'argocd', readonly [ErrorCode, ErrorCode, ErrorCode]>> = {
  cluster: ['cluster-unauthorized', 'cluster-forbidden', 'cluster-answer-invalid'],
  argocd: ['argocd-token-rejected', 'argocd-forbidden', 'argocd-answer-invalid'],
};

/** `what` begins the sentence: `The Lease "tiphys-shop"`. */
export function refusal(
  { reason, message }: Refused,
  side: 'cluster' | 'argocd',
  what: string,
): TiphysError {
  const [unauthorized, forbidden, other] = CODES[side];
  const said = `${what} cannot be written: ${message}.`;
  if (reason === 'unauthenticated') {
    return error(unauthorized, said, 'Renew the credentials and run the same command again.');
  }
  if (reason === 'forbidden')
    return error(forbidden, said, 'Grant the permission that the message names.');
  return error(other, said, 'Fix what the message names and run the same command again.');
}

function error(code: ErrorCode, message: string, hint: string): TiphysError {
  return new TiphysError([{ code, message, hint }]);
}
