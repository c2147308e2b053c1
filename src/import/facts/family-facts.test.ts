import { expect, test } from 'vitest';
import { applicationMaterial } from '../../../test/fakes/material.ts';
import { familyFacts } from './family-facts.ts';

test('the reason names the other application, not the one that it is about', () => {
  const application = applicationMaterial('postgres-cluster');
  const { needs } = familyFacts({ application } as Parameters<typeof familyFacts>[0]);
  expect(needs.map(({ text, where }) => [text, where])).toEqual([
    ['By its name, postgres-cluster belongs to postgres-crds', ''],
    ['By its name, postgres-cluster belongs to postgres-operator', ''],
    ['By its name, postgres-cluster belongs to postgres', ''],
  ]);
});
