// Whether what the cluster has now is what somebody approved: by the hash of its inventory, or by its text.
import { TiphysError } from '../../errors.ts';
import { differences, unapproved } from '../../inventory/difference.ts';
import type { Inventory } from '../../inventory/inventory.ts';
import type { StoreReads } from '../../ports/record-store.ts';
import { storedApproval } from './stored-inventory.ts';

/** What was approved: its hash, and its text where that was kept. */
export interface Expected {
  readonly hash: string;
  readonly inventory: Inventory | undefined;
}

/** The inventory that is carried out. Throws where the cluster is another one than was approved. */
export async function approvedBy(
  expected: Expected,
  now: Inventory,
  store: StoreReads,
): Promise<Inventory> {
  if (expected.hash === now.hash) return unrefused(now);
  const stored = await storedApproval(store, now.platform);
  if (stored?.hash === expected.hash) {
    const news = unapproved(stored, now);
    if (news.length === 0) return stored;
    throw differs(now, news);
  }
  const { inventory } = expected;
  throw differs(now, inventory ? differences(inventory, now) : []);
}

/** Whether a teardown of this very approval has begun and may not have come to its end. */
export async function isUnderWay(
  expected: Expected | undefined,
  { platform }: Inventory,
  store: StoreReads,
): Promise<boolean> {
  const stored = expected && (await storedApproval(store, platform));
  return stored !== undefined && stored.hash === expected?.hash;
}

/** Throws where a teardown must not begin. */
export function unrefused(inventory: Inventory): Inventory {
  const { refusals } = inventory;
  if (refusals.length === 0) return inventory;
  throw new TiphysError(
    refusals.map(({ message, hint }) => ({ code: 'teardown-refused', message, hint })),
  );
}

function differs({ hash }: Inventory, news: readonly string[]): TiphysError {
  const why = news.length > 0 ? ':' : '; what has changed is told where --expect is a file';
  return new TiphysError([
    {
      code: 'teardown-differs',
      message: `The cluster is not as it was approved${why}`,
      details: news,
      hint: `Nothing was deleted. Look at it again with \`tiphys plan teardown --inventory\` and the same options; its inventory is ${hash} now.`,
    },
  ]);
}
