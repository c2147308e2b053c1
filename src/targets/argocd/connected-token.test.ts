// Whose token a connection has, how long all of them are good, and which ones it renews.
import { expect, test } from 'vitest';
import { FakeTransport, json } from '../../../test/fakes/transport.ts';
import { VirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { ACCOUNTS, type AccountUse } from '../../ports/argocd-accounts.ts';
import { kubernetesApi } from '../kubernetes/api.ts';
import type { TransportRequest } from '../transport.ts';
import { argocdApi } from './api.ts';
import { connectedToken } from './connected-token.ts';
import { directRoute } from './route.ts';

const NOW = 1_794_700_800;
const jwt = (claims: object) =>
  `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.c2ln`;
const tokenOf = (account: string, exp = NOW) =>
  jwt({ sub: `${account}:apiKey`, jti: `of-${account}`, exp });
const { validate, deploy, teardown } = ACCOUNTS;
const ALL = [validate, deploy, teardown];

function setUp(use: AccountUse, there: readonly { account: string; secret: string }[] = ALL) {
  const transport = new FakeTransport(({ method, path, headers }: TransportRequest) => {
    const name = path.split('/').at(-1);
    if (path.includes('/secrets/')) {
      const found = there.find(({ secret }) => secret === name);
      const labels = { 'tiphys.dev/token': 'argocd' };
      const data = { token: found && Buffer.from(tokenOf(found.account)).toString('base64') };
      return found ? json({ metadata: { name, labels }, data }) : json({ kind: 'Status' }, 404);
    }
    const [, account] = /\/account\/([^/]+)\/token/.exec(path) ?? [];
    const isOwn = headers?.authorization === `Bearer ${tokenOf(account ?? '')}`;
    if (method === 'POST' && isOwn) return json({ token: tokenOf(account ?? '', NOW + 1) });
    return json({ message: 'permission denied' }, 403);
  });
  const world = { clock: new VirtualClock(), random: () => 0.5 };
  const kubernetes = kubernetesApi(transport, world);
  const token = connectedToken(kubernetes, { namespace: 'argocd', use });
  const route = directRoute(transport);
  const argocd = argocdApi(route, token.tokens, world);
  return { transport, token, argocd, renewals: token.renewals(argocd, route) };
}

test('a token is told with its account, and with the Secret that it stands in for', async () => {
  expect(await setUp('teardown').token.holder()).toEqual({
    ...{ account: 'tiphys-teardown', secret: teardown.secret, insteadOf: undefined },
  });
  expect(await setUp('teardown', [deploy]).token.holder()).toEqual({
    ...{ account: 'tiphys', secret: deploy.secret, insteadOf: teardown.secret },
  });
});

test('the lives of all tokens are told, beginning with the one in use', async () => {
  const life = ({ secret }: { secret: string }) => ({ secret, expires: NOW });
  expect(await setUp('deploy').token.lives()).toEqual([deploy, validate, teardown].map(life));
  expect(await setUp('validate', [deploy]).token.lives()).toEqual([life(deploy)]);
});

test.each<[AccountUse, readonly string[]]>([
  // It may not write, and so makes none.
  ['validate', []],
  // Its token can do more than those who only read, so it may renew theirs; one that can delete is not its business.
  ['deploy', [deploy.secret, validate.secret]],
  ['teardown', [teardown.secret]],
])('%s renews %j', async (use, secrets) => {
  const { token, renewals, transport } = setUp(use);
  await token.tokens.current();
  expect(renewals.map(({ secret }) => secret())).toEqual(secrets);
  for (const renewal of renewals) {
    expect(await renewal.expires()).toBe(NOW);
    const { account } = await renewal.make('new');
    const made = transport.requests.find(({ path }) => path.includes(`/account/${account}/token`));
    // By the account itself: none has a right to make tokens of another one.
    expect(made?.headers).toEqual({ authorization: `Bearer ${tokenOf(account)}` });
    await renewal.keep({ ...(await renewal.make('new')) });
    expect(transport.requests.at(-1)).toMatchObject({
      method: 'PUT',
      path: expect.stringMatching(new RegExp(`/${renewal.secret()}$`)),
    });
  }
});

test('a deployment renews the one token that an older installation has, and looks no further', async () => {
  const { renewals } = setUp('deploy', [deploy]);
  expect(await Promise.all(renewals.map((one) => one.expires()))).toEqual([NOW, undefined]);
});

test('a teardown with the token of deployments renews that one', async () => {
  const { token, renewals } = setUp('teardown', [deploy]);
  await token.tokens.current();
  expect(renewals.map(({ secret }) => secret())).toEqual([deploy.secret]);
});

test('what Argo CD denies is told with the account that lacks the right', async () => {
  const { argocd } = setUp('validate');
  await expect(argocd.read({ path: '/x', what: 'it' })).rejects.toMatchObject({
    diagnostics: [
      {
        code: 'argocd-forbidden',
        hint: 'Grant it to the account "tiphys-validate" in argocd-rbac-cm.',
      },
    ],
  });
});
