// Who creates whom.
import { expect, test } from 'vitest';
import { type Child, findParents, type SetOwner } from './find-parents.ts';
import type { ApplicationMaterial, ListedResource } from './material.ts';

const argo = (kind: string, name: string): ListedResource => ({
  ...{ group: 'argoproj.io', kind, namespace: 'argocd', name },
});
const child = (
  name: string,
  { lists = [], by, set }: { lists?: readonly ListedResource[]; by?: string; set?: string } = {},
): Child => ({
  material: {
    ...{ name, resources: lists },
    ...(set ? { applicationSet: set } : {}),
  } as unknown as ApplicationMaterial,
  trackedBy: by,
});
const parentsOf = (children: readonly Child[], sets: readonly SetOwner[] = []) =>
  Object.fromEntries(findParents(children, sets).parents);

test('by the tracking id, and by what the parent lists', () => {
  const root = child('root', { lists: [argo('Application', 'listed')] });
  const all = [root, child('listed'), child('tracked', { by: 'root' })];
  expect(parentsOf(all)).toEqual({ listed: 'root', tracked: 'root' });
});

test('a label that names nobody, or itself, counts for nothing', () => {
  expect(parentsOf([child('a', { by: 'helm-release' }), child('b', { by: 'b' })])).toEqual({});
});

test('whoever lists it counts before a tracker that does not', () => {
  const root = child('root', { lists: [argo('Application', 'a')] });
  const all = [root, child('other'), child('a', { by: 'other' })];
  expect(parentsOf(all)).toEqual({ a: 'root' });
});

test('a generated one belongs to the Application that has its set', () => {
  const root = child('root', { lists: [argo('ApplicationSet', 'listed')] });
  const all = [root, child('a', { set: 'listed' }), child('b', { set: 'tracked' })];
  const sets = [{ name: 'tracked', trackedBy: 'root' }];
  expect(parentsOf(all, sets)).toEqual({ a: 'root', b: 'root' });
  expect(parentsOf([child('a', { set: 'nobodys' })])).toEqual({});
});

test('a circle is broken at the same place, whatever the order', () => {
  const all = [
    child('b', { lists: [argo('Application', 'c')] }),
    child('c', { lists: [argo('Application', 'a')] }),
    child('a', { lists: [argo('Application', 'b'), argo('Application', 'a')] }),
    child('below', { by: 'c' }),
  ];
  for (const children of [all, all.toReversed()]) {
    const { parents, problems } = findParents(children, []);
    expect(Object.fromEntries(parents)).toEqual({ b: 'a', c: 'b', below: 'c' });
    expect(problems).toEqual([
      { subject: 'a', message: expect.stringContaining('in a circle: a, b, c') },
    ]);
  }
});
