import { beforeEach, describe, expect, test } from 'vitest';
import { VirtualClock } from '../../test/fakes/virtual-clock.ts';
import { Retrying } from './retrying.ts';

let clock: VirtualClock;
let retrying: Retrying;
let told: string[];

beforeEach(async () => {
  clock = new VirtualClock(Date.parse('2030-01-01T10:00:00Z'));
  await clock.advance(7_000);
  retrying = new Retrying(clock, 'PATCH of the AppProject "p"');
  told = [];
});

const sent = (ms: number) => retrying.sent(clock.sleep(ms), (message) => told.push(message));

describe('a request without an answer', () => {
  test('is told after a few seconds, with the time at which it was sent', async () => {
    const answered = sent(60_000);
    await clock.advance(4_999);
    expect(told).toEqual([]);
    await clock.advance(1);
    expect(told).toEqual(['PATCH of the AppProject "p": no answer since 10:00:07 UTC']);
    await clock.until(answered);
    expect([told.length, clock.sleepers]).toEqual([1, 0]);
  });

  test('is not told where the answer comes in time, or was told before', async () => {
    await clock.until(sent(4_000));
    await clock.advance(10_000);
    retrying.failed('HTTP 500');
    await clock.until(sent(60_000));
    expect(told).toEqual([]);
  });

  test('counts from its own beginning where the one before it succeeded', async () => {
    await clock.until(sent(1_000));
    await clock.advance(60_000);
    await clock.until(sent(6_000));
    expect(told).toEqual(['PATCH of the AppProject "p": no answer since 10:01:08 UTC']);
  });

  test('that fails is no longer waited for', async () => {
    const failing = retrying.sent(Promise.reject(new Error('down')), (text) => told.push(text));
    await expect(failing).rejects.toThrow('down');
    await clock.advance(10_000);
    expect([told, clock.sleepers]).toEqual([[], 0]);
  });
});

describe('what is sent again and again', () => {
  test('lasts from the first one on, and counts', async () => {
    await clock.until(sent(1_000));
    retrying.failed('HTTP 500');
    expect([retrying.times, retrying.lastedMs]).toEqual([1, 1_000]);
    expect(retrying.summary).toBe(
      'PATCH of the AppProject "p" failed once in 1s; last answer: HTTP 500',
    );
    await clock.advance(64_000);
    await clock.until(sent(0));
    retrying.failed('HTTP 502');
    expect([retrying.times, retrying.lastedMs]).toEqual([2, 65_000]);
    expect(retrying.ongoing).toBe(
      'PATCH of the AppProject "p": HTTP 502; retrying since 10:00:07 UTC',
    );
    expect(retrying.summary).toBe(
      'PATCH of the AppProject "p" failed 2 times in 1m5s; last answer: HTTP 502',
    );
  });

  test('begins anew after a success', async () => {
    retrying.failed('HTTP 500');
    await clock.advance(10_000);
    retrying.succeeded();
    expect([retrying.times, retrying.lastedMs]).toEqual([0, 0]);
    await clock.advance(10_000);
    await clock.until(sent(0));
    await clock.advance(3_000);
    retrying.failed('HTTP 500');
    expect([retrying.times, retrying.lastedMs]).toEqual([1, 3_000]);
  });
});
