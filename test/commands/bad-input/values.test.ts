import { describe } from 'vitest';
import { refuses } from './refuse.ts';
import { applications, spec } from './text.ts';

// One character each, so that all values stand in the same column.
const letter = (at: number) => String.fromCharCode('a'.charCodeAt(0) + at);
const withDuration = (durations: readonly string[]) =>
  applications(durations.map((text, at) => `{ name: ${letter(at)}, expectedDuration: ${text} }`));
const each = (values: readonly string[], code: string) =>
  values.map((_, at) => `${at + 8}:40 ${code}`);

const NO_DURATIONS = [
  '5 minutes',
  '-1s',
  '1.5h',
  '1h 30m',
  '30m1h',
  '5M',
  '1d',
  '0x5s',
  '1e3s',
  '1e999',
  '5_0',
  '\u0665m',
];
const TOO_LONG = ['169h', '9999h99999m999999s', '604801s'];
const NUMBERS = ['300', '.inf', '.nan', '012', '-0', '0x10', '1e3'];

const withAttempts = (counts: readonly string[]) =>
  applications(
    counts.map((text, at) => `{ name: ${letter(at)}, retries: { maxAttempts: ${text} } }`),
  );
const NO_COUNTS = ['1.5', '1e999', '.inf', '.nan', 'three', 'true', '[3]', '~'];
const OUT_OF_RANGE = ['0', '-1', '101', '0x65', '1e3', '9007199254740991'];

describe('E9: values', () => {
  refuses('E9: what is no duration', withDuration(NO_DURATIONS), {
    errors: each(NO_DURATIONS, 'duration-invalid'),
    says: ['"5 minutes"', '"\\u{665}m"', '90s, 5m, 1h30m'],
  });
  refuses('E9: durations that are too long', withDuration(TOO_LONG), {
    errors: each(TOO_LONG, 'value-range'),
  });
  refuses('E9: numbers as durations', withDuration(NUMBERS), {
    errors: each(NUMBERS, 'duration-invalid'),
    says: ['Did you mean 300s?'],
  });
  refuses(
    'E9: timeouts of nothing',
    applications(['{ name: a, timeouts: { sync: 0s, health: 0h0m } }']),
    { errors: ['8:40 value-range', '8:52 value-range'] },
  );
  refuses(
    'E9: what other versions of YAML read as something else',
    applications([
      '{ name: a, gate: { allowSuspended: no, allowEmpty: yes } }',
      '{ name: 012 }',
      '{ name: 1e3 }',
      '{ name: 2024-01-01T00:00:00Z }',
      '{ name: true }',
      '{ name: ~ }',
      '{ name: .nan }',
    ]),
    {
      errors: [
        '8:46 value-type',
        '8:62 value-type',
        '9:19 value-type',
        '10:19 value-type',
        '11:19 name-invalid',
        '12:19 value-type',
        '13:19 value-type',
        '14:19 value-type',
      ],
    },
  );
  refuses('E9: what is no count', withAttempts(NO_COUNTS), {
    errors: NO_COUNTS.map((_, at) => `${at + 8}:46 value-type`),
  });
  refuses('E9: counts out of range', withAttempts(OUT_OF_RANGE), {
    errors: OUT_OF_RANGE.map((_, at) => `${at + 8}:46 value-range`),
  });
  refuses('E9: no tags but those of YAML', spec('  stacks: !!js/function "x"\n'), {
    errors: ['5:11 yaml-syntax'],
  });
});
