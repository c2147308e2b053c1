// The token for Argo CD: from a file or from a Secret (`secret-token.ts`), never from an argument, never in a message.
import { readFile } from 'node:fs/promises';
import { TiphysError } from '../../errors.ts';
import { ACCOUNTS } from '../../ports/argocd-accounts.ts';

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

/** It goes into a header or a cookie: nothing else may be in it. */
export function checked(text: string, where: string, secret?: string): string {
  const token = text.trim();
  if (!/^[\w.~+/=-]+$/.test(token)) throw missing(`${where} does not contain a token.`, secret);
  return token;
}

/** `secret`: the one that should have it. */
export function missing(message: string, secret: string = ACCOUNTS.deploy.secret): TiphysError {
  const hint = `Pass --argocd-token-file or set ARGOCD_TOKEN_FILE, or create the Secret "${secret}" with the key "token", as \`tiphys bootstrap --only argocd\` does.`;
  return new TiphysError([{ code: 'argocd-token-missing', message, hint }]);
}
