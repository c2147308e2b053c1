import { expect, test } from 'vitest';
import { application, managedObject as object } from '../../test/fakes/application.ts';
import { planOf } from '../../test/fakes/run-world.ts';
import type { ManagedObject } from '../ports/application-view.ts';
import { buildInventory, type Findings } from './build-inventory.ts';
import { placeWithout } from './fate.ts';
import { CAUTIOUS, type Volumes } from './inventory.ts';

const CLAIM = object('PersistentVolumeClaim', 'data');
const KEPT = { ...CLAIM, syncOptions: ['Delete=false'] };

function inventory(
  objects: readonly ManagedObject[],
  volumes: Volumes,
  part: Partial<Findings> = {},
) {
  const view = application({ name: 'db' });
  return buildInventory({
    ...{ plan: planOf('db:'), policy: { ...CAUTIOUS, volumes }, argocdNamespace: 'argocd' },
    found: [
      {
        ...{ id: 'app:db', view, instance: 'db', objects },
        problem: undefined,
        deleteOption: undefined,
        place: placeWithout(undefined),
      },
    ],
    ...{
      gone: [],
      makers: [],
      dependents: [],
      outside: [],
      unexpected: [],
      namespaces: [],
      outsiders: [],
    },
    ...{
      withoutSnapshots: [],
      left: [],
      clusters: [],
      untracked: undefined,
      unreadable: [],
      ...part,
    },
  });
}

const codes = (findings: readonly { readonly code: string }[]) => findings.map(({ code }) => code);

test('a snapshot is taken of each claim that goes, and of no other', () => {
  const { refusals, snapshots } = inventory([CLAIM], 'snapshot');
  expect([refusals, snapshots]).toMatchObject([[], [{ name: 'data', node: 'app:db' }]]);
  expect(inventory([CLAIM], 'delete').snapshots).toEqual([]);
  expect(inventory([KEPT], 'snapshot').snapshots).toEqual([]);
});

test('a claim that goes because of something else is refused', () => {
  const emptied = object('Namespace', 'data', { namespace: '' });
  const { refusals, snapshots } = inventory([KEPT, emptied], 'snapshot');
  expect([codes(refusals), snapshots]).toEqual([['volume-deleted'], []]);
});

test('it is refused where the cluster has no snapshots, whatever there is', () => {
  const part = { withoutSnapshots: [''] };
  expect(codes(inventory([], 'snapshot', part).refusals)).toEqual(['snapshots-missing']);
  expect(codes(inventory([], 'retain', part).refusals)).toEqual([]);
});

test('the namespace of a snapshot stays', () => {
  const namespaces = [{ cluster: '', name: 'data', uid: 'u', otherUser: undefined }];
  const why = (volumes: Volumes) => inventory([CLAIM], volumes, { namespaces }).namespaces[0]?.why;
  expect(why('snapshot')).toContain('the snapshot of PersistentVolumeClaim data/data');
  expect(why('delete')).toBeNull();
});
