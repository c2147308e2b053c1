// The record of a cluster's name when it cannot be written: another run was quicker, or a permission is missing.
import { expect, test } from 'vitest';
import type { StoredText } from '../ports/record-store.ts';
import type { WriteResult } from '../ports/write-result.ts';
import { recordClusterName } from './cluster-name.ts';

const REFUSED: WriteResult = { kind: 'refused', reason: 'invalid', message: 'it is immutable' };

/** `first`: the name that another run records between the look and the write. */
async function recording(first: string | undefined, result: WriteResult) {
  const kept: StoredText[] = [];
  const warnings: string[] = [];
  let looks = 0;
  const list = async (): Promise<StoredText[]> => {
    if (looks++ === 0 || first === undefined) return [];
    const labels = new Map([['tiphys.dev/cluster', 'name']]);
    const data = new Map([['name', new TextEncoder().encode(first)]]);
    return [{ name: 'tiphys-cluster', labels, annotations: new Map(), data }];
  };
  const end = recordClusterName({
    clusterName: 'blue',
    target: { store: { list }, namespace: 'argocd' },
    keepText: async (text) => {
      kept.push(text);
      return result;
    },
    warn: (message) => warnings.push(message),
  });
  const error = await end.then(
    () => undefined,
    (cause: Error) => cause.message,
  );
  return { kept, warnings, error };
}

test('the run that was slower with another name does not start', async () => {
  const { error, warnings } = await recording('green', REFUSED);
  expect([error, warnings]).toEqual([
    'The environment file is for cluster "blue", and this cluster is "green".',
    [],
  ]);
});

test('with the same name, or without permission to write, it does, and warns', async () => {
  for (const first of ['blue', undefined]) {
    const { error, warnings } = await recording(first, REFUSED);
    expect([error, warnings]).toEqual([
      undefined,
      ['the name of the cluster could not be recorded: it is immutable'],
    ]);
  }
});

test('what is recorded is immutable', async () => {
  const { kept, warnings } = await recording(undefined, { kind: 'done' });
  expect([kept.map(({ name, isSealed }) => [name, isSealed]), warnings]).toEqual([
    [['tiphys-cluster', true]],
    [],
  ]);
});
