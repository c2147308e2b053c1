import { expect, test } from 'vitest';
import {
  foundApplication as application,
  inventoryOf as inventory,
  deletedObject as object,
} from '../../test/fakes/inventory.ts';
import { differences, unapproved } from './difference.ts';
import type { Inventory, Maker } from './inventory.ts';
import { parseInventory } from './parse-inventory.ts';

const MAKER: Maker = {
  ...{ kind: 'ApplicationSet', name: 's', namespace: 'argocd', uid: 's', makes: ['a'] },
};
const refusal = { code: 'volume-deleted', node: 'app:a', message: 'm', hint: 'h' } as const;

test('what was approved needs no other approval, nor does less of it', () => {
  expect(unapproved(inventory(), inventory())).toEqual([]);
  const less = inventory({ applications: [application('a', { deletes: [], deleting: true })] });
  expect(unapproved(inventory(), { ...less, gone: ['app:b'] })).toEqual([]);
});

test('of what is on its way out nothing more is asked', () => {
  const going = application('a', { deleting: true, deletes: [object('a'), object('hook')] });
  const now = inventory({ applications: [going], warnings: [refusal] });
  expect(unapproved(inventory(), now)).toEqual([]);
  const other = { ...going, deleting: false };
  expect(unapproved(inventory(), { ...now, applications: [other] })).toHaveLength(2);
});

test('an inventory that does not say in which cluster objects are is none', () => {
  expect(parseInventory(JSON.stringify(inventory()))).toEqual(inventory());
  const { destination: _, ...older } = application('a');
  const old = inventory({ applications: [older as typeof older & { destination: null }] });
  expect(parseInventory(JSON.stringify(old))).toBeUndefined();
});

const made = { name: 'n', uid: 'u', why: null };

test('what differs is told in both directions', () => {
  const before = inventory({ namespaces: [{ ...made, why: 'something stays in it' }] });
  const now = inventory({
    applications: [application('a', { deletes: [object('x')] })],
    namespaces: [made],
    definitions: [{ ...object('d'), uid: 'd', node: 'app:a', defines: { group: '', kind: 'D' } }],
  });
  expect(differences(before, now)).toEqual([
    'a would delete ConfigMap n/x, too',
    'Namespace n would be deleted, too',
    'ConfigMap n/d would be deleted, too',
    'a would no longer delete ConfigMap n/a',
    'Application b is gone',
  ]);
  const changed = inventory({ gone: ['app:c'] });
  expect(differences(inventory(), changed)).toHaveLength(1);
});

test.each<[string, Partial<Inventory>]>([
  ['another plan', { plan: 'other' }],
  ['another policy', { volumes: 'delete' }],
  ['one more Application', { applications: [application('c')] }],
  ['one that was made again', { applications: [application('a', { uid: 'new' })] }],
  ['one that deploys elsewhere', { applications: [application('a', { destination: 'prod' })] }],
  ['one more object', { applications: [application('a', { deletes: [object('x')] })] }],
  ['a refusal', { refusals: [refusal] }],
  ['a warning', { warnings: [refusal] }],
  ['one that makes again', { makers: [MAKER] }],
])('%s was not approved', (_, now) => {
  expect(unapproved(inventory(), inventory(now))).toHaveLength(1);
});

test('a cluster that was not approved is told of', () => {
  const reached = { cluster: 'spoke', context: 'c', uid: 'u' };
  const there = (cluster?: string) => [
    application('a', { destination: 'spoke', ...(cluster === undefined ? {} : { cluster }) }),
  ];
  const approved = inventory({ applications: there('spoke'), clusters: [reached] });
  expect(unapproved(approved, approved)).toEqual([]);
  // A warning tells of one that is no longer checked.
  expect(unapproved(approved, inventory({ applications: there() }))).toEqual([]);
  const other = { ...reached, uid: 'other' };
  expect(unapproved(approved, { ...approved, clusters: [other] })).toEqual([
    'a would be cleaned up in a cluster that was not approved',
    'the context c reaches a cluster that was not approved as spoke',
  ]);
  expect(unapproved(approved, { ...approved, applications: there('') })).toEqual([
    'a would be cleaned up in a cluster that was not approved',
  ]);
});

test('a cluster that is called by another of its names was approved', () => {
  const named = (cluster: string, uid = 'u') =>
    inventory({
      applications: [application('a', { destination: 'spoke', cluster })],
      clusters: [{ cluster, context: 'c', uid }],
    });
  expect(unapproved(named('https://spoke'), named('spoke'))).toEqual([]);
  expect(unapproved(named('spoke', 'other'), named('spoke'))).toHaveLength(2);
  const own = inventory({
    applications: [application('a', { destination: 'spoke', cluster: '' })],
  });
  expect(unapproved(own, own)).toEqual([]);
  expect(unapproved(own, { ...named('spoke'), clusters: [] })).toHaveLength(1);
  const unseen = inventory({ applications: [application('a', { destination: 'spoke' })] });
  expect(unapproved(unseen, own)).toHaveLength(1);
  expect(unapproved(unseen, { ...named('spoke'), clusters: [] })).toHaveLength(1);
});
