// The token for Argo CD from a Secret of the cluster: that of the account for what is done.
import { z } from 'zod';
import { TiphysError } from '../../errors.ts';
import { ACCOUNTS, type AccountUse } from '../../ports/argocd-accounts.ts';
import { optional } from '../application/schema.ts';
import type { KubernetesApi } from '../kubernetes/api.ts';
import { paths } from '../kubernetes/paths.ts';
import { checked, missing } from './token.ts';

const secret = z.object({ data: optional(z.object({ token: optional(z.string()) })) });

/** What the Secret has as a token, unchecked. */
type Found =
  | { readonly kind: 'there'; readonly text: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'forbidden'; readonly error: TiphysError };

export async function lookIntoSecret(
  api: Pick<KubernetesApi, 'get'>,
  namespace: string,
  name: string,
): Promise<Found> {
  try {
    const given = await api.get(paths.secret(namespace, name));
    if (given === undefined) return { kind: 'absent' };
    const token = secret.safeParse(given).data?.data?.token ?? '';
    return { kind: 'there', text: Buffer.from(token, 'base64').toString('utf8') };
  } catch (error) {
    if (!(error instanceof TiphysError) || !isForbidden(error)) throw error;
    return { kind: 'forbidden', error };
  }
}

const isForbidden = ({ diagnostics }: TiphysError): boolean =>
  diagnostics.some(({ code }) => code === 'cluster-forbidden');

export interface SecretToken {
  readonly read: () => Promise<string>;
  /** The Secret that it was read from last. */
  readonly secret: () => string;
}

/**
 * An installation may have one token for everything, that of deployments: it is taken where there is none for this use. Who only reads
 * takes it also where the other may not be read: it can do everything that the other can.
 */
export function tokenFromSecret(
  api: Pick<KubernetesApi, 'get'>,
  namespace: string,
  use: AccountUse,
): SecretToken {
  const own: string = ACCOUNTS[use].secret;
  const common: string = ACCOUNTS.deploy.secret;
  let from = own;
  const where = (name: string) => `The Secret "${name}" in the namespace "${namespace}"`;
  /** Who approves, for example, has the right to do that and none to the token. */
  const unreadable = (error: TiphysError) => {
    const hint = `Pass the token of your Argo CD account with --argocd-token-file, or ask for a RoleBinding to the Role "tiphys-token-${use}" in the namespace "${namespace}" (workflows/rights.yaml).`;
    const told = error.diagnostics.map((one) => ({ ...one, hint }));
    return new TiphysError(told, { cause: error });
  };
  const take = (name: string, text: string) => {
    from = name;
    return checked(text, where(name), name);
  };
  const read = async () => {
    const first = await lookIntoSecret(api, namespace, own);
    if (first.kind === 'there') return take(own, first.text);
    if (first.kind === 'forbidden' && use !== 'validate') throw unreadable(first.error);
    if (own === common) throw missing(`${where(own)} does not exist.`, own);
    const second = await lookIntoSecret(api, namespace, common);
    if (second.kind === 'there') return take(common, second.text);
    if (first.kind === 'forbidden') throw unreadable(first.error);
    const other =
      second.kind === 'absent' ? 'does not exist either' : 'cannot be read for lack of permission';
    throw missing(`${where(own)} does not exist, and "${common}" ${other}.`, own);
  };
  return { read, secret: () => from };
}
