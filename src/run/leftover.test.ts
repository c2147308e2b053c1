import { expect, test } from 'vitest';
import { leftover } from './leftover.ts';

const CLAIM = { group: '', kind: 'PersistentVolumeClaim', namespace: 'n', name: 'data' };

test.each([
  ['spoke-a', 'spoke-a'],
  ['admin@spoke-b', 'admin@spoke-b'],
  ['arn:aws:eks:eu-west-1:1:cluster/c', 'arn:aws:eks:eu-west-1:1:cluster/c'],
  ['my spoke', "'my spoke'"],
  ['a; rm b', "'a; rm b'"],
  ["it's", "'it'\\''s'"],
  ['', "''"],
])('a shell reads the context %j of a command as it is', (context, word) => {
  const { command } = leftover(CLAIM, 'why', true, { cluster: 'spoke', context });
  expect(command).toBe(`kubectl --context ${word} -n n delete persistentvolumeclaim data`);
});

test('in Argo CD’s own cluster a command names no context', () => {
  const { command, cluster } = leftover({ ...CLAIM, group: 'g' }, 'why', true);
  expect([command, cluster]).toEqual([
    'kubectl -n n delete persistentvolumeclaim.g data',
    undefined,
  ]);
});
