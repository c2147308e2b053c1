import { expect, test } from 'vitest';
import { VirtualClock } from '../../test/fakes/virtual-clock.ts';
import type { Cluster } from '../ports/target.ts';
import { startedBy } from './started-by.ts';

const clock = new VirtualClock();
type Asked = Pick<Cluster, 'whoAmI' | 'rights'>;

const never = () => new Promise<never>(() => {});
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
  expect(await startedBy(target(whoAmI, 'tiphys'), { kind: 'cli' }, clock)).toEqual({
    ...{ trigger: 'cli', user: 'jane', argocdAccount: 'tiphys' },
  });
  expect(asked).toEqual([3_000]);
});

test('what cannot be asked is left out', async () => {
  const refused = () => Promise.reject(new Error('no'));
  const rights = { tokenHolder: refused } as never;
  const found = await startedBy(
    { whoAmI: refused, rights },
    { kind: 'event', event: 'push' },
    clock,
  );
  expect(found).toEqual({ trigger: 'event', event: 'push' });
});

test.each<[string, Partial<Asked>, object]>([
  ['of the token', { rights: { tokenHolder: never } as never }, { user: 'jane' }],
  ['of Kubernetes', { whoAmI: never }, { argocdAccount: 'tiphys' }],
])('an answer %s that never comes holds no run up', async (_, asked, known) => {
  const time = new VirtualClock();
  const found = startedBy(
    { ...target(async () => 'jane', 'tiphys'), ...asked },
    { kind: 'cli' },
    time,
  );
  expect(await time.until(found)).toEqual({ trigger: 'cli', ...known });
  expect(time.sleepers).toBe(0);
});

test('a name has a length, also one that a Workflow claims', async () => {
  const long = 'x'.repeat(10_000);
  const found = await startedBy(
    target(async () => long),
    { kind: 'workflow', submittedBy: long },
    clock,
  );
  expect([found.user?.length, found.submittedBy?.length]).toEqual([256, 128]);
});
