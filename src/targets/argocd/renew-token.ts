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
import { claimsOf } from './token-expiry.ts';

/** As bootstrap makes them. */
const LIFE_S = 90 * 86_400;
const EXPIRES = 'tiphys.dev/expires';
/** Bootstrap labels what it makes. */
const LABEL = { name: 'tiphys.dev/token', value: 'argocd' };
const WHAT = 'a token of our own';

const secret = z.looseObject({
  metadata: z.looseObject({
    annotations: z.record(z.string(), z.string()).optional(),
    labels: z.record(z.string(), z.string()).optional(),
    ownerReferences: z.array(z.unknown()).optional(),
  }),
  data: z.looseObject({ token: z.string() }),
});
const answer = z.object({ token: z.string().regex(/^[\w.-]+$/) });
const expiring = z.object({ exp: z.number() });
const own = z.object({ sub: z.string().regex(/^[^:]+:apiKey$/), jti: fields.text });

/** With what is written, and where. */
interface Made extends MadeToken {
  readonly path: string;
  readonly whole: unknown;
}

/** `secret`: the one that the token of `argocd` was read from. */
interface RenewedSecret extends Pick<TokenRenewal, 'secret' | 'expires'> {
  readonly namespace: string;
}

export function tokenRenewal(
  argocd: ArgocdApi,
  kubernetes: KubernetesApi,
  { namespace, secret: name, expires }: RenewedSecret,
): TokenRenewal {
  const tokens = (account: string) => `/account/${encodeURIComponent(account)}/token`;
  return {
    secret: name,
    expires,
    make: async (id): Promise<Made> => {
      const path = paths.secret(namespace, name());
      const before = parsed(secret, await kubernetes.get(path));
      if (!isOfBootstrap(before)) throw keptByOthers(name());
      const claims = own.safeParse(claimsOf(Buffer.from(before.data.token, 'base64').toString()));
      if (!claims.success) throw notOurs(name());
      const { sub, jti } = claims.data;
      const account = sub.split(':')[0] ?? '';
      const body = { name: account, id, expiresIn: LIFE_S };
      const given = await argocd.order({ method: 'POST', path: tokens(account), what: WHAT, body });
      const { token } = decodeResponse(WHAT, () => answer.parse(given));
      return { account, id, before: jti, path, whole: withToken(before, token) };
    },
    keep: (made) => {
      const { path, whole } = made as Made;
      return kubernetes.write('PUT', path, whole);
    },
    strike: (account, id) =>
      argocd.write({
        method: 'DELETE',
        path: `${tokens(account)}/${encodeURIComponent(id)}`,
        what: WHAT,
      }),
  };
}

/** Everything else of the Secret stays, its version included: there was no other write meanwhile. */
function withToken(before: z.output<typeof secret>, token: string): unknown {
  const { exp } = decodeResponse(WHAT, () => expiring.parse(claimsOf(token)));
  const expires = new Date(exp * 1000).toISOString();
  const annotations = { ...before.metadata.annotations, [EXPIRES]: expires };
  return {
    ...before,
    metadata: { ...before.metadata, annotations },
    data: { ...before.data, token: Buffer.from(token).toString('base64') },
  };
}

/** Others put back what they keep, and the token that they have would be struck off by then. */
function isOfBootstrap({ metadata }: z.output<typeof secret>): boolean {
  const { labels = {}, ownerReferences = [] } = metadata;
  return labels[LABEL.name] === LABEL.value && ownerReferences.length === 0;
}

function keptByOthers(name: string): TiphysError {
  const message = `The Secret "${name}" is not managed by tiphys bootstrap: it has an owner, or lacks the label ${LABEL.name}=${LABEL.value}.`;
  const hint = 'Renew the token in the system that manages the Secret.';
  return new TiphysError([{ code: 'argocd-token-missing', message, hint }]);
}

function notOurs(name: string): TiphysError {
  const message = `The Secret "${name}" does not contain a token of an Argo CD account.`;
  const hint = 'Renew it manually.';
  return new TiphysError([{ code: 'argocd-token-missing', message, hint }]);
}
