import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { guardOf } from './guard.ts';

const GUARD = {
  labels: { 'tiphys.dev/guard': 'true' },
  annotations: {
    'guard.tiphys.dev/platform': 'shop',
    'guard.tiphys.dev/break-glass': 'alice bob@example.com',
  },
};

test('an AppProject is guarded by a label, and names who may sync', () => {
  const guard = { breakGlass: ['alice', 'bob@example.com'] };
  expect(guardOf('shop', guard)).toEqual({ wanted: true, metadata: GUARD });
});

test('the policy reads these keys', () => {
  const policy = readFileSync('workflows/guard.yaml', 'utf8');
  const keys = [...Object.keys(GUARD.labels), ...Object.keys(GUARD.annotations)];
  for (const key of keys) expect(policy).toContain(`'${key}'`);
});

test('without the key of the file all of it is removed', () => {
  const { wanted, metadata } = guardOf('shop', undefined);
  expect(wanted).toBe(false);
  const values = Object.values(metadata).flatMap((part) => Object.values(part));
  expect(values).toEqual([null, null, null]);
});
