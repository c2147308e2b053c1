// How long a token for Argo CD is good, from when on that is worth a warning, and how it is renewed.
import type { WriteResult } from './write-result.ts';

/** Seconds. Bootstrap makes another one in the last 30 days. */
const SOON = 14 * 86_400;

/** What to say of a token that expires then, both in seconds; undefined: nothing. */
export function expiryWarning(expires: number | undefined, now: number): string | undefined {
  if (expires === undefined || expires - now > SOON) return undefined;
  const at = new Date(expires * 1000).toISOString();
  return `the Argo CD token ${expires > now ? 'expires' : 'has expired'} at ${at}`;
}

export const RENEW_TOKEN = 'Renew it: tiphys bootstrap --only argocd --rotate-token';

/** One that takes the place of another. */
export interface MadeToken {
  readonly account: string;
  readonly id: string;
  /** The id of the one before it. */
  readonly before: string;
}

/** In this order; whoever stops in between leaves one that is good. */
export interface TokenRenewal {
  /** The account of the token has Argo CD make another one, of that id. Throws where it is refused. */
  readonly make: (id: string) => Promise<MadeToken>;
  /** Puts it into the Secret, only if nobody wrote that meanwhile. */
  readonly keep: (made: MadeToken) => Promise<WriteResult>;
  /** Argo CD takes the one of that id no more. */
  readonly strike: (account: string, id: string) => Promise<WriteResult>;
}
