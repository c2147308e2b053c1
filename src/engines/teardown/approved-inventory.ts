// Whether the cluster still matches the approved inventory: by its hash, or by its text.
import { TiphysError } from '../../errors.ts';
import { differences, unapproved } from '../../inventory/difference.ts';
import type { Inventory } from '../../inventory/inventory.ts';
import type { StoreReads } from '../../ports/record-store.ts';
import { storedApproval } from './stored-inventory.ts';

/** What was approved: its hash, and its text if that was kept. */
export interface Expected {
  readonly hash: string;
  readonly inventory: Inventory | undefined;
}

/** The inventory to carry out. Throws if the cluster differs from what was approved. */
export async function approvedBy(
  expected: Expected,
  now: Inventory,
  store: StoreReads,
): Promise<Inventory> {
  if (expected.hash === now.hash) return unrefused(now);
  if (expected.hash === now.plan) throw ofPlan(now);
  const stored = await storedApproval(store, now.platform);
  if (stored?.hash === expected.hash) {
    const news = unapproved(stored, now);
    if (news.length === 0) return stored;
    throw differs(now, news);
  }
  const { inventory } = expected;
  throw differs(now, inventory ? differences(inventory, now) : []);
}

/** Whether a teardown with this approval has started and may not have finished. */
export async function isUnderWay(
  expected: Expected | undefined,
  { platform }: Inventory,
  store: StoreReads,
): Promise<boolean> {
  const stored = expected && (await storedApproval(store, platform));
  return stored !== undefined && stored.hash === expected?.hash;
}

/** Throws if a teardown must not start. */
export function unrefused(inventory: Inventory): Inventory {
  const { refusals } = inventory;
  if (refusals.length === 0) return inventory;
  throw new TiphysError(
    refusals.map(({ message, hint }) => ({ code: 'teardown-refused', message, hint })),
  );
}

function ofPlan({ hash }: Inventory): TiphysError {
  const message = 'The approved hash is that of the plan, not of the inventory.';
  const hint = `Nothing was deleted. Review the inventory with \`tiphys plan teardown --inventory\`; its hash is now ${hash}.`;
  return new TiphysError([{ code: 'teardown-differs', message, hint }]);
}

function differs({ hash }: Inventory, news: readonly string[]): TiphysError {
  const why = news.length > 0 ? ':' : '; pass a file to --expect to see what changed.';
  return new TiphysError([
    {
      code: 'teardown-differs',
      message: `The cluster has changed since the approval${why}`,
      details: news,
      hint: `Nothing was deleted. Review it again with \`tiphys plan teardown --inventory\` and the same options; its inventory is now ${hash}.`,
    },
  ]);
}
