// The time that a request has.
import type { Clock } from '../ports/clock.ts';
import { TransportFailure, type TransportRequest } from './transport.ts';

export interface Deadline {
  readonly signal: AbortSignal;
  /** It timed out; the caller did not give up. */
  readonly passed: () => boolean;
  /** Milliseconds that there were in all. */
  readonly lasts: () => number;
  /** Time counts no more; the caller's signal still does. */
  readonly stopTime: () => void;
  /** Must be called when the work has ended, or listeners pile up on the caller's signal. */
  readonly done: () => void;
}

/** A signal that is given when time is up or the caller gives up. */
export function startDeadline(
  clock: Clock,
  ms: number,
  outer?: AbortSignal,
  extension?: Promise<number>,
): Deadline {
  const begin = clock.monotonic();
  let end = begin + ms;
  void extension?.then((until) => {
    end = Math.max(end, until);
  });
  const work = new AbortController();
  const timer = new AbortController();
  let passed = false;
  const giveUp = () => work.abort();
  if (outer?.aborted) giveUp();
  outer?.addEventListener('abort', giveUp);
  const expire = async () => {
    let slept: number;
    do {
      slept = end;
      await clock.sleep(slept - clock.monotonic(), timer.signal);
      if (timer.signal.aborted || work.signal.aborted) return;
    } while (slept < end);
    passed = true;
    work.abort();
  };
  void expire();
  return {
    signal: work.signal,
    passed: () => passed,
    lasts: () => end - begin,
    stopTime: () => timer.abort(),
    done: () => {
      timer.abort();
      outer?.removeEventListener('abort', giveUp);
    },
  };
}

/** The rest of a request's time, for sending it again. A write must not go out later than its caller allowed. */
export function timer(clock: Clock, { deadline }: TransportRequest): () => number {
  const end = clock.monotonic() + deadline;
  return () => {
    const left = end - clock.monotonic();
    if (left <= 0) throw noAnswer(deadline);
    return left;
  };
}

export const noAnswer = (withinMs: number): TransportFailure =>
  new TransportFailure('deadline', `no answer within ${Math.round(withinMs) / 1000} s`);
