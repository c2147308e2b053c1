// The two ways to Argo CD's API: through the service proxy of Kubernetes, or straight to its address.
import { readFile } from 'node:fs/promises';
import { TiphysError, usageError } from '../../errors.ts';
import { withoutSlashes } from '../../model/names.ts';
import type { Clock } from '../../ports/clock.ts';
import { httpTransport } from '../http/http-transport.ts';
import type { Transport } from '../transport.ts';

export interface Route {
  readonly transport: Transport;
  /** What stands before /api/v1. */
  readonly prefix: string;
  /** What should answer, for errors. */
  readonly via: 'kubernetes' | 'direct';
  readonly authorize: (token: string) => Readonly<Record<string, string>>;
}

/** The proxy keeps the Authorization header to itself; Argo CD takes its token from a cookie, too. */
export function proxiedRoute(transport: Transport, prefix: string): Route {
  const authorize = (token: string) => ({ cookie: `argocd.token=${token}` });
  return { transport, prefix, via: 'kubernetes', authorize };
}

/** Over any transport that leads to argocd-server itself. */
export function directRoute(transport: Transport): Route {
  const authorize = (token: string) => ({ authorization: `Bearer ${token}` });
  return { transport, prefix: '', via: 'direct', authorize };
}

export interface DirectAddress {
  /** A URL, or HOST[:PORT], which means https. */
  readonly server: string;
  readonly caFile: string | undefined;
  /** Any certificate will do, and so will none at all (http). */
  readonly insecure: boolean;
  /** Undefined: straight there, also if the environment has a proxy. */
  readonly proxy?: string | undefined;
}

export async function directTransport(address: DirectAddress, clock: Clock): Promise<Transport> {
  const server = serverUrl(address.server);
  if (server.startsWith('http:') && !address.insecure) throw clearText(server);
  const ca = address.caFile === undefined ? undefined : await readCa(address.caFile);
  const { proxy, insecure } = address;
  const access = { server, headers: {}, tls: { ca, insecure }, proxy };
  return httpTransport(async () => access, clock);
}

function serverUrl(given: string): string {
  const url = URL.parse(given.includes('://') ? given : `https://${given}`);
  const plain = url?.hostname && !url.search && !url.hash && !url.username;
  if (!plain || !['http:', 'https:'].includes(url.protocol)) {
    throw usageError(
      `"${given}" is not an address of Argo CD.`,
      'Write https://HOST, or HOST:PORT.',
    );
  }
  return withoutSlashes(`${url.origin}${url.pathname}`);
}

function clearText(server: string): TiphysError {
  const message = `"${server}" has no TLS: the token would be sent in clear text.`;
  return usageError(message, 'Use https://, or add --argocd-insecure on a trusted network.');
}

async function readCa(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unreadable';
    const message = `The CA file "${path}" cannot be read: ${reason}.`;
    throw new TiphysError([
      { code: 'file-unreadable', message, hint: 'Check the path and the file permissions.' },
    ]);
  }
}
