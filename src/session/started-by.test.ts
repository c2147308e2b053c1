import { expect, test } from 'vitest';
import type { Cluster } from '../ports/target.ts';
import { startedBy } from './started-by.ts';

type Asked = Pick<Cluster, 'whoAmI' | 'rights'>;

const target = (whoAmI: Asked['whoAmI'], account?: string): Asked =>
  ({
    ...{ whoAmI },
    rights: { tokenHolder: async () => ({ account, secret: undefined, insteadOf: undefined }) },
  }) as Asked;

test('both identities are asked for once, and the answer has a time', async () => {
  const asked: unknown[] = [];
  const whoAmI = async (withinMs?: number) => {
    asked.push(withinMs);
    return 'jane';
  };
  expect(await startedBy(target(whoAmI, 'tiphys'), { kind: 'cli' })).toEqual({
    ...{ trigger: 'cli', user: 'jane', argocdAccount: 'tiphys' },
  });
  expect(asked).toEqual([3_000]);
});

test('what cannot be asked is left out', async () => {
  const refused = () => Promise.reject(new Error('no'));
  const rights = { tokenHolder: refused } as never;
  expect(await startedBy({ whoAmI: refused, rights }, { kind: 'event', event: 'push' })).toEqual({
    ...{ trigger: 'event', event: 'push' },
  });
});

test('a name has a length, also one that a Workflow claims', async () => {
  const long = 'x'.repeat(10_000);
  const found = await startedBy(
    target(async () => long),
    { kind: 'workflow', submittedBy: long },
  );
  expect([found.user?.length, found.submittedBy?.length]).toEqual([256, 128]);
});
