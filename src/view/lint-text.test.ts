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
    order: { known: new Set(['api', 'postgres']), comesAfter: (one) => one !== 'postgres' },
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
  expect(text).not.toContain('Not removed');
});

test('what alone keeps an order is in no patch, and the reason is there', () => {
  const db = { kind: 'Service', metadata: { name: 'db', namespace: 'postgres' } };
  const ui = { kind: 'Deployment', metadata: { name: 'ui' } };
  const report = lintPlatform({
    material: materialOf(
      applicationMaterial('postgres', { objects: [db], parent: 'root', wave: 0 }),
      applicationMaterial('api', { objects: [ui, sh(WAIT)], parent: 'root', wave: 1 }),
    ),
    notes: [],
    order: { known: new Set(['api', 'postgres']), comesAfter: () => false },
  });
  const text = renderPatches(report);
  expect(loadAll(text)).toEqual([]);
  expect(text.split('\n')).toEqual([
    '# Not removed: Only sync waves put api (1) after postgres (0): the platform file does not order them. Write postgres into dependsOn of api, unless the order is needless. Until then keep the sync waves of everything that root creates.',
    '# Not removed: Job/one waits for postgres (service db in namespace postgres). Write postgres into dependsOn of api, then remove the Job.',
    '',
  ]);
});
