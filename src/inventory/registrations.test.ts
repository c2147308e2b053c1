import { expect, test } from 'vitest';
import { application, managedObject as object } from '../../test/fakes/application.ts';
import { planOf } from '../../test/fakes/run-world.ts';
import type { ManagedObject } from '../ports/application-view.ts';
import { type Found, placeWithout } from './fate.ts';
import { earlyRegistrations } from './registrations.ts';

const found = (name: string, remoteCluster?: string, ...objects: ManagedObject[]): Found => ({
  ...{ id: `app:${name}`, instance: name, problem: undefined, deleteOption: undefined },
  view: application({ name, uid: `uid-${name}`, remoteCluster }),
  ...{ place: placeWithout(remoteCluster), objects },
});
const secret = (changes: Partial<ManagedObject> = {}) =>
  object('Secret', 'spoke', { namespace: 'argocd', registersCluster: true, ...changes });
const SPOKE = 'https://spoke:6443';

/** In the plan of a teardown a node waits for what depends on it: `first` goes at first. */
const PLAN = planOf('first:', 'second: first', 'third: second');
const findings = (...all: Found[]) => earlyRegistrations(PLAN, all, 'argocd', []);

test('what deploys to another cluster goes before the Secret of a cluster', () => {
  expect(findings(found('third', undefined, secret()), found('first', SPOKE))).toEqual([]);
  const early = findings(found('second', undefined, secret()), found('third', SPOKE));
  expect(early).toMatchObject([{ code: 'registration-early', node: 'app:second' }]);
  expect(early[0]?.message).toContain(
    '"second" has Secret argocd/spoke, which registers a cluster in Argo CD, and the plan does not delete "third" before it: if that cluster is https://spoke:6443,',
  );
});

test('all of them, and each cluster', () => {
  const all = [found('first', SPOKE), found('third', SPOKE)];
  expect(findings(found('second', undefined, secret()), ...all)).toHaveLength(1);
  const other = found('third', 'https://other:6443');
  expect(
    findings(found('second', undefined, secret()), found('first', SPOKE), other),
  ).toMatchObject([{ message: expect.stringContaining('https://other:6443') }]);
});

test('what is outside of the scope is not deleted before it', () => {
  const outside = [found('shop', SPOKE).view, found('local').view];
  const early = (...all: Found[]) => earlyRegistrations(PLAN, all, 'argocd', outside);
  const holder = found('third', undefined, secret());
  const refused = early(holder);
  expect(refused).toMatchObject([{ code: 'registration-early', node: 'app:third' }]);
  expect(refused[0]?.message).toContain(
    'does not delete "shop" before it: if that cluster is https://spoke',
  );
  expect(refused[0]?.hint).toMatch(/^Tear down "shop" first, or give the Secret/);
  expect(early(holder, found('first', SPOKE))).toMatchObject([
    { message: expect.stringContaining('does not delete "shop" before it') },
  ]);
  expect(early(found('first'))).toEqual([]);
});

test('one of several Secrets is enough: which cluster is whose is not shown', () => {
  const [early, late] = [found('first', undefined, secret()), found('third', undefined, secret())];
  expect(findings(early, found('second', SPOKE), late)).toEqual([]);
});

test('one that deploys to another cluster by its own Secret cannot go after itself', () => {
  expect(findings(found('third', SPOKE, secret()))).toHaveLength(1);
});

test.each([
  ['is no such Secret', { registersCluster: false }],
  ['is in another namespace', { namespace: 'data' }],
  ['stays', { syncOptions: ['Delete=false'] }],
])('no matter where it %s', (_, changes) => {
  expect(findings(found('second', undefined, secret(changes)), found('third', SPOKE))).toEqual([]);
});

test('no matter where everything is in one cluster', () => {
  expect(findings(found('second', undefined, secret()), found('third'))).toEqual([]);
});
