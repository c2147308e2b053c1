// A right that is missing is told with the account that lacks it, and where its token is from.
import { expect, test } from 'vitest';
import type { TokenHolder } from '../ports/argocd-accounts.ts';
import { lacking } from './check-rights.ts';

const HOLDER = { account: 'tiphys', secret: 'tiphys-argocd-token', insteadOf: undefined };

async function told(holder: TokenHolder, isGiven = false) {
  const rights = {
    inArgocd: async () => isGiven,
    inCluster: async () => true,
    tokenHolder: async () => holder,
  };
  const [found, ...more] = await lacking([['applications', 'delete', 'shop/web']], { rights });
  expect(more).toEqual([]);
  return found && `${found.message} ${found.hint}`;
}

const GRANT = (whom: string) =>
  `Grant it in argocd-rbac-cm: p, ${whom}, applications, delete, shop/web, allow`;

test.each<[string, TokenHolder, string]>([
  [
    'an account with a Secret',
    HOLDER,
    `The Argo CD account "tiphys" (Secret "tiphys-argocd-token") cannot delete applications "shop/web". ${GRANT('tiphys')}`,
  ],
  [
    'one that stands in for another',
    { ...HOLDER, insteadOf: 'tiphys-argocd-token-teardown' },
    `The Argo CD account "tiphys" (Secret "tiphys-argocd-token") cannot delete applications "shop/web". The Secret "tiphys-argocd-token-teardown" has no token: create it with \`tiphys bootstrap --only argocd\`. Or: ${GRANT('tiphys')}`,
  ],
  [
    'one from a file',
    { ...HOLDER, secret: undefined },
    `The Argo CD account "tiphys" cannot delete applications "shop/web". ${GRANT('tiphys')}`,
  ],
  [
    'a token that names none',
    { account: undefined, secret: undefined, insteadOf: undefined },
    `The Argo CD token cannot delete applications "shop/web". ${GRANT('role:tiphys')}`,
  ],
])('%s', async (_, holder, said) => {
  expect(await told(holder)).toBe(said);
  expect(await told(holder, true)).toBe(undefined);
});
