// An inventory that was kept: as the command printed it, or as a teardown stored it. Its hash tells whether it is whole.
import { hashOf } from '../plan/canonical.ts';
import type { Inventory } from './inventory.ts';

/** JSON: a bare one, or a plan with one in it. Undefined where it is none, or was changed since. */
export function parseInventory(text: string): Inventory | undefined {
  const found = inventoryIn(text);
  if (found?.kind !== 'Inventory') return undefined;
  // Whatever has the right hash was made by this program, and so has the right form, but for its age.
  const { operations: _, hash, ...body } = found;
  if (hashOf(body) !== hash) return undefined;
  // An older version did not say in which cluster objects are.
  const isKnown = found.applications.every(({ destination }) => destination !== undefined);
  return isKnown ? found : undefined;
}

function inventoryIn(text: string): Inventory | undefined {
  try {
    const given = JSON.parse(text) as Inventory & { readonly inventory?: Inventory };
    return given?.inventory ?? given;
  } catch {
    return undefined;
  }
}
