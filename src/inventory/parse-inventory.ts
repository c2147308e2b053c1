// A stored inventory: as printed by the command, or as stored by a teardown. Its hash shows whether it is complete.
import { parseJson } from '../model/parse-json.ts';
import { hashOf } from '../plan/canonical.ts';
import type { Inventory } from './inventory.ts';
import { hasInventoryShape } from './inventory-shape.ts';

/** JSON: an inventory, or a plan that contains one. Undefined if it is not one, or was changed since. */
export function parseInventory(text: string): Inventory | undefined {
  const found = inventoryIn(text);
  // Anyone can give the right hash to any text. An older version did not name the cluster of objects.
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
