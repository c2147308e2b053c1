import { expect, test } from 'vitest';
import { predictedObjects } from './predicted.ts';

const NAMED = { group: '', kind: 'ConfigMap', namespace: 'n', name: 'c' };
const text = (x: string) => JSON.stringify({ kind: 'ConfigMap', data: { x } });
const both = { liveState: text('live'), targetState: text('target') };
const one = (item: object) => predictedObjects({ items: [{ ...NAMED, ...item }] })[0];

test('the states are those of the comparison', () => {
  const compared = { normalizedLiveState: text('before'), predictedLiveState: text('after') };
  expect(one({ ...both, ...compared })).toEqual({
    ...NAMED,
    live: { kind: 'ConfigMap', data: { x: 'before' } },
    predicted: { kind: 'ConfigMap', data: { x: 'after' } },
  });
});

test('whether something exists is said by the plain states', () => {
  const compared = { normalizedLiveState: text('before'), predictedLiveState: text('after') };
  expect(one({ ...compared, liveState: 'null', targetState: text('x') })?.live).toBeUndefined();
  expect(one({ ...compared, liveState: text('x') })?.predicted).toBeUndefined();
});

test('where a comparison left nothing the plain states count', () => {
  const none = { normalizedLiveState: 'null', predictedLiveState: '' };
  expect(one({ ...both, ...none })).toMatchObject({
    live: { data: { x: 'live' } },
    predicted: { data: { x: 'target' } },
  });
});

test('hooks are left out, and another form is an error', () => {
  expect(one({ ...both, hook: true })).toBeUndefined();
  expect(predictedObjects({})).toEqual([]);
  expect(() => one({ liveState: '{' })).toThrow();
});
