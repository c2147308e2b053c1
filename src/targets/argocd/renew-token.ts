// Another token for the same account, in the same Secret. Argo CD lets every account make tokens for itself.
import { z } from 'zod';
import { TiphysError } from '../../errors.ts';
import type { MadeToken, TokenRenewal } from '../../ports/argocd-token.ts';
import { fields } from '../application/schema.ts';
import type { KubernetesApi } from '../kubernetes/api.ts';
import { parsed } from '../kubernetes/errors.ts';
import { paths } from '../kubernetes/paths.ts';
import type { ArgocdApi } from './api.ts';
import { decodeResponse } from './errors.ts';
import { SECRET } from './token.ts';
import { claimsOf } from './token-expiry.ts';

/** As bootstrap makes them. */
const LIFE_S = 90 * 86_400;
const EXPIRES = 'tiphys.dev/expires';

const secret = z.looseObject({
  metadata: z.looseObject({ annotations: z.record(z.string(), z.string()).optional() }),
  data: z.looseObject({ token: z.string() }),
});
const answer = z.object({ token: z.string().regex(/^[\w.-]+$/) });
const own = z.object({ sub: z.string().regex(/^[^:]+:apiKey$/), jti: fields.text });

/** With what is written. */
interface Made extends MadeToken {
  readonly whole: unknown;
}

export function tokenRenewal(
  argocd: ArgocdApi,
  kubernetes: KubernetesApi,
  namespace: string,
): TokenRenewal {
  const path = paths.secret(namespace, SECRET);
  const tokens = (account: string) => `/account/${encodeURIComponent(account)}/token`;
  const what = 'a token of our own';
  return {
    make: async (id): Promise<Made> => {
      const before = parsed(secret, await kubernetes.get(path));
      const claims = own.safeParse(claimsOf(Buffer.from(before.data.token, 'base64').toString()));
      if (!claims.success) throw notOurs();
      const { sub, jti } = claims.data;
      const account = sub.split(':')[0] ?? '';
      const body = { name: account, id, expiresIn: LIFE_S };
      const given = await argocd.order({ method: 'POST', path: tokens(account), what, body });
      const { token } = decodeResponse(what, () => answer.parse(given));
      return { account, id, before: jti, whole: withToken(before, token) };
    },
    keep: (made) => kubernetes.write('PUT', path, (made as Made).whole),
    strike: (account, id) =>
      argocd.write({
        method: 'DELETE',
        path: `${tokens(account)}/${encodeURIComponent(id)}`,
        what,
      }),
  };
}

/** Everything else of the Secret stays, its version included: nobody may have written meanwhile. */
function withToken(before: z.output<typeof secret>, token: string): unknown {
  const { exp } = z.object({ exp: z.number() }).parse(claimsOf(token));
  const expires = new Date(exp * 1000).toISOString();
  const annotations = { ...before.metadata.annotations, [EXPIRES]: expires };
  return {
    ...before,
    metadata: { ...before.metadata, annotations },
    data: { ...before.data, token: Buffer.from(token).toString('base64') },
  };
}

function notOurs(): TiphysError {
  const message = `The Secret "${SECRET}" holds no token of an Argo CD account.`;
  const hint = 'Renew it yourself.';
  return new TiphysError([{ code: 'argocd-token-missing', message, hint }]);
}
