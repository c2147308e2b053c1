import { expect, test } from 'vitest';
import { culprit } from './culprit.ts';

const node = (kind: string, uid: string, parent?: string, health?: string, more: object = {}) => ({
  kind,
  uid,
  name: uid,
  namespace: 'n',
  parentRefs: parent ? [{ uid: parent, kind: 'x' }] : undefined,
  health: health && { status: health },
  ...more,
});

test('nothing, where all is well or nothing is there', () => {
  expect(culprit({})).toBeUndefined();
  expect(
    culprit({ nodes: [node('Pod', 'p', undefined, 'Healthy'), node('Secret', 's')] }),
  ).toBeUndefined();
});

test('the pod, not the Deployment that waits for it', () => {
  const info = [
    { name: 'Status Reason', value: 'ImagePullBackOff' },
    { name: 'Containers', value: '0/1' },
    { name: 'Node', value: 'x' },
  ];
  const nodes = [
    node('Deployment', 'd', undefined, 'Progressing', { group: 'apps' }),
    node('ReplicaSet', 'r', 'd', 'Progressing', { group: 'apps' }),
    node('Pod', 'p', 'r', 'Progressing', { info }),
  ];
  expect(culprit({ nodes })).toEqual({
    resource: 'Pod n/p',
    message: 'Progressing: ImagePullBackOff, 0/1 containers ready',
  });
});

test('the worst before the deepest', () => {
  const failed = {
    health: { status: 'Degraded', message: 'BackoffLimitExceeded' },
    group: 'batch',
  };
  const nodes = [node('Pod', 'p', 'd', 'Progressing'), { ...node('Job', 'j'), ...failed }];
  expect(culprit({ nodes })).toEqual({
    resource: 'batch/Job n/j',
    message: 'Degraded: BackoffLimitExceeded',
  });
});

test('parents in a circle do not matter', () => {
  const nodes = [node('A', 'a', 'b', 'Degraded'), node('B', 'b', 'a')];
  expect(culprit({ nodes })?.resource).toBe('A n/a');
});
