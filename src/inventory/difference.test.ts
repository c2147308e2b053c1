import { expect, test } from 'vitest';
import { unapproved } from './difference.ts';
import type { Inventory, InventoryApplication } from './inventory.ts';

const object = (name: string) => ({
  ...{ group: '', kind: 'ConfigMap', namespace: 'n', name, why: null },
});
const application = (name: string, part: Partial<InventoryApplication> = {}) => ({
  ...{ id: `app:${name}`, name, namespace: 'argocd', project: 'p', uid: `uid-${name}` },
  ...{ deleting: false, deletes: [object(name)], keeps: [], finalizers: [], loadBalancers: [] },
  ...part,
});
const inventory = (part: Partial<Inventory> = {}): Inventory => ({
  ...{ apiVersion: 'tiphys.dev/v1alpha1', kind: 'Inventory', platform: 'shop', plan: 'plan' },
  ...{ volumes: 'retain', applications: [application('a'), application('b')], gone: [] },
  ...{
    unexpected: [],
    makers: [],
    namespaces: [],
    definitions: [],
    refusals: [],
    warnings: [],
    operations: [],
    hash: 'hash',
  },
  ...part,
});
const refusal = { code: 'volume-deleted', node: 'app:a', message: 'm', hint: 'h' } as const;

test('what was approved needs no other approval, nor does less of it', () => {
  expect(unapproved(inventory(), inventory())).toEqual([]);
  const less = inventory({ applications: [application('a', { deletes: [], deleting: true })] });
  expect(unapproved(inventory(), { ...less, gone: ['app:b'], hash: 'other' })).toEqual([]);
});

test.each<[string, Partial<Inventory>]>([
  ['another plan', { plan: 'other' }],
  ['another policy', { volumes: 'delete' }],
  ['one more Application', { applications: [application('c')] }],
  ['one that was made again', { applications: [application('a', { uid: 'new' })] }],
  ['one more object', { applications: [application('a', { deletes: [object('x')] })] }],
  ['a refusal', { refusals: [refusal] }],
  ['a warning', { warnings: [refusal] }],
])('%s was not approved', (_, now) => {
  expect(unapproved(inventory(), inventory(now))).toHaveLength(1);
});
