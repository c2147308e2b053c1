// When a token expires, as it says itself. Whether it is good is argocd-server's to say.
import { z } from 'zod';

const claims = z.object({ exp: z.number().int().positive() });

/** In seconds; undefined where it does not expire, or is no JWT. */
export function expiryOf(token: string): number | undefined {
  const [, payload = ''] = token.split('.');
  try {
    const given = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
    return claims.safeParse(given).data?.exp;
  } catch {
    return undefined;
  }
}
