// The token that bootstrap makes: it expires, a bootstrap that comes in time replaces it, and one that is good stays.
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { expiryOf } from '../../../src/targets/argocd/token-expiry.ts';

const DAY = 86_400;
const NOW = 1_794_700_800;

const PROGRAM = `
import base64, json, sys
sys.path.insert(0, "bootstrap/plugins/filter")
import argocd_token as plugin

key = {"server.secretkey": base64.b64encode(b"key of Argo CD").decode()}
made = plugin.make(key, "tiphys", ${NOW})
listed = {**key, **made["alone"]}

def endless(secret):
    claims = {"iss": "argocd", "sub": "tiphys:apiKey", "jti": "old", "iat": ${NOW}, "nbf": ${NOW}}
    text = plugin._packed(b'{"alg":"HS256","typ":"JWT"}') + b"." + plugin._packed(plugin._json(claims))
    return base64.b64encode(text + b"." + plugin._signature(secret, text)).decode()

old = {**key, "accounts.tiphys.tokens": base64.b64encode(b'[{"id":"old","iat":${NOW}}]').decode()}
after = lambda days: plugin.is_good(made["token"], listed, "tiphys", ${NOW} + days * ${DAY})
print(json.dumps({
    "token": base64.b64decode(made["token"]).decode(),
    "expires": made["expires"],
    "entry": json.loads(base64.b64decode(made["alone"]["accounts.tiphys.tokens"])),
    "good": [after(0), after(59), after(60), after(91)],
    "endless": plugin.is_good(endless(old), old, "tiphys", ${NOW}),
    "unlisted": plugin.is_good(made["token"], key, "tiphys", ${NOW}),
    "another": plugin.is_good(made["token"], listed, "other", ${NOW}),
}))
`;

test('a token expires after 90 days, and is replaced by a bootstrap in the last 30', () => {
  const { stdout, stderr } = spawnSync('python3', ['-B', '-c', PROGRAM], { encoding: 'utf8' });
  expect(stderr).toBe('');
  const { token, expires, entry, ...judged } = JSON.parse(stdout);
  expect(expiryOf(token)).toBe(NOW + 90 * DAY);
  expect(Date.parse(expires) / 1000).toBe(NOW + 90 * DAY);
  // As Argo CD lists it: it strikes off itself what has expired.
  expect(entry).toEqual([{ id: expect.any(String), iat: NOW, exp: NOW + 90 * DAY }]);
  expect(judged).toEqual({
    ...{ good: [true, true, false, false] },
    ...{ endless: false, unlisted: false, another: false },
  });
});
