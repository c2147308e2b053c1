import { expect, test } from 'vitest';
import { renderText, type Text } from './lines.ts';
import { widthOf } from './width.ts';
import { wrapped } from './wrap.ts';

const lines = (text: Text, columns?: number) =>
  wrapped(text, columns).map((one) => renderText(one));

test('a line is cut between words, and continued with an indent', () => {
  const text = 'Argo CD was not asked to refresh, so it may not know the latest commit.';
  expect(lines(text)).toEqual([text]);
  expect(lines(text, 71)).toEqual([text]);
  expect(lines(text, 40)).toEqual([
    'Argo CD was not asked to refresh, so it',
    '  may not know the latest commit.',
  ]);
  for (let columns = 12; columns < 80; columns++) {
    for (const line of lines(text, columns)) expect(widthOf(line)).toBeLessThanOrEqual(columns);
  }
});

test('the indent is that of the line, and two more', () => {
  expect(lines('  next: fix it in Git', 14)).toEqual(['  next: fix it', '    in Git']);
});

test('pieces keep their tones, and a word of several pieces stays together', () => {
  const text: Text = ['api ', { text: 'failed twice', tone: 'bad' }, ': why'];
  expect(wrapped(text, 12)).toEqual([
    ['api', ' ', { text: 'failed', tone: 'bad' }],
    ['  ', { text: 'twice', tone: 'bad' }, ':', ' ', 'why'],
  ]);
});

test('a command in backticks, and a word that is too long, stay whole', () => {
  expect(lines('run `tiphys deploy --yes` again', 12)).toEqual([
    'run',
    '  `tiphys deploy --yes`',
    '  again',
  ]);
  expect(lines('hash sha256:0123456789abcdef', 12)).toEqual(['hash', '  sha256:0123456789abcdef']);
});
