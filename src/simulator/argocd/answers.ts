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

/** Of gRPC, and the status of HTTP that goes with it. */
export const CODE = {
  invalid: [3, 400],
  notFound: [5, 404],
  exists: [6, 409],
  denied: [7, 403],
  precondition: [9, 400],
  aborted: [10, 409],
  unauthenticated: [16, 401],
} as const;

export const ok = (value: unknown): RestAnswer => ({ status: 200, text: JSON.stringify(value) });

export function refuse(
  [code, status]: (typeof CODE)[keyof typeof CODE],
  message: string,
): RestAnswer {
  return { status, text: JSON.stringify({ error: message, code, message }) };
}

export const denied = () => refuse(CODE.denied, 'permission denied');
