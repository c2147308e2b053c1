// How long a token for Argo CD is good, and from when on that is worth a warning.

/** Seconds. Bootstrap makes another one in the last 30 days. */
const SOON = 14 * 86_400;

/** What to say of a token that expires then, both in seconds; undefined: nothing. */
export function expiryWarning(expires: number | undefined, now: number): string | undefined {
  if (expires === undefined || expires - now > SOON) return undefined;
  const at = new Date(expires * 1000).toISOString();
  return `the Argo CD token ${expires > now ? 'expires' : 'has expired'} at ${at}`;
}

export const RENEW_TOKEN = 'Renew it: tiphys bootstrap --only argocd --rotate-token';
