import { expect, test } from 'vitest';
import { withoutSecrets, withoutSent } from './secrets.ts';

const TOKEN = 'eyJhbGciOi.eyJzdWIiOiJ0.c2lnbmF0dXJl';

test.each([
  ['a bearer', { Authorization: `Bearer ${TOKEN}` }],
  ['a cookie', { cookie: `argocd.token=${TOKEN}` }],
  ['one of several', { Authorization: 'Bearer another-token', Cookie: `a=${TOKEN}` }],
])('%s that an answer quotes is taken out', (_, headers) => {
  const said = `{"message":"invalid token ${TOKEN}: ${TOKEN}"}`;
  expect(withoutSent(headers)(said)).toBe('{"message":"invalid token ***: ***"}');
});

test('also in an address, and a password that was sent as Basic', () => {
  expect(withoutSent({ authorization: 'Bearer abc+/def=0123' })('?t=abc%2B%2Fdef%3D0123')).toBe(
    '?t=***',
  );
  const basic = Buffer.from('me:correct horse').toString('base64');
  const said = withoutSent({ authorization: `Basic ${basic}` })(`${basic} is correct horse`);
  expect(said).toBe('*** is ***');
});

test('what was sent for other reasons, and what is too short to be told from a word, stays', () => {
  const headers = { accept: 'application/json', authorization: 'Bearer short', 'x-a': TOKEN };
  expect(withoutSent(headers)(`short application/json ${TOKEN}`)).toBe(
    `short application/json ${TOKEN}`,
  );
});

test.each([
  ['Unable to locate credentials. Run "aws configure".', undefined],
  ['dial tcp: lookup sts.eu-west-1.amazonaws.com: no such host', undefined],
  ['open /home/me/.config/gcloud/active: permission denied', undefined],
  ['token: abc', 'token: ***'],
  ['{"password":"abc","a":1}', '{"password":"***","a":1}'],
  ['Bearer abc is not valid', 'Bearer *** is not valid'],
  ['got AKIA0123456789ABCDEF', 'got ***'],
  [`got ${'a1'.repeat(5_000)}`, 'got ***'],
  ['a '.repeat(1_000), `${'a '.repeat(149)}a`],
])('%s', (text, shown) => {
  expect(withoutSecrets(text)).toBe(shown ?? text);
});
