// The token for Argo CD: from a file or from the Secret, never from an argument, never in a message.
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { TiphysError } from '../../errors.ts';
import { optional } from '../application/schema.ts';
import type { KubernetesApi } from '../kubernetes/api.ts';
import { paths } from '../kubernetes/paths.ts';

export interface TokenSource {
  readonly current: () => Promise<string>;
  /** This one was not accepted: the place is read again, unless someone did so meanwhile. */
  readonly renew: (rejected: string) => Promise<string>;
}

export function tokenSource(read: () => Promise<string>): TokenSource {
  let known: string | undefined;
  let reading: Promise<string> | undefined;
  const start = async () => {
    try {
      known = await read();
      return known;
    } finally {
      reading = undefined;
    }
  };
  const readOnce = () => {
    reading ??= start();
    return reading;
  };
  return {
    current: async () => known ?? readOnce(),
    renew: async (rejected) => (known === undefined || known === rejected ? readOnce() : known),
  };
}

export function tokenFromFile(path: string): () => Promise<string> {
  return async () => {
    let text: string;
    try {
      text = await readFile(path, 'utf8');
    } catch (cause) {
      const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unreadable';
      throw missing(`The token file "${path}" cannot be read: ${reason}.`);
    }
    return checked(text, `The token file "${path}"`);
  };
}

export const SECRET = 'tiphys-argocd-token';
const secret = z.object({ data: optional(z.object({ token: optional(z.string()) })) });

export function tokenFromSecret(api: KubernetesApi, namespace: string): () => Promise<string> {
  return async () => {
    const given = await api.get(paths.secret(namespace, SECRET));
    const where = `The Secret "${SECRET}" in the namespace "${namespace}"`;
    if (given === undefined) throw missing(`${where} does not exist.`);
    const token = secret.safeParse(given).data?.data?.token ?? '';
    return checked(Buffer.from(token, 'base64').toString('utf8'), where);
  };
}

/** It goes into a header or a cookie: nothing else may be in it. */
function checked(text: string, where: string): string {
  const token = text.trim();
  if (!/^[\w.~+/=-]+$/.test(token)) throw missing(`${where} does not hold a token.`);
  return token;
}

function missing(message: string): TiphysError {
  const hint = `Give --argocd-token-file or ARGOCD_TOKEN_FILE, or make the Secret "${SECRET}" with the key "token".`;
  return new TiphysError([{ code: 'argocd-token-missing', message, hint }]);
}
