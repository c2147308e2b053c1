// The token that a connection has: where it is from, whose it is, how long it and the others are good, and who renews which.
import {
  ACCOUNTS,
  type AccountUse,
  TOKEN_SECRETS,
  type TokenHolder,
} from '../../ports/argocd-accounts.ts';
import type { TokenLife, TokenRenewal } from '../../ports/argocd-token.ts';
import type { KubernetesApi } from '../kubernetes/api.ts';
import { type ArgocdApi, argocdApi } from './api.ts';
import { tokenRenewal } from './renew-token.ts';
import type { Route } from './route.ts';
import { lookIntoSecret, tokenFromSecret } from './secret-token.ts';
import { type TokenSource, tokenFromFile, tokenSource } from './token.ts';
import { accountOf, expiryOf } from './token-expiry.ts';

interface Place {
  readonly namespace: string;
  /** Undefined: a Secret. */
  readonly argocdTokenFile?: string | undefined;
  readonly use: AccountUse;
}

export interface ConnectedToken {
  readonly tokens: TokenSource;
  /** Undefined: it is from a file. */
  readonly secret: () => string | undefined;
  readonly holder: () => Promise<TokenHolder>;
  /** Of the token in use, and of all Secrets that are there and may be read. */
  readonly lives: () => Promise<readonly TokenLife[]>;
  readonly renewals: (argocd: ArgocdApi, route: Route) => readonly TokenRenewal[];
}

export function connectedToken(kubernetes: KubernetesApi, place: Place): ConnectedToken {
  const { namespace, argocdTokenFile: file, use } = place;
  const own = tokenFromSecret(kubernetes, namespace, use);
  const tokens = tokenSource(file === undefined ? own.read : tokenFromFile(file));
  const secret = () => (file === undefined ? own.secret() : undefined);
  const expires = async () => expiryOf(await tokens.current());
  return {
    tokens,
    secret,
    holder: async () => {
      const account = accountOf(await tokens.current());
      const [from, first] = [secret(), ACCOUNTS[use].secret];
      return { account, secret: from, insteadOf: from && from !== first ? first : undefined };
    },
    lives: async () => {
      // Which Secret it is from is known once it was read.
      const used = { expires: await expires(), secret: secret() };
      const others = TOKEN_SECRETS.filter((name) => name !== used.secret);
      const lives = await Promise.all(others.map((name) => lifeIn(kubernetes, namespace, name)));
      return [used, ...lives.filter((one) => one !== undefined)];
    },
    renewals: (argocd, route) => {
      // Who keeps tokens in files renews them there. Who only reads writes nothing.
      if (file !== undefined || use === 'validate') return [];
      const renewal = tokenRenewal(argocd, kubernetes, { namespace, secret: own.secret, expires });
      return use === 'deploy' ? [renewal, ofReaders(kubernetes, namespace, route)] : [renewal];
    },
  };
}

/** Deployments renew the token of those who only read, for these may not write it; it can do nothing that their own cannot. */
function ofReaders(kubernetes: KubernetesApi, namespace: string, route: Route): TokenRenewal {
  const { secret } = ACCOUNTS.validate;
  const { read } = tokenFromSecret(kubernetes, namespace, 'validate');
  const argocd = argocdApi(route, tokenSource(read), kubernetes.world);
  const expires = async () => (await lifeIn(kubernetes, namespace, secret))?.expires;
  return tokenRenewal(argocd, kubernetes, { namespace, secret: () => secret, expires });
}

async function lifeIn(
  kubernetes: KubernetesApi,
  namespace: string,
  secret: string,
): Promise<TokenLife | undefined> {
  const found = await lookIntoSecret(kubernetes, namespace, secret);
  return found.kind === 'there' ? { secret, expires: expiryOf(found.text.trim()) } : undefined;
}
