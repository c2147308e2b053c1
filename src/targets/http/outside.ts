// Whether something outside the cluster answers, asked as Git and Helm would: with the proxies of the environment.
import { connect } from 'node:net';
import { EnvHttpProxyAgent, request } from 'undici';
import type { Clock } from '../../ports/clock.ts';
import type { Answer, PreflightContext } from '../../preflight/preflight-context.ts';
import { startDeadline } from '../deadline.ts';
import { failureOf } from './failure.ts';

export interface Proxies {
  readonly http: string | undefined;
  readonly https: string | undefined;
  readonly no: string | undefined;
}

const USUAL_MS = 8_000;

type Outside = Pick<PreflightContext, 'request' | 'connect'> & {
  readonly close: () => Promise<void>;
};

/** `deadlineMs`: for each answer. */
export function outside(
  proxies: Proxies,
  clock: Clock,
  signal: AbortSignal,
  deadlineMs = USUAL_MS,
): Outside {
  // An empty text is no proxy; nothing at all would make the agent read the environment.
  const dispatcher = new EnvHttpProxyAgent({
    httpProxy: proxies.http ?? '',
    httpsProxy: proxies.https ?? '',
    noProxy: proxies.no ?? '',
  });
  const inTime = async (work: (given: AbortSignal) => Promise<number>): Promise<Answer> => {
    const deadline = startDeadline(clock, deadlineMs, signal);
    try {
      return { kind: 'answered', status: await work(deadline.signal) };
    } catch (error) {
      const reason = deadline.passed() ? `none within ${deadlineMs / 1000} s` : reasonOf(error);
      return { kind: 'silent', reason };
    } finally {
      deadline.done();
    }
  };
  return {
    request: (url, headers = {}) =>
      inTime(async (given) => {
        const answer = await request(url, { dispatcher, headers, signal: given });
        // Only the status is wanted: an index of charts has megabytes.
        answer.body.on('error', () => undefined).destroy();
        return answer.statusCode;
      }),
    connect: (host, port) => inTime((given) => connected(host, port, given)),
    close: () => dispatcher.destroy(),
  };
}

const reasonOf = (error: unknown): string => failureOf(error).message;

function connected(host: string, port: number, signal: AbortSignal): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port });
    const end = (settle: () => void) => () => {
      socket.destroy();
      settle();
    };
    const giveUp = end(() => reject(new Error('the request was cancelled')));
    signal.addEventListener('abort', giveUp, { once: true });
    socket.once(
      'connect',
      end(() => resolve(0)),
    );
    socket.once('error', (error) => {
      socket.destroy();
      reject(error);
    });
  });
}
