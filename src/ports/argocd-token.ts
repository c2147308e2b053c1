// How long a token for Argo CD is good, from when on that is worth a warning, and how it is renewed.
import { quote } from '../model/names.ts';
import type { WriteResult } from './write-result.ts';

/** Seconds. Bootstrap makes another one in the last 30 days. */
const SOON = 14 * 86_400;

/** `secret`: where it is; undefined: in a file. */
export const tokenName = (secret: string | undefined): string =>
  secret === undefined ? 'the Argo CD token' : `the Argo CD token in the Secret ${quote(secret)}`;

/** What to say of a token that expires then, both in seconds; undefined: nothing. */
export function expiryWarning({ secret, expires }: TokenLife, now: number): string | undefined {
  if (expires === undefined || expires - now > SOON) return undefined;
  const at = new Date(expires * 1000).toISOString();
  return `${tokenName(secret)} ${expires > now ? 'expires' : 'has expired'} at ${at}`;
}

/** What a message says where Argo CD answers so. */
export const REJECTED_TOKEN = 'Argo CD does not accept the token';

export const RENEW_TOKEN = 'Renew it: tiphys bootstrap --only argocd';

export interface TokenLife {
  /** Undefined: it is from a file. */
  readonly secret: string | undefined;
  /** In seconds; undefined: the token does not say so. */
  readonly expires: number | undefined;
}

/** One that takes the place of another. */
export interface MadeToken {
  readonly account: string;
  readonly id: string;
  /** The id of the one before it. */
  readonly before: string;
}

/** Of the token in one Secret. In this order; an interruption in between leaves one that is good. */
export interface TokenRenewal {
  readonly secret: () => string;
  /** In seconds; undefined: the token does not say so, or there is none that may be read. */
  readonly expires: () => Promise<number | undefined>;
  /** The account of the token has Argo CD make another one, of that id. Throws where it is refused. */
  readonly make: (id: string) => Promise<MadeToken>;
  /** Puts it into the Secret, only if that was not written meanwhile. */
  readonly keep: (made: MadeToken) => Promise<WriteResult>;
  /** Argo CD takes the one of that id no more. */
  readonly strike: (account: string, id: string) => Promise<WriteResult>;
}
