// What a token says of itself: whose it is, and when it expires. Whether it is good is argocd-server's to say.
import { z } from 'zod';

/** The last second that a date can have. */
const LATEST = 8_640_000_000_000;
const expiring = z.object({ exp: z.number().int().positive().max(LATEST) });
const owned = z.object({ sub: z.string().regex(/^[^:\s]+(:\w+)?$/) });

/** Undefined where it is no JWT. */
export function claimsOf(token: string): unknown {
  const [, payload = ''] = token.split('.');
  try {
    return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}

/** In seconds; undefined where it does not expire, or is no JWT. */
export const expiryOf = (token: string): number | undefined =>
  expiring.safeParse(claimsOf(token)).data?.exp;

/** The account is followed by what it may be used for, `tiphys:apiKey`; undefined where it is no JWT. */
export const accountOf = (token: string): string | undefined =>
  owned.safeParse(claimsOf(token)).data?.sub.split(':')[0];
