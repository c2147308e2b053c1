import { expect, test } from 'vitest';
import { application, managedObject as object } from '../../test/fakes/application.ts';
import type { ApplicationView, ManagedObject } from '../ports/application-view.ts';
import { type Found, type FoundPlace, placeWithout } from './fate.ts';
import { takesAlong } from './takes-along.ts';

const OWN = placeWithout(undefined);
const SEEN: FoundPlace = { cluster: 'spoke', isSeen: true };
const UNSEEN = placeWithout('spoke');
const OTHER: FoundPlace = { ...UNSEEN, isOther: true };

const found = (
  objects: readonly ManagedObject[] | undefined,
  place = OWN,
  view: Partial<ApplicationView> = {},
): Found => ({
  ...{ id: 'app:a', instance: 'a', objects, problem: undefined, deleteOption: undefined, place },
  view: application({ name: 'a', uid: 'uid-a', ...view }),
});

const ARGO = { group: 'argoproj.io', namespace: 'argocd' };
const child = object('Application', 'a', { ...ARGO, uid: 'uid-a' });
const set = object('ApplicationSet', 'infra', ARGO);
const namespace = object('Namespace', 'vault', { namespace: '' });
const claim = object('PersistentVolumeClaim', 'data', { namespace: 'vault' });
const MADE = { applicationSet: 'infra' };

test.each<[string, Found, Found]>([
  ['an Application', found([child]), found([])],
  ['an Application, by a name of the cluster that nobody knows', found([child], UNSEEN), found([])],
  ['an ApplicationSet', found([set]), found([], OWN, MADE)],
  ['an ApplicationSet in a cluster that nobody knows', found([set], UNSEEN), found([], OWN, MADE)],
  ['a Namespace', found([namespace]), found([claim])],
  ['a Namespace of another cluster', found([namespace], SEEN), found([claim], SEEN)],
  ['a Namespace of a cluster that nobody knows', found([namespace], UNSEEN), found([claim])],
  ['the Namespace of the Application', found([namespace]), found([], OWN, { namespace: 'vault' })],
  [
    'a Namespace, where only the status says what is in it',
    found([namespace]),
    found(undefined, OWN, {
      resources: [{ ...claim, status: 'Synced', health: undefined, requiresPruning: false }],
    }),
  ],
  ['a Namespace with a hook', found([namespace]), found([], OWN, { hooks: [claim] })],
])('%s takes along one that stays', (_, one, other) => {
  expect(takesAlong(one, [other])).toContain('which stays');
});

test.each<[string, Found, Found]>([
  ['another Application', found([{ ...child, uid: 'other' }]), found([])],
  ['an Application that is kept', found([{ ...child, syncOptions: ['Delete=false'] }]), found([])],
  ['an ApplicationSet of others', found([set]), found([])],
  ['one of another namespace', found([{ ...set, namespace: 'x' }]), found([], OWN, MADE)],
  ['an ApplicationSet of another cluster', found([set], SEEN), found([], OWN, MADE)],
  ['a Namespace with nothing of it', found([namespace]), found([{ ...claim, namespace: 'x' }])],
  ['a Namespace of another cluster', found([namespace], SEEN), found([claim])],
  ['a Namespace of a cluster that is not this one', found([namespace], OTHER), found([claim])],
  ['a ConfigMap', found([object('ConfigMap', 'vault', { namespace: '' })]), found([claim])],
])('%s does not', (_, one, other) => {
  expect(takesAlong(one, [other])).toBeUndefined();
});
