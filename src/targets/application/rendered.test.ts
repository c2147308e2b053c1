// Objects out of what Argo CD answers.
import { expect, test } from 'vitest';
import { renderedObjects, wantedObjects } from './rendered.ts';

const object = (name: string, more = {}) =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, ...more });
const item = (targetState: string, liveState: string, hook = false) => ({
  ...{ kind: 'ConfigMap', name: 'a', targetState, liveState, hook },
});
const names = (given: unknown) => wantedObjects(given).map(({ metadata }) => metadata.name);

test('what is wanted counts, not what is live', () => {
  const items = [item(object('wanted'), object('live')), item('null', object('extra'))];
  expect(names({ items })).toEqual(['wanted']);
});

test('hooks are only live', () => {
  const items = [item(object('wanted'), 'null'), item('', object('hook'), true)];
  expect(names({ items })).toEqual(['wanted', 'hook']);
});

test('where Argo CD cannot render, what is live is known', () => {
  expect(names({ items: [item('null', object('live')), item('', '')] })).toEqual(['live']);
});

test('nothing is an answer, too', () => {
  expect([names({}), names({ items: null }), renderedObjects({})]).toEqual([[], [], []]);
});

test('manifests come as JSON in text', () => {
  const manifests = [object('a'), 'null', object('b', { status: {} })];
  expect(renderedObjects({ manifests }).map(({ metadata }) => metadata.name)).toEqual(['a', 'b']);
});

test.each([
  { items: [item('{', '')] },
  { items: [{ targetState: 7 }] },
  { items: [item('['.repeat(1000), '')] },
])('%j is not what Argo CD answers', (given) => {
  expect(() => wantedObjects(given)).toThrow();
});
