// An inventory that was kept: as the command printed it, or as a teardown stored it. Its hash tells whether it is whole.
import { parseJson } from '../model/parse-json.ts';
import { hashOf } from '../plan/canonical.ts';
import type { Inventory } from './inventory.ts';
import { hasInventoryShape } from './inventory-shape.ts';

/** JSON: a bare one, or a plan with one in it. Undefined where it is none, or was changed since. */
export function parseInventory(text: string): Inventory | undefined {
  const found = inventoryIn(text);
  // Anybody can give the right hash to a text of any form. An older version did not say in which cluster objects are.
  if (!found || !hasInventoryShape(found)) return undefined;
  const { operations: _, hash, ...body } = found;
  return hashOf(body) === hash ? found : undefined;
}

function inventoryIn(text: string): Inventory | undefined {
  try {
    const given = parseJson(text) as Inventory & { readonly inventory?: Inventory };
    return given?.inventory ?? given;
  } catch {
    return undefined;
  }
}
