import { expect, test } from 'vitest';
import { renderText } from './lines.ts';
import { shortened, widthOf } from './width.ts';

test.each([
  ['a word', 'vault', 5],
  ['colours, which take no room', [{ text: 'vault', tone: 'bad' } as const, '!'], 6],
  ['characters of two columns', '大小🙂', 6],
  ['marks, which take none', 'nai\u0308ve', 5],
  ['what is shown in place of a command', '\u001b[2K', 9],
])('the width of %s', (_, text, width) => {
  expect(widthOf(text)).toBe(width);
  expect(widthOf(renderText(text))).toBe(width);
});

test.each([
  ['fits', 'vault', 5, 'vault'],
  ['is too long', 'vault', 4, 'vau…'],
  ['is cut at a space', 'a vault', 3, 'a…'],
  ['would be cut in the middle of a character', '大小大', 4, '大…'],
  ['has no room at all', 'vault', 0, ''],
])('a text that %s', (_, text, columns, expected) => {
  const cut = shortened(text, columns);
  expect(renderText(cut)).toBe(expected);
  expect(widthOf(cut)).toBeLessThanOrEqual(columns);
});

test('a cut keeps the colour', () => {
  const cut = shortened(['is ', { text: 'Degraded', tone: 'bad' }], 6);
  expect(cut).toEqual(['is ', { text: 'De…', tone: 'bad' }]);
});

test('without a terminal nothing is cut', () => {
  expect(shortened('vault', undefined)).toBe('vault');
});
