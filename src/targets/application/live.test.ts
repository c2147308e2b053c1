import { expect, test } from 'vitest';
import { liveResources } from './live.ts';

const DEPLOYMENT = { group: 'apps', kind: 'Deployment', namespace: 'n', name: 'd' };
const JOB = { group: 'batch', kind: 'Job', namespace: 'n', name: 'j' };

const one = (item: object, live: unknown) => {
  const [resource] = liveResources({ items: [{ ...item, liveState: JSON.stringify(live) }] });
  return resource;
};

test('nothing at all', () => expect(liveResources({})).toEqual([]));

test('what is not there', () => {
  expect(one(DEPLOYMENT, null)).toMatchObject({ present: false, unfinishedJob: false });
  expect(one(JOB, null)).toMatchObject({ present: false, unfinishedJob: false });
  expect(liveResources({ items: [DEPLOYMENT] })).toMatchObject([{ present: false }]);
});

test('hooks are left out', () => {
  expect(liveResources({ items: [{ ...JOB, hook: true, liveState: 'null' }] })).toEqual([]);
});

test.each([
  ['a status that keeps up', { observedGeneration: 3 }, 3],
  ['text, as some write it', { observedGeneration: '2' }, 2],
  ['a hash, which says nothing', { observedGeneration: '7f9c' }, undefined],
  ['no status', undefined, undefined],
  ['a status without a form', 'Running', undefined],
  [
    'a condition that is behind',
    { observedGeneration: 3, conditions: [{ type: 'Ready', observedGeneration: 2 }] },
    2,
  ],
  ['only a condition', { conditions: [{ type: 'Available', observedGeneration: 1 }] }, 1],
  [
    'a condition that sums nothing up',
    { observedGeneration: 3, conditions: [{ type: 'Resized', observedGeneration: 1 }] },
    3,
  ],
  ['conditions without a form', { observedGeneration: 3, conditions: 'none' }, 3],
])('observed generation: %s', (_, status, expected) => {
  const resource = one(DEPLOYMENT, { metadata: { generation: 3 }, status });
  expect(resource).toMatchObject({ present: true, generation: 3 });
  expect(resource?.observedGeneration).toBe(expected);
});

test.each([
  ['without a status', {}, true],
  [
    'that was suspended and goes on',
    { conditions: [{ type: 'Suspended', status: 'False' }] },
    true,
  ],
  ['about to fail', { conditions: [{ type: 'Failed', status: 'False' }] }, true],
  ['with a time of its end', { completionTime: '2026-11-15T06:00:00Z' }, false],
  ['complete', { conditions: [{ type: 'Complete', status: 'True' }] }, false],
  ['failed', { conditions: [{ type: 'Failed', status: 'True' }] }, false],
])('a Job %s', (_, status, unfinished) => {
  expect(one(JOB, { metadata: {}, status })?.unfinishedJob).toBe(unfinished);
});

test('what cannot be read is an error', () => {
  expect(() => liveResources({ items: [{ ...JOB, liveState: '{' }] })).toThrow();
  expect(() => liveResources({ items: [{ ...JOB, liveState: '[]' }] })).toThrow();
});
