import { expect, test } from 'vitest';
import { withoutPasswords } from './errors.ts';

test.each([
  ['https://u:secret@git.example.com/a.git', 'https://***@git.example.com/a.git'],
  ['fetch "https://token@h/x" and ssh://git:p@h', 'fetch "https://***@h/x" and ssh://***@h'],
  ['https://a:p@ss@h', 'https://***@h'],
  ['https://h/path@v1 and me@example.com', 'https://h/path@v1 and me@example.com'],
])('%s is shown without its password', (text, shown) => {
  expect(withoutPasswords(text)).toBe(shown);
});

// A pattern whose cost grows with the square of the length needs minutes for these, and the test's time runs out.
const SIZE = 400_000;
test.each([
  ['letters', 'a'.repeat(SIZE)],
  ['schemes', 'a://'.repeat(SIZE / 4)],
  ['colons', ':'.repeat(SIZE)],
  ['addresses that never end', `x://${'a'.repeat(SIZE)}`],
])('a long text costs no more than its length: %s', (_title, text) => {
  expect(withoutPasswords(text)).toBe(text);
});
