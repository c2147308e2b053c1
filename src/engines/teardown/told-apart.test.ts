import { expect, test } from 'vitest';
import { application, managedObject as object } from '../../../test/fakes/application.ts';
import { inMemory, listedObject, type Memory } from '../../../test/fakes/objects.ts';
import { type Found, placeWithout } from '../../inventory/fate.ts';
import type { ManagedObject } from '../../ports/application-view.ts';
import { toldApart } from './told-apart.ts';

const found = (remoteCluster: string | undefined, ...objects: ManagedObject[]): Found => ({
  ...{ id: 'app:a', instance: 'a', objects, problem: undefined, deleteOption: undefined },
  ...{ view: application({ name: 'a', remoteCluster }), place: placeWithout(remoteCluster) },
});

const NAMESPACE = object('Namespace', 'vault', { namespace: '', uid: 'there' });
const CLAIM = object('PersistentVolumeClaim', 'data', { namespace: 'vault', uid: 'there' });

/** Whether each is known to be in another cluster than Argo CD's own. */
async function others(memory: Partial<Memory>, ...all: Found[]) {
  const told = await toldApart(all, inMemory({ objects: [], ...memory }));
  return told.map(({ place }) => place.isOther ?? false);
}

test.each<[string, Partial<Memory>, boolean]>([
  ['another uid', { objects: [listedObject(NAMESPACE, { uid: 'here' })] }, true],
  ['nothing', {}, true],
  ['the same uid', { objects: [listedObject(NAMESPACE, { uid: 'there' })] }, false],
  ['what may not be read', { hidden: ['Namespace'] }, false],
])('a Namespace of a destination that has %s in Argo CD’s own cluster', async (_, memory, is) => {
  const all = [found('spoke', NAMESPACE), found(undefined, CLAIM), found('spoke')];
  expect(await others(memory, ...all)).toEqual([is, false, is]);
});

test('an object in a Namespace that goes in Argo CD’s own cluster tells as much', async () => {
  expect(await others({}, found(undefined, NAMESPACE), found('spoke', CLAIM))).toEqual([
    false,
    true,
  ]);
});

test('nothing is asked where it decides nothing', async () => {
  const elsewhere = { ...CLAIM, namespace: 'other' };
  expect(await others({}, found('spoke', NAMESPACE), found(undefined, elsewhere))).toEqual([
    false,
    false,
  ]);
});
