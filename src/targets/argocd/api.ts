// Argo CD's API as the parts of this folder use it: patient reads, and writes that are sent once.

import { parseJson } from '../../model/parse-json.ts';
import { type LongRequest, WRITE_DEADLINE_MS, type WriteResult } from '../../ports/write-result.ts';
import { timer } from '../deadline.ts';
import { unsent } from '../kubernetes/api.ts';
import { withQuery } from '../kubernetes/paths.ts';
import { isFromKubernetes } from '../kubernetes/renewing.ts';
import { PATIENCE, type Patience, readPatiently, type World } from '../retry.ts';
import type { TransportAnswer } from '../transport.ts';
import { canI, type Right, type Send } from './can-i.ts';
import { argocdProblem, decodeResponse, orArgocdError } from './errors.ts';
import { isBareDenial, isNotFound, writeResult } from './refusal.ts';
import type { Route } from './route.ts';
import type { TokenSource } from './token.ts';
import { accountOf } from './token-expiry.ts';

export interface ReadRequest {
  /** Below /api/v1. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** For messages: "the Application x". */
  readonly what: string;
  /** What is needed for it. A denial in spite of it is trouble of Argo CD's, not ours. */
  readonly right?: Right;
  readonly patience?: Partial<Patience>;
}

interface WriteRequest extends Omit<ReadRequest, 'patience'> {
  readonly method: 'POST' | 'PUT' | 'DELETE';
  readonly body?: unknown;
  readonly long?: LongRequest | undefined;
}

export interface ArgocdApi {
  /** The answer in the form that `map` gives it; undefined where Argo CD says that there is none. */
  readonly read: <T = unknown>(
    question: ReadRequest,
    map?: (given: unknown) => T,
  ) => Promise<T | undefined>;
  readonly write: (order: WriteRequest) => Promise<WriteResult>;
  /** The same where the answer counts. Throws where there is none, or it is a refusal. */
  readonly order: (order: WriteRequest) => Promise<unknown>;
}

export function argocdApi(route: Route, tokens: TokenSource, world: World): ArgocdApi {
  const send = authorized(route, tokens, world);
  const problem = async (answer: TransportAnswer, what: string) =>
    argocdProblem(answer, what, accountOf(await tokens.current()));
  const mayAll = async (right: Right | undefined, deadline: number) =>
    right !== undefined && (await canI(send, right, deadline));

  return {
    read: async ({ path, query = {}, what, right, patience }, map = (given) => given as never) => {
      const all = { ...PATIENCE, ...patience };
      const url = withQuery(`/api/v1${path}`, query);
      const attempt = async (deadline: number) => {
        const asked = { method: 'GET', path: url, deadline, signal: all.signal } as const;
        const answer = await send(asked);
        const trouble = isBareDenial(answer) && (await mayAll(right, deadline));
        return trouble ? { ...answer, status: 503 } : answer;
      };
      const answer = await readPatiently(attempt, world, all).catch((cause) => {
        throw orArgocdError(cause, route);
      });
      if (isNotFound(answer)) return undefined;
      if (answer.status >= 300) throw await problem(answer, what);
      return decodeResponse(what, () => map(parseJson(answer.text)));
    },
    order: async ({ method, path, body, what }) => {
      const request = { method, path: `/api/v1${path}`, body, deadline: WRITE_DEADLINE_MS };
      const answer = await send(request).catch((cause) => {
        throw orArgocdError(cause, route);
      });
      if (answer.status >= 300) throw await problem(answer, what);
      return decodeResponse(what, () => parseJson(answer.text));
    },
    write: async ({ method, path, query = {}, body, right, long }) => {
      try {
        const url = withQuery(`/api/v1${path}`, query);
        const answer = await send({
          method,
          path: url,
          body,
          deadline: WRITE_DEADLINE_MS,
          ...long,
        });
        if (isBareDenial(answer) && (await mayAll(right, WRITE_DEADLINE_MS))) {
          return { kind: 'unknown', message: 'denied although the account has the permission' };
        }
        return writeResult(answer);
      } catch (cause) {
        return unsent(cause);
      }
    },
  };
}

/** With the token. If it is not accepted, its place is read again, and the request, not carried out yet, sent again. */
function authorized(route: Route, tokens: TokenSource, { clock }: World): Send {
  return async (request) => {
    const left = timer(clock, request);
    const sendWith = (token: string) =>
      route.transport.send({
        ...request,
        path: route.prefix + request.path,
        headers: route.authorize(token),
        deadline: left(),
      });
    const token = await tokens.current();
    const answer = await sendWith(token);
    if (answer.status !== 401 || isFromKubernetes(answer.text)) return answer;
    return sendWith(await tokens.renew(token));
  };
}
