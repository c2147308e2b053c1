// Lint on Jobs, hooks and init containers in the shapes that platforms have: what acts is never called a wait, and what waits and is not
// found is listed here.
import { describe, expect, test } from 'vitest';
import { HOOK_CORPUS, type HookCase } from '../../test/fakes/hook-corpus.ts';
import { applicationMaterial, materialOf } from '../../test/fakes/material.ts';
import { lintPlatform } from './lint.ts';

const kinds = {
  Service: ['db', 'cache', 'vault', 'minio'],
  Deployment: ['db'],
  StatefulSet: ['db'],
  Secret: ['login'],
};
const data = applicationMaterial('data', {
  objects: [
    ...Object.entries(kinds).flatMap(([kind, names]) =>
      names.map((name) => ({
        ...{ kind, metadata: { name, namespace: 'data' } },
        spec: { template: { metadata: { labels: { app: name } } } },
      })),
    ),
    { apiVersion: 'data.example/v1', kind: 'Lamp', metadata: { name: 'desk' } },
    {
      ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
      metadata: { name: 'lamps.data.example' },
    },
  ],
});

function findingsOf({ objects }: HookCase) {
  // Something that is no Job: an Application of nothing but Jobs is another finding.
  const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'shop' } };
  const shop = applicationMaterial('shop', { objects: [service, ...objects] });
  return lintPlatform({ material: materialOf(data, shop), notes: [] }).findings;
}
const isFound = (one: HookCase) =>
  findingsOf(one).some(
    ({ rule, edge }) => rule === 'wait-for-application' && edge?.dependency === 'data',
  );

/** They wait, and lint does not say so. */
const MISSED = [
  'a wait with the rights to change everything',
  'a socket of Python',
  'a program of its image',
  'a choice in a loop',
  'a client of Kafka',
];

describe('lint', () => {
  test.each(HOOK_CORPUS.filter(([, { does }]) => does === 'acts'))('%s is no wait', (_, one) => {
    const told = findingsOf(one).filter(({ rule, patch }) => rule !== 'wait-unclear' || patch);
    expect(told).toEqual([]);
  });

  test('finds all others that wait but these', () => {
    const waits = HOOK_CORPUS.filter(([, { does }]) => does === 'waits');
    const missed = waits.filter(([, one]) => !isFound(one)).map(([name]) => name);
    expect(missed).toEqual(MISSED);
    expect([waits.length, HOOK_CORPUS.length]).toEqual([32, 74]);
  });
});
