import { expect, test } from 'vitest';
import { parseReference, quote, REFERENCE, renderReference } from './names.ts';

test.each([
  ['platform', 'platform'],
  ['stack:data', 'stack:data'],
  ['app:api', 'app:api'],
  ['api', 'app:api'],
  ['api.v2', 'app:api.v2'],
  ['app:platform', 'app:platform'],
])('%s refers to %s', (text, reference) => {
  expect(REFERENCE.test(text)).toBe(true);
  expect(renderReference(parseReference(text))).toBe(reference);
});

test.each(['', 'Api', 'stack:', 'stack:a.b', 'pod:x', 'a b', '-a', 'a-', 'a..b', 'é'])(
  '%j refers to nothing',
  (text) => expect(REFERENCE.test(text)).toBe(false),
);

test('what cannot be seen is shown', () => {
  expect(quote('a\u200bb')).toBe('"a\\u{200b}b"');
  expect(quote('e\u0301')).toBe('"e\\u{301}"');
  expect(quote('\u{1f600}\n')).toBe('"\\u{1f600}\\n"');
});
