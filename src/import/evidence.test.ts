// Every kind of evidence both ways: somebody else provides it; nobody does, or the application itself.
import { describe, expect, it } from 'vitest';
import { applicationMaterial, platformMaterial } from '../../test/fakes/import.ts';
import { OBJECT_CASES } from '../../test/fakes/import-object-cases.ts';
import { RELATION_CASES } from '../../test/fakes/import-relation-cases.ts';
import { sh } from '../../test/fakes/waiting-job.ts';
import type { ApplicationMaterial } from './material.ts';
import { propose } from './propose.ts';

const CASES = { ...OBJECT_CASES, ...RELATION_CASES };

function edgesOf(applications: readonly ApplicationMaterial[]) {
  return propose(platformMaterial(applications), { platform: 'p' });
}

describe.each(Object.entries(CASES))('%s', (_, one) => {
  const dependent = applicationMaterial('web', one.dependent, one.dependentMore);

  it('is evidence, where another application has it', () => {
    const provider = applicationMaterial('base', one.provider, one.providerMore);
    const edge = edgesOf([dependent, provider]).edges.find(
      ({ dependency }) => dependency === 'base',
    );
    const found = edge?.evidence.find(({ kind }) => kind === one.kind);
    expect({ strength: found?.strength, to: edge?.dependency }).toEqual({
      strength: one.strength,
      to: 'base',
    });
    // Other evidence may make the pair more than this alone would.
    const alone = edge?.evidence.every(({ kind }) => kind === one.kind);
    if (alone) expect(edge?.status).toBe(one.status);
    expect(edgesOf([provider]).edges).toEqual([]);
  });

  it('is no edge where nobody has it', () => {
    const { edges, unresolved } = edgesOf([dependent, applicationMaterial('base')]);
    expect(edges).toEqual([]);
    expect(unresolved.length > 0).toBe(one.asks === true);
  });

  it('is no edge where the application has it itself', () => {
    const both = applicationMaterial('web', [...one.dependent, ...one.provider], {
      ...one.dependentMore,
      ...(one.kind === 'namespace' ? { createsNamespace: true } : {}),
    });
    expect(edgesOf([both, applicationMaterial('base')]).edges).toEqual([]);
  });
});

it('the health of another Application that a hook waits for is evidence', () => {
  const wait = (name: string) =>
    sh(`until kubectl get application ${name} -n argocd | grep Healthy; do sleep 1; done`);
  const base = applicationMaterial('base');
  const needs = (name: string) => edgesOf([applicationMaterial('web', [wait(name)]), base]).edges;
  expect(needs('base')).toMatchObject([
    { dependent: 'web', dependency: 'base', strength: 'soft', status: 'written' },
  ]);
  expect(needs('web')).toEqual([]);
  expect(needs('gone')).toEqual([]);
});
