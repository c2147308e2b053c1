import { loadAll } from 'js-yaml';
import { expect, test } from 'vitest';
import { applicationMaterial, materialOf } from '../../test/fakes/material.ts';
import { sh } from '../../test/fakes/waiting-job.ts';
import { lintPlatform } from '../lint/lint.ts';
import { renderPatches } from './lint-text.ts';

const WAIT = 'until nc -z db.postgres 5432; do sleep 1; done';

test('patches are a component for each Application, which keeps what another one has of the same name', () => {
  const db = { kind: 'Service', metadata: { name: 'db', namespace: 'postgres' } };
  const ui = { kind: 'Deployment', metadata: { name: 'ui' } };
  const report = lintPlatform({
    material: materialOf(
      applicationMaterial('postgres', { objects: [db], parent: 'root', wave: 0 }),
      applicationMaterial('api', { objects: [ui, sh(WAIT)], parent: 'root', wave: 1 }),
      applicationMaterial('web', { objects: [ui, sh(WAIT)] }),
      applicationMaterial('data', { objects: [sh(`${WAIT}; flyway migrate`)] }),
    ),
    notes: [],
    order: { known: new Set(['api', 'postgres']), comesAfter: (one) => one === 'api' },
  });
  const text = renderPatches(report);
  const documents = loadAll(text) as { kind: string; patches: { target: { name: string } }[] }[];
  const found = documents.map(({ kind, patches }) => [
    kind,
    ...patches.map(({ target }) => target.name),
  ]);
  expect(found).toEqual([
    ['Component', 'api', 'postgres'],
    ['Component', 'one'],
    ['Component', 'one'],
  ]);
  expect(text.split('\n').filter((line) => line.startsWith('# '))).toEqual([
    '# Parents of Applications with sync waves: a Kustomize component for its kustomization.',
    '# Application api: a Kustomize component for its kustomization.',
    '# Application web: a Kustomize component for its kustomization.',
  ]);
});
