import { expect, test } from 'vitest';
import { processIo } from '../../process.ts';
import { stopSignals } from './signals.ts';

function pressing(options?: { reads: boolean }) {
  const said: string[] = [];
  const ends: [number, number][] = [];
  let press = () => {};
  const signals = stopSignals(
    {
      ...processIo,
      stderr: (text) => said.push(text),
      endWithin: (...end) => ends.push(end),
      onSignal: (listener) => {
        press = listener;
        return () => {};
      },
    },
    options,
  );
  return { signals, said, ends, press: () => press() };
}

test('the first stops, the second leaves within five seconds, the third ends at once', () => {
  const { signals, said, ends, press } = pressing();
  press();
  expect([signals.stop.aborted, signals.abort.aborted, ends]).toEqual([true, false, []]);
  press();
  expect([signals.abort.aborted, ends]).toEqual([true, [[5_000, 2]]]);
  press();
  expect(ends).toEqual([
    [5_000, 2],
    [0, 2],
  ]);
  expect(said).toHaveLength(2);
});

test('a command that only reads says nothing, and ends at the second', () => {
  const { signals, said, ends, press } = pressing({ reads: true });
  press();
  expect([signals.stop.aborted, ends]).toEqual([true, []]);
  press();
  expect([ends, said]).toEqual([[[0, 2]], []]);
});
