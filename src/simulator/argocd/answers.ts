// What is asked of argocd-server, by whom, and the forms of its answers.
import type { RestAnswer } from '../cluster/rest.ts';

export interface ServerRequest {
  readonly method: string;
  /** Below the root of argocd-server. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
  readonly token: string | undefined;
}

/** Who a token is, and what it may do; undefined: not accepted. */
export interface Account {
  readonly username: string;
  readonly may: (resource: string, verb: string, object: string) => boolean;
}

export const CODE = {
  invalid: 3,
  notFound: 5,
  denied: 7,
  precondition: 9,
  aborted: 10,
  unauthenticated: 16,
  unavailable: 14,
} as const;
const HTTP: Readonly<Record<number, number>> = {
  3: 400,
  5: 404,
  7: 403,
  9: 400,
  10: 409,
  14: 503,
  16: 401,
};

export const ok = (value: unknown): RestAnswer => ({ status: 200, text: JSON.stringify(value) });

export function refuse(code: number, message: string): RestAnswer {
  return { status: HTTP[code] ?? 500, text: JSON.stringify({ error: message, code, message }) };
}

export const denied = () => refuse(CODE.denied, 'permission denied');
