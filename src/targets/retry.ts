// Which requests are sent again, and when. The table is closed: what is not in it is not sent again.
//
// | what came back                    | a read                                | a write            |
// |-----------------------------------|---------------------------------------|--------------------|
// | no connection, cut, deadline      | again, with back-off                  | `unknown`          |
// | 429                               | again, not before Retry-After         | `unknown`          |
// | 500, 502, 503, 504                | again, with back-off                  | `unknown`          |
// | certificate not accepted          | error                                 | `unknown`          |
// | 401                               | credentials read anew, once again     | the same           |
// | 403 that the account's rights     | again, with back-off: Argo CD says    | `unknown`          |
// |   contradict                      |   that when Kubernetes fails it       |                    |
// | any other status                  | the answer, or an error               | done or `refused`  |
//
// A request that got 401 was not carried out, so that sending it again is no second write.
import type { Clock } from '../ports/clock.ts';
import { type TransportAnswer, TransportFailure } from './transport.ts';

/** Where time and chance come from. */
export interface World {
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
  /** Told when a read has no answer for some time; `reason`: the last failure, if there is one. */
  readonly onSlow?: ((reason: string | undefined) => void) | undefined;
}

export interface Patience {
  /** Milliseconds of trying in all. */
  readonly budget: number;
  /** Milliseconds for one try. */
  readonly deadline: number;
  /** Ends the trying early. */
  readonly signal?: AbortSignal | undefined;
}

export const PATIENCE: Patience = { budget: 60_000, deadline: 20_000 };

const RETRIED: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);
const FIRST_PAUSE = 200;
const LONGEST_PAUSE = 10_000;

/** What a try must have left. */
const LEAST_MS = 1_000;

/** The answer that settles it: a final one, or the last one in time. Rejects with the last failure. */
export async function readPatiently(
  send: (deadline: number) => Promise<TransportAnswer>,
  world: World,
  patience: Patience,
): Promise<TransportAnswer> {
  const failure: Failure = { last: undefined };
  const done = new AbortController();
  void announceSlow(world, failure, done.signal);
  try {
    return await readAgain(send, world, patience, failure);
  } finally {
    done.abort('answered');
  }
}

interface Failure {
  last: string | undefined;
}

/** Users must not face a silent terminal for longer. */
const SLOW_MS = 2_500;

async function announceSlow({ clock, onSlow }: World, failure: Failure, done: AbortSignal) {
  if (!onSlow) return;
  await clock.sleep(SLOW_MS, done);
  if (!done.aborted) onSlow(failure.last);
}

async function readAgain(
  send: (deadline: number) => Promise<TransportAnswer>,
  { clock, random }: World,
  { budget, deadline, signal }: Patience,
  failure: Failure,
): Promise<TransportAnswer> {
  const end = clock.monotonic() + budget;
  for (let tries = 0; ; tries++) {
    signal?.throwIfAborted();
    const left = end - clock.monotonic();
    const outcome = await attempt(send, Math.min(deadline, left));
    signal?.throwIfAborted();
    const pause = mayRetry(outcome)
      ? pauseBefore(outcome, tries, random)
      : Number.POSITIVE_INFINITY;
    // A try with next to no time left would only hide what the one before it said.
    if (clock.monotonic() + pause + LEAST_MS >= end) {
      if (outcome instanceof TransportFailure) throw outcome;
      return outcome;
    }
    failure.last = outcome instanceof TransportFailure ? outcome.message : `HTTP ${outcome.status}`;
    await clock.sleep(pause, signal);
  }
}

type Outcome = TransportAnswer | TransportFailure;

async function attempt(
  send: (deadline: number) => Promise<TransportAnswer>,
  deadline: number,
): Promise<Outcome> {
  try {
    return await send(deadline);
  } catch (error) {
    if (error instanceof TransportFailure) return error;
    throw error;
  }
}

function mayRetry(outcome: Outcome): boolean {
  if (outcome instanceof TransportFailure) {
    return outcome.kind === 'unreachable' || outcome.kind === 'deadline';
  }
  return RETRIED.has(outcome.status);
}

/** Whether it is one of the answers that speak of trouble on the way, not of the request. */
export function isTrouble({ status }: TransportAnswer): boolean {
  return RETRIED.has(status);
}

/** Full jitter: anything between nothing and a doubling bound, but not before the server wants it. */
function pauseBefore(outcome: Outcome, tries: number, random: () => number): number {
  const jitter = random() * Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** tries);
  if (outcome instanceof TransportFailure) return jitter;
  const wanted = Number(outcome.retryAfter ?? 0) * 1000;
  return Number.isFinite(wanted) ? Math.max(wanted, jitter) : jitter;
}
