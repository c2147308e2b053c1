// The Kubernetes API as the parts of this folder use it: patient reads, writes that are sent once, one stream.
import { TiphysError } from '../../errors.ts';
import { parseJson } from '../../model/parse-json.ts';
import {
  type RefusalReason,
  WRITE_DEADLINE_MS,
  type WriteResult,
} from '../../ports/write-result.ts';
import { foreignText } from '../foreign-text.ts';
import { isTrouble, PATIENCE, type Patience, readPatiently, type World } from '../retry.ts';
import {
  type Transport,
  type TransportAnswer,
  TransportFailure,
  type TransportRequest,
  type TransportStream,
} from '../transport.ts';
import { clusterProblem, invalidAnswer, messageOf, orClusterError } from './errors.ts';

const STREAM_DEADLINE = 20_000;

export interface KubernetesApi {
  readonly world: World;
  /** The object; undefined where there is none. */
  readonly get: (path: string, patience?: Partial<Patience>) => Promise<unknown>;
  /** As it came, with a status below 400 or one of those expected. */
  readonly ask: (
    path: string,
    expected: readonly number[],
    patience?: Partial<Patience>,
  ) => Promise<TransportAnswer>;
  readonly write: (
    method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
  ) => Promise<WriteResult>;
  /** A question that is put by a POST, and so can be put again: what is answered. */
  readonly question: (
    path: string,
    body: unknown,
    patience?: Partial<Patience>,
  ) => Promise<unknown>;
  readonly stream: (path: string, signal: AbortSignal) => Promise<TransportStream>;
}

export function kubernetesApi(transport: Transport, world: World): KubernetesApi {
  const answered = async (
    request: Pick<TransportRequest, 'method' | 'path' | 'body'>,
    expected: readonly number[],
    patience?: Partial<Patience>,
  ) => {
    const all = { ...PATIENCE, ...patience };
    const send = (deadline: number) => transport.send({ ...request, deadline, signal: all.signal });
    const answer = await readPatiently(send, world, all).catch((cause) => {
      throw orClusterError(cause);
    });
    if (answer.status < 400 || expected.includes(answer.status)) return answer;
    throw clusterProblem(answer);
  };
  const ask: KubernetesApi['ask'] = (path, expected, patience) =>
    answered({ method: 'GET', path }, expected, patience);
  return {
    world,
    ask,
    get: async (path, patience) => {
      const answer = await ask(path, [404], patience);
      return answer.status === 404 ? undefined : parsedAnswer(answer.text);
    },
    question: async (path, body, patience) =>
      parsedAnswer((await answered({ method: 'POST', path, body }, [], patience)).text),
    write: async (method, path, body) => {
      try {
        const request = { method, path, body, deadline: WRITE_DEADLINE_MS };
        return writeResult(await transport.send(request));
      } catch (cause) {
        return unsent(cause);
      }
    },
    stream: (path, signal) =>
      transport.stream({ method: 'GET', path, deadline: STREAM_DEADLINE, signal }),
  };
}

export function parsedAnswer(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    throw invalidAnswer(`no JSON: ${foreignText(text, 200)}`);
  }
}

const REFUSALS: ReadonlyMap<number, RefusalReason> = new Map([
  [401, 'unauthenticated'],
  [403, 'forbidden'],
  [404, 'not-found'],
  [409, 'conflict'],
]);

function writeResult(answer: TransportAnswer): WriteResult {
  if (answer.status < 300) return { kind: 'done' };
  const message = messageOf(answer);
  if (isTrouble(answer)) return { kind: 'unknown', message };
  return { kind: 'refused', reason: REFUSALS.get(answer.status) ?? 'invalid', message };
}

/** No answer: only reading tells. No credentials: it was never sent. */
export function unsent(cause: unknown): WriteResult {
  if (cause instanceof TransportFailure) return { kind: 'unknown', message: cause.message };
  if (!(cause instanceof TiphysError)) throw cause;
  const { message } = cause;
  // The place of the token cannot be reached now, which says nothing against the token.
  return cause.isPassing
    ? { kind: 'unknown', message }
    : { kind: 'refused', reason: 'unauthenticated', message };
}
