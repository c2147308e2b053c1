import { expect, test } from 'vitest';
import { processIo } from '../../process.ts';
import type { Io } from '../io.ts';
import { colorIn, lookOn } from './look-on.ts';

const SIZE = { columns: 80, rows: 24 };

/** Only stderr is a terminal, as in `tiphys plan | less`. */
function io(environment: Readonly<Record<string, string>>, color: Io['color'] = 'auto'): Io {
  const terminal: Io['terminal'] = (stream) => (stream === 'stderr' ? SIZE : undefined);
  return { ...processIo, terminal, color, environment: (name) => environment[name] };
}

test.each<[string, Record<string, string>, Io['color'], [out: boolean, err: boolean]]>([
  ['terminals have colours, each stream for itself', {}, 'auto', [false, true]],
  ['a terminal that can do nothing has none', { TERM: 'dumb' }, 'auto', [false, false]],
  ['NO_COLOR', { NO_COLOR: '1' }, 'auto', [false, false]],
  ['an empty NO_COLOR says nothing', { NO_COLOR: '' }, 'auto', [false, true]],
  ['FORCE_COLOR', { FORCE_COLOR: '1' }, 'auto', [true, true]],
  ['FORCE_COLOR=0', { FORCE_COLOR: '0' }, 'auto', [false, false]],
  ['NO_COLOR wins over FORCE_COLOR', { NO_COLOR: '1', FORCE_COLOR: '1' }, 'auto', [false, false]],
  ['the option wins over NO_COLOR', { NO_COLOR: '1' }, 'always', [true, true]],
  ['the option wins over FORCE_COLOR', { FORCE_COLOR: '1' }, 'never', [false, false]],
])('%s', (_, environment, color, expected) => {
  const given = io(environment, color);
  const looks = [lookOn(given, 'stdout'), lookOn(given, 'stderr')];
  expect(looks.map(({ isColoured }) => isColoured)).toEqual(expected);
});

test('only a terminal limits the width, and -o wide lifts that', () => {
  const given = io({});
  expect(lookOn(given, 'stdout').columns).toBeUndefined();
  expect(lookOn(given, 'stderr').columns).toBe(80);
  expect(lookOn(given, 'stderr', { wide: true }).columns).toBeUndefined();
});

test.each([
  [['plan'], 'auto'],
  [['plan', '--color', 'never'], 'never'],
  [['--color=always', 'plan'], 'always'],
  [['plan', '--color', 'blue'], 'auto'],
] as const)('the choice of %j is %s', (args, choice) => {
  expect(colorIn(args)).toBe(choice);
});
