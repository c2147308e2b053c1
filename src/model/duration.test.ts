import { expect, test } from 'vitest';
import { DURATION, parseDuration, renderDuration } from './duration.ts';

test.each([
  ['90s', 90],
  ['5m', 300],
  ['1h30m', 5400],
  ['2h0m5s', 7205],
  ['0s', 0],
])('%s is %i seconds', (text, seconds) => {
  expect(DURATION.test(text)).toBe(true);
  expect(parseDuration(text)).toBe(seconds);
});

test.each(['', '5', '5 minutes', '-1s', '1.5h', '5M', '1m1h', 'h', '5m ', '１m'])(
  '%j is no duration',
  (text) => expect(DURATION.test(text)).toBe(false),
);

test.each([
  [0, '0s'],
  [59, '59s'],
  [150, '2m30s'],
  [3600, '1h'],
  [3661, '1h1m1s'],
])('%i seconds read %s', (seconds, text) => expect(renderDuration(seconds)).toBe(text));
