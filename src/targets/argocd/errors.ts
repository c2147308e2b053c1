// What goes wrong with Argo CD, in words.
import { ZodError } from 'zod';
import { type ErrorCode, TiphysError } from '../../errors.ts';
import { REJECTED_TOKEN } from '../../ports/argocd-token.ts';
import { clusterFailure, clusterProblem } from '../kubernetes/errors.ts';
import { isFromKubernetes } from '../kubernetes/renewing.ts';
import { isTrouble } from '../retry.ts';
import { type TransportAnswer, TransportFailure } from '../transport.ts';
import { refusalOf } from './refusal.ts';
import type { Route } from './route.ts';

const error = (code: ErrorCode, message: string, hint: string, options?: ErrorOptions) =>
  new TiphysError([{ code, message, hint }], options);

/** A failure on the way becomes an error for people; anything else stays as it is. */
export function orArgocdError(cause: unknown, { via }: Pick<Route, 'via'>): unknown {
  if (!(cause instanceof TransportFailure)) return cause;
  if (via === 'kubernetes') return clusterFailure(cause);
  if (cause.kind === 'oversized') return invalidAnswer(cause.message, { cause });
  if (cause.kind === 'tls') {
    const message = `The certificate of Argo CD is not accepted: ${cause.message}.`;
    return error('argocd-tls', message, 'Pass its CA with --argocd-ca-file.', { cause });
  }
  const message = `Argo CD does not answer: ${cause.message}.`;
  return error(
    'argocd-unreachable',
    message,
    'Check --argocd-server, http or https included, and the network.',
    { cause },
  );
}

/** `what`: what should be read, as in "the Application x". `account`: of the token, where that names one. */
export function argocdProblem(
  answer: TransportAnswer,
  what: string,
  account?: string,
): TiphysError {
  if (isFromKubernetes(answer.text)) return proxyProblem(answer);
  const { message } = refusalOf(answer);
  if (answer.status === 401) return rejected();
  if (answer.status === 403) {
    const whom = account === undefined ? 'of the token' : `"${account}"`;
    const hint = `Grant it to the account ${whom} in argocd-rbac-cm.`;
    return error('argocd-forbidden', `Argo CD denies read access to ${what}: ${message}.`, hint);
  }
  if (isTrouble(answer)) {
    const hint = 'Check argocd-server and its pods, and try again.';
    return error('argocd-unreachable', `Argo CD returned an error for ${what}: ${message}.`, hint);
  }
  return invalidAnswer(`${what}: ${message}`);
}

/** The proxy itself speaks: Argo CD was not reached. */
function proxyProblem(answer: TransportAnswer): TiphysError {
  if (answer.status !== 404 && !isTrouble(answer)) return clusterProblem(answer);
  const { message } = refusalOf(answer);
  const hint = 'Check that the pods of argocd-server are ready, or pass --argocd-server.';
  const sentence = `Argo CD cannot be reached through the Kubernetes API: ${message}.`;
  return error('argocd-unreachable', sentence, hint);
}

/** `secret`: where the token is from; undefined: a file, or not known. */
export function rejected(secret?: string): TiphysError {
  const why = 'it may have expired, been revoked, or belong to another Argo CD.';
  const [where, hint] =
    secret === undefined
      ? ['', `Create a new token; ${why}`]
      : [
          ` in the Secret "${secret}"`,
          `Create a new token (tiphys bootstrap --only argocd); ${why}`,
        ];
  return error('argocd-token-rejected', `${REJECTED_TOKEN}${where}.`, hint);
}

export function invalidAnswer(said: string, options?: ErrorOptions): TiphysError {
  const hint =
    'Check that the address belongs to an Argo CD 3, and its root path: argocdRootPath in environment.yaml, or the path in --argocd-server.';
  return error(
    'argocd-answer-invalid',
    `Argo CD gave an unexpected answer: ${said}.`,
    hint,
    options,
  );
}

/** Runs a mapping; what does not fit becomes an error that names the thing and the field. */
export function decodeResponse<T>(what: string, map: () => T): T {
  try {
    return map();
  } catch (cause) {
    if (!(cause instanceof ZodError) && !(cause instanceof SyntaxError)) throw cause;
    throw invalidAnswer(`${what} is malformed${where(cause)}`, { cause });
  }
}

function where(cause: ZodError | SyntaxError): string {
  const issue = cause instanceof ZodError ? cause.issues[0] : undefined;
  if (!issue) return '';
  return ` at ${issue.path.map(String).join('.') || 'its root'} (${issue.message})`;
}
