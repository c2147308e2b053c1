// Inventories by hand.
import type { Inventory, InventoryApplication } from '../../src/inventory/inventory.ts';
import { hashOf } from '../../src/plan/canonical.ts';

export const deletedObject = (name: string) => ({
  ...{ group: '', kind: 'ConfigMap', namespace: 'n', name, why: null },
});

export const foundApplication = (
  name: string,
  part: Partial<InventoryApplication> = {},
): InventoryApplication => ({
  ...{ id: `app:${name}`, name, namespace: 'argocd', project: 'p', uid: `uid-${name}` },
  destination: null,
  ...{ deleting: false, deletes: [deletedObject(name)], keeps: [], finalizers: [] },
  ...{ loadBalancers: [], ...part },
});

export function inventoryOf(part: Partial<Inventory> = {}): Inventory {
  const { operations = [], hash: _, ...given } = part;
  const body: Omit<Inventory, 'operations' | 'hash'> = {
    ...{ apiVersion: 'tiphys.dev/v1alpha1', kind: 'Inventory', platform: 'shop', plan: 'plan' },
    ...{ volumes: 'retain', applications: ['a', 'b'].map((name) => foundApplication(name)) },
    ...{ gone: [], unexpected: [], makers: [], namespaces: [], definitions: [], snapshots: [] },
    ...{ refusals: [], warnings: [], ...given },
  };
  return { ...body, operations, hash: hashOf(body) };
}
