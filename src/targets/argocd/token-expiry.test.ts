import { expect, test } from 'vitest';
import { accountOf, expiryOf } from './token-expiry.ts';

const jwt = (claims: string) => `e30.${Buffer.from(claims).toString('base64url')}.c2ln`;

test.each<[string, string, number | undefined]>([
  ['a token that expires', jwt('{"sub": "tiphys:apiKey", "exp": 1794725237}'), 1794725237],
  ['one that does not', jwt('{"sub": "tiphys:apiKey"}'), undefined],
  ['a moment that is none', jwt('{"exp": "soon"}'), undefined],
  ['a moment after the last date', jwt('{"exp": 9000000000000}'), undefined],
  ['no JSON', jwt('{'), undefined],
  ['null', jwt('null'), undefined],
  ['no JWT', 'abc', undefined],
])('%s', (_, token, expires) => {
  expect(expiryOf(token)).toBe(expires);
});

test.each<[string, string, string | undefined]>([
  ['of an account', jwt('{"sub": "tiphys-validate:apiKey"}'), 'tiphys-validate'],
  ['of a person', jwt('{"sub": "jane"}'), 'jane'],
  ['with text that is no name', jwt('{"sub": "a b:apiKey"}'), undefined],
  ['of nobody', jwt('{}'), undefined],
  ['that is no JWT', 'abc', undefined],
])('a token %s', (_, token, account) => {
  expect(accountOf(token)).toBe(account);
});
