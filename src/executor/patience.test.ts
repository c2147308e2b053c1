import { expect, test } from 'vitest';
import { VirtualClock } from '../../test/fakes/virtual-clock.ts';
import { type ErrorCode, TiphysError } from '../errors.ts';
import { PATIENCE_MS, patiently } from './patience.ts';

const failure = (code: ErrorCode) => new TiphysError([{ code, message: code }]);

/** Fails so often with that, then succeeds. */
function trying(code: ErrorCode, times: number, signal = new AbortController().signal) {
  const clock = new VirtualClock();
  const warnings: string[] = [];
  let left = times;
  const patient = { clock, signal, warn: (message: string) => void warnings.push(message) };
  const result = patiently(patient, async () => {
    if (left-- > 0) throw failure(code);
    return 'done';
  });
  return { clock, warnings, result };
}

test('what does not answer now is asked again, and that is told', async () => {
  const { clock, warnings, result } = trying('argocd-unreachable', 3);
  expect(await clock.until(result)).toBe('done');
  expect(warnings).toEqual(Array(3).fill('argocd-unreachable'));
});

test('not for ever', async () => {
  const { clock, result } = trying('cluster-unreachable', 1_000);
  await expect(clock.until(result)).rejects.toThrow('cluster-unreachable');
  expect(clock.monotonic()).toBeGreaterThanOrEqual(PATIENCE_MS);
  expect(clock.monotonic()).toBeLessThan(PATIENCE_MS + 10_000);
});

test('what is refused is not asked again, nor is anything once it is told to end', async () => {
  const refused = trying('argocd-token-rejected', 1);
  await expect(refused.clock.until(refused.result)).rejects.toThrow('rejected');
  const ended = trying('cluster-unreachable', 1, AbortSignal.abort());
  await expect(ended.clock.until(ended.result)).rejects.toThrow('cluster-unreachable');
  expect([...refused.warnings, ...ended.warnings]).toEqual([]);
});
