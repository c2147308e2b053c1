// What a token says of itself, and when it expires. Whether it is good is argocd-server's to say.
import { z } from 'zod';

const expiring = z.object({ exp: z.number().int().positive() });

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
