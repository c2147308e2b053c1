// The way into the simulated cluster: requests take time to arrive and answers to come back, and a fault may catch either.
import { noAnswer } from '../targets/deadline.ts';
import {
  type Transport,
  type TransportAnswer,
  TransportFailure,
  type TransportRequest,
} from '../targets/transport.ts';
import type { RestAnswer } from './cluster/rest.ts';
import type { Watch } from './cluster/watch-server.ts';
import type { VirtualTime } from './virtual-time.ts';

/** What becomes of a request. Nothing given: it is carried out and answered. */
export interface Fate {
  /** It never arrives. */
  readonly lost?: boolean;
  /** It is carried out, but the answer is lost. */
  readonly unanswered?: boolean;
  /** It gets this answer and is not carried out. */
  readonly refused?: RestAnswer;
  /** Milliseconds there, and back. */
  readonly there: number;
  readonly back: number;
}

export interface Endpoint {
  /** Resolves when it is carried out: some requests are answered only when something has happened. */
  readonly answer: (request: TransportRequest) => RestAnswer | Promise<RestAnswer>;
  readonly watch: (request: TransportRequest) => Watch | RestAnswer;
  readonly fate: (request: TransportRequest) => Fate;
  /** Called for each request that was carried out. */
  readonly done: (request: TransportRequest, answer: RestAnswer) => void;
}

interface Life {
  readonly time: VirtualTime;
  /** A dead client hears nothing more, and a sleeping one hears it later. */
  readonly deliver: (act: () => void) => void;
}

export function simulatedTransport(endpoint: Endpoint, life: Life): Transport {
  return {
    send: (request) => send(endpoint, life, request),
    stream: async (request) => {
      const { there, lost, refused } = endpoint.fate(request);
      await pass(life, there);
      if (lost) throw new TransportFailure('unreachable', 'connection refused');
      const watch = refused ?? endpoint.watch(request);
      if ('status' in watch) return { status: watch.status, lines: none() };
      const end = () => watch.end();
      if (request.signal?.aborted) end();
      request.signal?.addEventListener('abort', end);
      return { status: 200, lines: alive(watch, life) };
    },
  };
}

function send(endpoint: Endpoint, life: Life, request: TransportRequest): Promise<TransportAnswer> {
  const { time, deliver } = life;
  const { signal, deadline, extension } = request;
  return new Promise((resolve, reject) => {
    let settled = false;
    const settle = (act: () => void) => {
      if (settled) return;
      settled = true;
      cancelDeadline();
      signal?.removeEventListener('abort', cancelled);
      deliver(act);
    };
    const fail = (kind: 'cancelled' | 'unreachable', message: string) =>
      settle(() => reject(new TransportFailure(kind, message)));
    const cancelled = () => fail('cancelled', 'given up');
    const begin = time.now;
    let end = begin + deadline;
    void extension?.then((until) => {
      end = Math.max(end, until);
    });
    let cancelDeadline = () => {};
    const expire = () => {
      const left = end - time.now;
      if (left > 0) cancelDeadline = time.after(left, expire);
      else settle(() => reject(noAnswer(end - begin)));
    };
    expire();
    if (signal?.aborted) return cancelled();
    signal?.addEventListener('abort', cancelled);
    const { there, back, lost, refused, unanswered } = endpoint.fate(request);
    const reset = () => fail('unreachable', 'connection reset');
    const arrive = async () => {
      // A client that gives a request up closes its connection: what has not arrived by then never does.
      if (settled) return;
      const answer = refused ?? (await endpoint.answer(request));
      if (!refused) endpoint.done(request, answer);
      const { status, text, retryAfter } = answer;
      const answered = () => settle(() => resolve({ status, text, retryAfter }));
      time.after(back, unanswered ? reset : answered);
    };
    time.after(there, lost ? reset : arrive);
  });
}

function pass({ time, deliver }: Life, ms: number): Promise<void> {
  return new Promise((resolve) => {
    time.after(ms, () => deliver(resolve));
  });
}

async function* none(): AsyncGenerator<string> {}

async function* alive(lines: AsyncIterable<string>, { deliver }: Life): AsyncGenerator<string> {
  for await (const line of lines) {
    await new Promise<void>((resolve) => deliver(resolve));
    yield line;
  }
}
