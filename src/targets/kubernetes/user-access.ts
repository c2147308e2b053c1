// What a user of a kubeconfig proves who they are with: certificate, token, password, a plugin's answer; and whom they act as.
import { readFile } from 'node:fs/promises';
import type { Clock } from '../../ports/clock.ts';
import type { Access } from '../http/http-transport.ts';
import type { PluginCredential } from './exec-plugin.ts';
import type { Kubeconfig } from './kubeconfig.ts';
import { CHECK, invalid, type UserEntry } from './kubeconfig-file.ts';

export async function userAccess(
  { cluster, user }: Kubeconfig,
  plugin: (() => Promise<PluginCredential>) | undefined,
  clock: Clock,
): Promise<Access> {
  const [ca, cert, key, given] = await Promise.all([
    fromDataOrFile(cluster['certificate-authority-data'], cluster['certificate-authority']),
    fromDataOrFile(user['client-certificate-data'], user['client-certificate']),
    fromDataOrFile(user['client-key-data'], user['client-key']),
    plugin?.(),
  ]);
  const token = (await ownToken(user, clock)) ?? given?.token;
  return {
    server: cluster.server,
    headers: { ...authorization(user, token), ...impersonation(user) },
    tls: {
      ca,
      cert: given?.clientCertificateData ?? cert,
      key: given?.clientKeyData ?? key,
      serverName: cluster['tls-server-name'],
      insecure: cluster['insecure-skip-tls-verify'],
    },
    proxy: cluster['proxy-url'],
  };
}

async function fromDataOrFile(
  data: string | undefined,
  file: string | undefined,
): Promise<string | undefined> {
  if (data !== undefined) return Buffer.from(data, 'base64').toString();
  return file === undefined ? undefined : await textOf(file);
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const message = `The credentials of the kubeconfig cannot be read: ${(error as Error).message}.`;
    throw invalid(message, CHECK);
  }
}

/** A file is renewed by others, so it counts before a token that is written down. */
async function ownToken(user: UserEntry, clock: Clock): Promise<string | undefined> {
  if (user.tokenFile !== undefined) {
    try {
      return (await textOf(user.tokenFile)).trim();
    } catch (error) {
      if (user.token === undefined) throw error;
    }
  }
  return user.token ?? providedToken(user['auth-provider'], clock);
}

/** Of the providers that kubectl once had, OIDC is left. kubectl renews its token, and writes it into the kubeconfig. */
function providedToken(provider: UserEntry['auth-provider'], clock: Clock): string | undefined {
  if (!provider) return undefined;
  const { name = '', config } = provider;
  if (name !== 'oidc') {
    const hint = 'Use a credential plugin (exec), as kubectl does since 1.26.';
    throw invalid(`The auth-provider "${name}" is not supported.`, hint);
  }
  const token = config['id-token'];
  if (typeof token !== 'string' || expiryOf(token) <= clock.now()) {
    const hint = 'Run any kubectl command with this kubeconfig, which renews it, and try again.';
    throw invalid('The id-token of the auth-provider "oidc" has expired.', hint);
  }
  return token;
}

/** Milliseconds since 1970; the past where it does not say. */
function expiryOf(token: string): number {
  try {
    const { exp } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    return typeof exp === 'number' ? exp * 1000 : 0;
  } catch {
    return 0;
  }
}

function authorization(
  { username, password = '' }: UserEntry,
  token: string | undefined,
): Record<string, string> {
  if (token !== undefined) return { Authorization: `Bearer ${token}` };
  if (username === undefined) return {};
  return {
    Authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
  };
}

function impersonation(user: UserEntry): Record<string, string | string[]> {
  const { as: name, 'as-uid': uid, 'as-groups': groups, 'as-user-extra': extra } = user;
  if (name === undefined) {
    if (uid === undefined && groups.length === 0 && !extra) return {};
    throw invalid('The kubeconfig has as-uid, as-groups or as-user-extra without `as`.', CHECK);
  }
  return {
    'Impersonate-User': name,
    ...(uid !== undefined && { 'Impersonate-Uid': uid }),
    ...(groups.length > 0 && { 'Impersonate-Group': groups }),
    ...Object.fromEntries(
      Object.entries(extra ?? {}).map(([key, values]) => [
        `Impersonate-Extra-${encodeURIComponent(key)}`,
        values,
      ]),
    ),
  };
}
