// A user is told when a read takes long: the cluster may be down, and retries last up to a minute.
import { expect, test } from 'vitest';
import { readPatiently } from './retry.ts';
import { type TransportAnswer, TransportFailure } from './transport.ts';

/** A clock that moves only by sleeping; `answer`: at which moment the server answers. */
async function reading(answersAt: number, refusesBefore: boolean) {
  let now = 0;
  const wakers: { at: number; wake: () => void }[] = [];
  const sleep = (ms: number, signal?: AbortSignal) =>
    new Promise<void>((wake) => {
      wakers.push({ at: now + ms, wake });
      signal?.addEventListener('abort', () => wake());
    });
  const clock = { now: () => now, monotonic: () => now, sleep };
  const told: (string | undefined)[] = [];
  const send = async (): Promise<TransportAnswer> => {
    if (now >= answersAt) return { status: 200, retryAfter: undefined, text: '{}' };
    if (refusesBefore) throw new TransportFailure('unreachable', 'connection refused');
    await sleep(answersAt - now);
    return { status: 200, retryAfter: undefined, text: '{}' };
  };
  const onSlow = (reason: string | undefined) => told.push(reason);
  let isDone = false;
  const answer = readPatiently(
    send,
    { clock, random: () => 0.9, onSlow },
    { budget: 60_000, deadline: 20_000 },
  ).finally(() => {
    isDone = true;
  });
  while (!isDone) {
    await new Promise((resolve) => setImmediate(resolve));
    wakers.sort((a, b) => a.at - b.at);
    const next = wakers.shift();
    if (!next) break;
    now = Math.max(now, next.at);
    next.wake();
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { status: (await answer).status, told };
}

test.each([
  ['answers soon', 1_000, false, []],
  ['answers late', 9_000, false, [undefined]],
  ['refuses connections for a while', 9_000, true, ['connection refused']],
  ['refuses connections for a moment', 1_000, true, []],
])('a server that %s', async (_, answersAt, refusesBefore, told) => {
  expect(await reading(answersAt, refusesBefore)).toEqual({ status: 200, told });
});
