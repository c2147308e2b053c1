import { expect, test } from 'vitest';
import { application, resource } from '../../test/fakes/application.ts';
import type { PlanNode } from '../plan/plan.ts';
import type { ApplicationView } from '../ports/application-view.ts';
import type { PredictedObject } from '../ports/predicted-object.ts';
import { diffStatus, objectDiffs } from './platform-diff.ts';

const [MEMBER, PARENT] = [{ kind: 'application' }, { kind: 'open' }] as PlanNode[] as [
  PlanNode,
  PlanNode,
];
const STATE = { kind: 'ConfigMap', metadata: { name: 'a' } };
const NAMED = { group: '', kind: 'ConfigMap', namespace: 'n', name: 'a' };
const object = (part: Partial<PredictedObject> = {}): PredictedObject => ({
  ...NAMED,
  ...{ live: STATE, predicted: STATE },
  ...part,
});
const view = (status: string, part: Partial<ApplicationView> = {}, more: object = {}) =>
  application({ resources: [resource({ ...NAMED, status, ...more })], ...part });
const GOING = { requiresPruning: true };
const PRUNES = { automated: { prune: true, selfHeal: true } };
const gone = (part: Partial<PredictedObject> = {}) => object({ predicted: undefined, ...part });

test.each([
  ['Synced', []],
  ['', []],
  ['OutOfSync', ['changed']],
  ['Unknown', ['changed']],
])('an object that Argo CD calls %j', (status, changes) => {
  const found = objectDiffs(MEMBER, view(status), [object()]);
  expect(found.map(({ change }) => change)).toEqual(changes);
});

test('an object that the Application does not list is none of its differences', () => {
  expect(objectDiffs(MEMBER, view('OutOfSync'), [object({ name: 'b' })])).toEqual([]);
});

test('what does not exist is added', () => {
  const found = objectDiffs(MEMBER, view('OutOfSync'), [object({ live: undefined })]);
  expect(found).toMatchObject([{ change: 'added', reason: null }]);
});

test('what Git does not have is pruned only where a deployment prunes it', () => {
  const pruned = view('OutOfSync', PRUNES, GOING);
  expect(objectDiffs(MEMBER, pruned, [gone()])).toMatchObject([{ change: 'pruned' }]);
  expect(objectDiffs(MEMBER, view('OutOfSync', {}, GOING), [gone()])).toMatchObject([
    { change: 'kept', reason: expect.stringContaining('automated.prune') },
  ]);
  const annotations = { 'argocd.argoproj.io/sync-options': 'Replace=true, Prune=false' };
  const option = gone({ live: { ...STATE, metadata: { annotations } } });
  expect(objectDiffs(MEMBER, pruned, [option])).toMatchObject([
    { change: 'kept', reason: expect.stringContaining('Prune=false') },
  ]);
  const odd = gone({ live: { ...STATE, metadata: { annotations: 'x' } } });
  expect(objectDiffs(MEMBER, pruned, [odd])).toMatchObject([{ change: 'pruned' }]);
});

test.each(['Application', 'ApplicationSet'])('a parent prunes no %s', (kind) => {
  const child = { group: 'argoproj.io', kind, namespace: 'argocd', name: 'web' };
  const parent = application({
    ...PRUNES,
    resources: [resource({ ...child, status: 'OutOfSync', requiresPruning: true })],
  });
  expect(objectDiffs(PARENT, parent, [gone(child)])).toMatchObject([
    { change: 'kept', reason: expect.stringContaining('tiphys teardown --scope') },
  ]);
  expect(objectDiffs(MEMBER, parent, [gone(child)])).toMatchObject([{ change: 'pruned' }]);
});

test('what is unknown counts for more than what differs', () => {
  const of = (...states: ('same' | 'different' | 'missing' | 'unknown')[]) =>
    diffStatus(states.map((state) => ({ state })));
  expect(of()).toBe(0);
  expect(of('same', 'same')).toBe(0);
  expect(of('same', 'different')).toBe(2);
  expect(of('missing', 'same')).toBe(2);
  expect(of('different', 'unknown', 'missing')).toBe(1);
});
