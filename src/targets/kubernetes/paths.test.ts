import { expect, test } from 'vitest';
import { escaped, paths, withQuery } from './paths.ts';

test('names and values are escaped', () => {
  expect(paths.leases('a/b', 'c d')).toContain('/namespaces/a%2Fb/leases/c%20d');
  expect(withQuery('/a?b=c', { continue: 'x&y', limit: undefined })).toBe('/a?b=c&continue=x%26y');
});

test('what cannot be escaped becomes a name that nothing has, and no error', () => {
  expect(escaped('a\ud800b\udfff')).toBe('a%EF%BF%BDb%EF%BF%BD');
  expect(escaped('\u{1f600}')).toBe('%F0%9F%98%80');
});
