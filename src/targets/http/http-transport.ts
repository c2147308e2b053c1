// HTTP on undici. Connections are kept alive. Proxies of the environment (HTTPS_PROXY and the like) are not used: the
// addresses of a cluster are seldom meant by them. Where one is needed, `proxy-url` of the kubeconfig or `argocdProxy` says so.
import { type Dispatcher, request } from 'undici';
import type { Clock } from '../../ports/clock.ts';
import { type Deadline, noAnswer, startDeadline } from '../deadline.ts';
import { withoutSent } from '../secrets.ts';
import {
  type Transport,
  type TransportAnswer,
  TransportFailure,
  type TransportRequest,
  type TransportStream,
} from '../transport.ts';
import { boundedText, LIMITS, type Limits } from './answer-limits.ts';
import { dispatchers, type Tls } from './dispatchers.ts';
import { failureOf } from './failure.ts';
import { linesOf } from './read-lines.ts';

/** How to get to a server. Asked for with each request, so that what is renewed meanwhile is used. */
export interface Access {
  /** https://HOST:PORT, with a path where the server is below one. */
  readonly server: string;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly tls: Tls;
  readonly proxy: string | undefined;
}

export function httpTransport(
  access: () => Promise<Access>,
  clock: Clock,
  limits: Limits = LIMITS,
): Transport {
  const dispatcherFor = dispatchers();

  const open = async (asked: TransportRequest, deadline: Deadline) => {
    const { server, headers, tls, proxy } = await access();
    const body = asked.body === undefined ? null : JSON.stringify(asked.body);
    const sent = { ...headers, ...asked.headers };
    const answer = await request(server + asked.path, {
      dispatcher: dispatcherFor(tls, proxy),
      method: asked.method,
      headers: { accept: 'application/json', ...contentType(asked), ...sent },
      body,
      signal: deadline.signal,
      // Time is counted here and not there.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    return { answer, clean: withoutSent(sent) };
  };

  return {
    send: (asked) =>
      inTime(asked, deadlineOf(clock, asked), async (deadline) => {
        const { answer, clean } = await open(asked, deadline);
        const text = await boundedText(answer.body, limits.answer);
        deadline.done();
        return answerOf(answer, clean(text));
      }),
    stream: (asked) =>
      inTime(asked, deadlineOf(clock, asked), async (deadline) => {
        const { answer, clean } = await open(asked, deadline);
        deadline.stopTime();
        const lines = guarded(asked, deadline, linesOf(answer.body, limits.line));
        return { status: answer.statusCode, lines: mapped(lines, clean) };
      }),
  };
}

const deadlineOf = (clock: Clock, { deadline, signal, extension }: TransportRequest): Deadline =>
  startDeadline(clock, deadline, signal, extension);

/** Argo CD refuses every request but GET without it, DELETE included. Kubernetes takes no patch without its kind. */
function contentType({ method }: TransportRequest): Record<string, string> {
  if (method === 'GET') return {};
  const type = method === 'PATCH' ? 'merge-patch+json' : 'json';
  return { 'content-type': `application/${type}` };
}

function answerOf({ statusCode, headers }: Dispatcher.ResponseData, text: string): TransportAnswer {
  const retryAfter = headers['retry-after'];
  const first = Array.isArray(retryAfter) ? retryAfter[0] : retryAfter;
  return { status: statusCode, retryAfter: first, text };
}

async function inTime<T extends TransportAnswer | TransportStream>(
  asked: TransportRequest,
  deadline: Deadline,
  work: (deadline: Deadline) => Promise<T>,
): Promise<T> {
  try {
    return await work(deadline);
  } catch (error) {
    deadline.done();
    throw explain(error, asked, deadline);
  }
}

async function* guarded(
  asked: TransportRequest,
  deadline: Deadline,
  lines: AsyncIterable<string>,
): AsyncGenerator<string> {
  try {
    yield* lines;
  } catch (error) {
    throw explain(error, asked, deadline);
  } finally {
    deadline.done();
  }
}

async function* mapped(
  lines: AsyncIterable<string>,
  change: (line: string) => string,
): AsyncGenerator<string> {
  for await (const line of lines) yield change(line);
}

function explain(error: unknown, asked: TransportRequest, deadline: Deadline): unknown {
  if (deadline.passed()) return noAnswer(deadline.lasts());
  if (asked.signal?.aborted) return new TransportFailure('cancelled', 'the request was cancelled');
  // Errors of our own, of credentials for instance, say more than anything here could.
  return error instanceof Error && 'diagnostics' in error ? error : failureOf(error);
}
