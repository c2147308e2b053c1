// What is kept of an object, and what never is.
import { expect, test } from 'vitest';
import { readObject } from './read-object.ts';

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

test('a Secret is kept without its data, wherever they stand', () => {
  const secret = {
    ...{ apiVersion: 'v1', kind: 'Secret', type: 'Opaque', immutable: true },
    metadata: {
      ...{ name: 'a', annotations: { a: 'b', [LAST_APPLIED]: '{"data":{"p":"aHVudGVy"}}' } },
      managedFields: [{ manager: 'x' }],
    },
    data: { p: 'aHVudGVy' },
    stringData: { p: 'hunter' },
  };
  const kept = readObject(secret);
  expect(kept).toEqual({
    ...{ apiVersion: 'v1', kind: 'Secret', type: 'Opaque', immutable: true },
    metadata: { name: 'a', annotations: { a: 'b' } },
  });
  const carrier = { kind: 'Object', metadata: {}, spec: { list: [{ manifest: secret }] } };
  const text = JSON.stringify(readObject(carrier));
  expect(text).not.toMatch(/hunter|aHVudGVy/);
  expect(text).toContain('"immutable":true');
});

test('other kinds keep their data, and lose status and what kubectl wrote', () => {
  const map = {
    ...{ apiVersion: 'v1', kind: 'ConfigMap', data: { a: '1' }, status: { x: 1 } },
    metadata: { name: 'a', annotations: { [LAST_APPLIED]: '{}' } },
  };
  expect(readObject(map)).toEqual({
    ...{ apiVersion: 'v1', kind: 'ConfigMap', data: { a: '1' } },
    metadata: { name: 'a', annotations: {} },
  });
});

test('a definition is kept without its schemas', () => {
  const version = { name: 'v1', served: true };
  const definition = {
    ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
    metadata: { name: 'a.b' },
    spec: { group: 'b', versions: [{ ...version, schema: { openAPIV3Schema: {} } }, 7] },
  };
  expect(readObject(definition)).toMatchObject({ spec: { group: 'b', versions: [version, 7] } });
  expect(JSON.stringify(readObject(definition))).not.toContain('openAPIV3Schema');
});

test.each([null, 7, 'x', [], {}, { kind: 7 }])('%j is no object', (given) => {
  expect(readObject(given)).toBeUndefined();
});

test('metadata and versions of any form do no harm', () => {
  expect(readObject({ kind: 'A', metadata: 'x', apiVersion: 7 })).toEqual({
    ...{ kind: 'A', metadata: {} },
  });
});
