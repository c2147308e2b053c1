import { expect, test } from 'vitest';
import { application, managedObject as object } from '../../test/fakes/application.ts';
import { planOf } from '../../test/fakes/run-world.ts';
import type { ApplicationView, ManagedObject } from '../ports/application-view.ts';
import { buildInventory } from './build-inventory.ts';
import { placeWithout } from './fate.ts';
import { CAUTIOUS } from './inventory.ts';

/** Of one Application, with these objects. */
function inventory(
  objects: readonly ManagedObject[],
  { deleteOption, ...view }: Partial<ApplicationView> & { readonly deleteOption?: string } = {},
) {
  const finalizers = ['resources-finalizer.argocd.argoproj.io'];
  const known = { id: 'app:db', view: application({ name: 'db', finalizers, ...view }) };
  const { applications, warnings } = buildInventory({
    ...{
      plan: planOf('db:'),
      policy: { ...CAUTIOUS, volumes: 'delete' },
      argocdNamespace: 'argocd',
    },
    found: [
      {
        ...known,
        instance: 'db',
        objects,
        problem: undefined,
        deleteOption,
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
    ...{ withoutSnapshots: [], left: [], clusters: [], untracked: undefined, unreadable: [] },
  });
  const [{ deletes, keeps } = { deletes: [], keeps: [] }] = applications;
  return { deletes, keeps, warnings };
}

test('what goes has a uid where its name alone is not enough, and so has what stays', () => {
  const kept = object('ConfigMap', 'kept', { syncOptions: ['Delete=false'] });
  const claim = object('PersistentVolumeClaim', 'data');
  const { deletes, keeps } = inventory([object('ConfigMap', 'a'), claim, kept]);
  expect(deletes).toEqual([
    { group: '', kind: 'ConfigMap', namespace: 'data', name: 'a', why: null },
    {
      ...{ group: '', kind: 'PersistentVolumeClaim', namespace: 'data', name: 'data' },
      ...{ why: null, uid: 'uid-data' },
    },
  ]);
  expect(keeps).toMatchObject([{ name: 'kept', uid: 'uid-kept' }]);
});

test('what the Application says about deletion counts for what says nothing itself', () => {
  const hook = { group: 'batch', kind: 'Job', namespace: 'data', name: 'migrate' };
  const objects = [
    object('ConfigMap', 'silent'),
    object('ConfigMap', 'goes', { syncOptions: ['Delete=true'] }),
  ];
  const { deletes, keeps } = inventory(objects, { hooks: [hook], deleteOption: 'false' });
  expect(deletes.map(({ name }) => name)).toEqual(['goes']);
  expect(keeps.map(({ name }) => name)).toEqual(['silent', 'migrate']);
  expect(inventory(objects, { deleteOption: 'confirm' }).warnings).toMatchObject([
    { code: 'deletion-unconfirmed', message: expect.stringContaining('silent') },
  ]);
});
