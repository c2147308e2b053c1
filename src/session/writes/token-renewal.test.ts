import { expect, test } from 'vitest';
import { World } from '../../../test/fakes/run-world.ts';
import { TiphysError } from '../../errors.ts';
import type { TokenRenewal } from '../../ports/argocd-token.ts';
import type { WriteResult } from '../../ports/write-result.ts';
import { renewTokens } from './token-renewal.ts';

const DAY = 86_400;
const DONE: WriteResult = { kind: 'done' };

interface Given {
  /** Seconds that the token is good yet. */
  readonly left: number | undefined;
  readonly kept?: WriteResult;
  readonly before?: string;
  readonly part?: Partial<TokenRenewal>;
  readonly isFromFile?: boolean;
  readonly others?: readonly TokenRenewal[];
}

async function renewed({
  left,
  kept = DONE,
  before = 'old',
  part,
  isFromFile,
  others = [],
}: Given) {
  const world = new World({});
  const now = Math.floor(world.clock.now() / 1000);
  const done: string[] = [];
  const warnings: string[] = [];
  const renewal: TokenRenewal = {
    secret: () => 's',
    expires: async () => (left === undefined ? undefined : now + left),
    make: async (id) => {
      done.push(`make ${id.replace(String(now), 'NOW')}`);
      return { account: 'tiphys', id: 'new', before };
    },
    keep: async ({ id }) => {
      done.push(`keep ${id}`);
      return kept;
    },
    strike: async (account, id) => {
      done.push(`strike ${account} ${id}`);
      return DONE;
    },
    ...part,
  };
  world.part.tokenRenewals = [...(isFromFile ? [] : [renewal]), ...others];
  let permits = 0;
  await renewTokens({
    ...{ target: world.target, clock: world.clock, run: 'r1' },
    lease: {
      awaitWritePermit: async () => {
        permits++;
      },
      send: (action) => action(),
    },
    warn: (message) => warnings.push(message),
  });
  return { done, warnings, permits };
}

test('a token of the last 30 days is made anew, kept, and the one before it struck off', async () => {
  const done = ['make r1-NOW', 'keep new', 'strike tiphys old'];
  expect(await renewed({ left: 30 * DAY })).toEqual({ done, warnings: [], permits: 3 });
});

test.each<[string, Given]>([
  ['is good for longer', { left: 30 * DAY + 1 }],
  ['does not expire', { left: undefined }],
  ['is from a file', { left: DAY, isFromFile: true }],
])('one that %s is left alone', async (_, given) => {
  expect(await renewed(given)).toEqual({ done: [], warnings: [], permits: 0 });
});

test('one that could not be kept is struck off, and that is told', async () => {
  const kept = { kind: 'refused', reason: 'conflict', message: 'changed' } as const;
  const { done, warnings } = await renewed({ left: DAY, kept });
  expect(done.slice(1)).toEqual(['keep new', 'strike tiphys new']);
  expect(warnings).toEqual(['the Argo CD token in the Secret "s" could not be renewed: changed']);
});

test('where nobody knows which one is kept, both stay', async () => {
  const { done, warnings } = await renewed({
    left: DAY,
    kept: { kind: 'unknown', message: 'silence' },
  });
  expect(done.slice(1)).toEqual(['keep new']);
  expect(warnings).toEqual(['the Argo CD token in the Secret "s" could not be renewed: silence']);
});

test('one before it without an id cannot be struck off', async () => {
  expect((await renewed({ left: DAY, before: '' })).done.slice(1)).toEqual(['keep new']);
});

test('no run fails for it, unless it is a bug', async () => {
  const refused = new TiphysError([{ code: 'argocd-forbidden', message: 'no' }]);
  const part = { make: () => Promise.reject(refused) };
  expect((await renewed({ left: DAY, part })).warnings).toEqual([
    'the Argo CD token in the Secret "s" could not be renewed: no',
  ]);
  const bug = { make: () => Promise.reject(new Error('bug')) };
  await expect(renewed({ left: DAY, part: bug })).rejects.toThrow('bug');
});

test('one that has expired is renewed by bootstrap, and the warning says so', async () => {
  const hint = 'Make a new token.';
  const rejected = new TiphysError([
    { code: 'argocd-token-rejected', message: 'Argo CD does not accept the token.', hint },
  ]);
  const part = { make: () => Promise.reject(rejected) };
  const told = async (left: number) => (await renewed({ left, part })).warnings[0] ?? '';
  expect(await told(-DAY)).toBe(
    'the Argo CD token in the Secret "s" could not be renewed: Argo CD does not accept the token. It has expired, and no run can renew it then. Renew it: tiphys bootstrap --only argocd',
  );
  expect(await told(DAY)).toContain('does not accept the token. Make a new token.');
});

test('one of a Secret that others keep is renewed by these, expired or not', async () => {
  const hint = 'Renew the token in the system that manages the Secret.';
  const others = new TiphysError([{ code: 'argocd-token-missing', message: 'Of others.', hint }]);
  const part = { make: () => Promise.reject(others) };
  expect((await renewed({ left: -DAY, part })).warnings).toEqual([
    `the Argo CD token in the Secret "s" could not be renewed: Of others. ${hint}`,
  ]);
});

test('each is renewed by itself, whatever became of the one before; one that cannot be read is told of', async () => {
  const refused = new TiphysError([{ code: 'cluster-unreachable', message: 'silence' }]);
  const unreadable: TokenRenewal = {
    secret: () => 'other',
    expires: () => Promise.reject(refused),
    make: () => Promise.reject(new Error('never')),
    keep: async () => DONE,
    strike: async () => DONE,
  };
  const { done, warnings } = await renewed({
    ...{ left: DAY, before: '', kept: { kind: 'unknown', message: 'lost' } },
    others: [unreadable],
  });
  expect(done).toHaveLength(2);
  expect(warnings).toEqual([
    'the Argo CD token in the Secret "s" could not be renewed: lost',
    'the Argo CD token in the Secret "other" could not be renewed: silence',
  ]);
});
