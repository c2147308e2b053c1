import { expect, test } from 'vitest';
import { expiryOf } from './token-expiry.ts';

const jwt = (claims: string) => `e30.${Buffer.from(claims).toString('base64url')}.c2ln`;

test.each<[string, string, number | undefined]>([
  ['a token that expires', jwt('{"sub": "tiphys:apiKey", "exp": 1794725237}'), 1794725237],
  ['one that does not', jwt('{"sub": "tiphys:apiKey"}'), undefined],
  ['a moment that is none', jwt('{"exp": "soon"}'), undefined],
  ['no JSON', jwt('{'), undefined],
  ['null', jwt('null'), undefined],
  ['no JWT', 'abc', undefined],
])('%s', (_, token, expires) => {
  expect(expiryOf(token)).toBe(expires);
});
