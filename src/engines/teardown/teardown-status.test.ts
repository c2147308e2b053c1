import { expect, test } from 'vitest';
import { FakeStore } from '../../../test/fakes/cluster.ts';
import { inventoryOf } from '../../../test/fakes/inventory.ts';
import { planOf } from '../../../test/fakes/run-world.ts';
import { EXIT } from '../../errors.ts';
import type { Outcome, RunEnd } from '../../run/events.ts';
import { leftover } from '../../run/leftover.ts';
import { RunFold } from '../../run/run-state.ts';
import { keepApproval, storedApproval } from './stored-inventory.ts';
import { teardownStatus } from './teardown-end.ts';

const PLAN = { ...planOf('a:', 'b: a'), action: 'teardown' } as const;
const NOTHING = { evidence: null, attempts: 0, operations: [], revisions: [], repositories: [] };
const DURATIONS = { wait: 0, sync: 0, health: 0, dwell: 0 };
const VOLUME = { group: '', kind: 'PersistentVolume', namespace: '', name: 'pv' };

interface End {
  readonly a: Outcome;
  readonly b: Outcome;
  readonly end: RunEnd;
  readonly isLookedAt: boolean;
  /** Whether what is left was announced; undefined: nothing is. */
  readonly announced: boolean | undefined;
}

/** The exit status, and whether the approval is kept for a teardown that goes on. */
async function ended(part: Partial<End>): Promise<readonly [number, boolean]> {
  const clean = { a: 'removed', b: 'removed', end: 'done', isLookedAt: true } as const;
  const { a, b, end, isLookedAt, announced }: End = { ...clean, announced: undefined, ...part };
  const fold = new RunFold();
  const base = { time: '', run: 'r1', ...NOTHING, cause: undefined, durations: DURATIONS };
  for (const [name, outcome] of Object.entries({ a, b }))
    fold.add({ ...base, type: 'node.finished', node: `app:${name}`, outcome });
  if (announced !== undefined)
    fold.add({ ...base, type: 'object.left', ...leftover(VOLUME, 'why', announced) });
  const store = new FakeStore(() => 0);
  const session = {
    ...{ state: fold.state, identity: { id: 'r1', platform: 'shop', plan: '' } },
    keepText: (text: Parameters<typeof store.api.put>[0]) => store.api.put(text, () => true),
    forgetText: async (name: string) => void (await store.api.remove(name)),
  };
  await keepApproval(session, inventoryOf());
  const status = await teardownStatus(session, PLAN, end, isLookedAt);
  return [status, (await storedApproval(store.api, 'shop')) !== undefined];
}

test.each<[string, Partial<End>, number, boolean]>([
  ['nothing is left', {}, EXIT.ok, false],
  ['what is left was announced', { announced: true }, EXIT.ok, false],
  ['something else is left', { announced: false }, EXIT.partial, true],
  ['what is left could not be looked at', { isLookedAt: false }, EXIT.partial, true],
  ['an Application did not go', { a: 'failed' }, EXIT.partial, true],
  ['none went', { a: 'skipped', b: 'failed' }, EXIT.partial, true],
  ['it was interrupted', { end: 'interrupted' }, EXIT.partial, true],
  ['its time was up', { end: 'time-up' }, EXIT.timeout, true],
  [
    'its time was up, and something is left',
    { end: 'time-up', announced: false },
    EXIT.timeout,
    true,
  ],
])('where %s', async (_, part, status, isKept) => {
  expect(await ended(part)).toEqual([status, isKept]);
});
