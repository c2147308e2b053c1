// Which Secret the token is taken from, for what is done and by what may be read.
import { expect, test } from 'vitest';
import { TiphysError } from '../../errors.ts';
import type { AccountUse } from '../../ports/argocd-accounts.ts';
import { tokenFromSecret } from './secret-token.ts';

const VALIDATE = 'tiphys-argocd-token-validate';
const DEPLOY = 'tiphys-argocd-token';
const TEARDOWN = 'tiphys-argocd-token-teardown';
const ALL = [VALIDATE, DEPLOY, TEARDOWN];

interface Given {
  /** By default all that are not forbidden. */
  readonly there?: readonly string[];
  readonly forbidden?: readonly string[];
}

/** What came of it: the Secret whose token is used, or the code and message; and what was asked for. */
async function taken(use: AccountUse, { there = ALL, forbidden = [] }: Given = {}) {
  const asked: string[] = [];
  const get = async (path: string) => {
    const name = path.split('/').at(-1) ?? '';
    asked.push(name);
    if (forbidden.includes(name))
      throw new TiphysError([{ code: 'cluster-forbidden', message: `no ${name}` }]);
    return there.includes(name) ? { data: { token: btoa(`of-${name}`) } } : undefined;
  };
  const { read, secret } = tokenFromSecret({ get }, 'argocd', use);
  const result = await read().catch((error: unknown) => {
    if (!(error instanceof TiphysError)) throw error;
    return error.diagnostics.map(({ code, message }) => `${code}: ${message}`).join();
  });
  if (result.startsWith('of-')) expect(result).toBe(`of-${secret()}`);
  return { result: result.replace('of-', ''), asked };
}

test.each<[AccountUse, Given, string]>([
  ['validate', {}, VALIDATE],
  ['validate', { there: [DEPLOY] }, DEPLOY],
  ['validate', { forbidden: [VALIDATE] }, DEPLOY],
  ['deploy', {}, DEPLOY],
  ['teardown', {}, TEARDOWN],
  ['teardown', { there: [DEPLOY] }, DEPLOY],
])('%s, %j: the token of %s', async (use, given, secret) => {
  expect((await taken(use, given)).result).toBe(secret);
});

test('no other Secret is looked at where the own one is there', async () => {
  expect((await taken('validate')).asked).toEqual([VALIDATE]);
  expect((await taken('deploy')).asked).toEqual([DEPLOY]);
  expect((await taken('teardown')).asked).toEqual([TEARDOWN]);
});

test.each<[AccountUse, Given, string]>([
  ['deploy', { there: [VALIDATE, TEARDOWN] }, `argocd-token-missing: The Secret "${DEPLOY}"`],
  ['deploy', { forbidden: [DEPLOY] }, `cluster-forbidden: no ${DEPLOY}`],
  ['validate', { forbidden: ALL }, `cluster-forbidden: no ${VALIDATE}`],
  ['validate', { there: [TEARDOWN] }, `does not exist, and "${DEPLOY}" does not exist either`],
  [
    'validate',
    { there: [], forbidden: [DEPLOY] },
    `argocd-token-missing: The Secret "${VALIDATE}" in the namespace "argocd" does not exist, and "${DEPLOY}" cannot be read for lack of permission.`,
  ],
  ['teardown', { there: [VALIDATE] }, `does not exist, and "${DEPLOY}" does not exist either`],
  // Where there is one that it may not have, no other is taken behind anybody's back.
  ['teardown', { forbidden: [TEARDOWN] }, `cluster-forbidden: no ${TEARDOWN}`],
])('%s, %j: none, and why', async (use, given, why) => {
  expect((await taken(use, given)).result).toContain(why);
});

test('trouble of the cluster is not taken for a Secret that is not there', async () => {
  const error = new TiphysError([{ code: 'cluster-unreachable', message: 'silence' }]);
  const { read } = tokenFromSecret({ get: () => Promise.reject(error) }, 'argocd', 'validate');
  await expect(read()).rejects.toBe(error);
});

test.each<AccountUse>(['validate', 'deploy', 'teardown'])(
  'who may not read a token for %s is told what to do instead',
  async (use) => {
    const error = new TiphysError([
      { code: 'cluster-forbidden', message: 'no', hint: 'Grant it.' },
    ]);
    const { read } = tokenFromSecret({ get: () => Promise.reject(error) }, 'cd', use);
    await expect(read()).rejects.toMatchObject({
      diagnostics: [
        {
          ...{ code: 'cluster-forbidden', message: 'no' },
          hint: `Pass the token of your Argo CD account with --argocd-token-file, or ask for a RoleBinding to the Role "tiphys-token-${use}" in the namespace "cd" (workflows/rights.yaml).`,
        },
      ],
    });
  },
);
