import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { applicationMaterial, materialOf } from '../../test/fakes/material.ts';
import type { ApplicationMaterial } from '../import/material.ts';
import { lintPlatform } from './lint.ts';

describe('waves', () => {
  const waved = [
    applicationMaterial('api', { parent: 'root', wave: 1 }),
    applicationMaterial('postgres', { parent: 'root', wave: 2 }),
  ];
  const linted = (after: readonly [string, string], applications = waved) =>
    lintPlatform({
      material: materialOf(...applications),
      notes: [],
      order: {
        known: new Set(['api', 'postgres']),
        comesAfter: (a, b) => a === after[0] && b === after[1],
      },
    }).findings.map(({ rule, level, application }) => [rule, level, application]);

  test('against the graph are an error', () => {
    expect(linted(['api', 'postgres'])[0]).toEqual(['wave-contradicts', 'error', 'api']);
  });

  test('that are needless are removed by a patch', () => {
    const { findings: found } = lintPlatform({
      material: materialOf(...waved),
      notes: [],
      order: { known: new Set(['api', 'postgres']), comesAfter: (a) => a === 'postgres' },
    });
    const { target, patch } = load(found[0]?.patch ?? '') as { target: unknown; patch: string };
    expect(target).toMatchObject({ group: 'argoproj.io', kind: 'Application', name: 'api' });
    const path = '/metadata/annotations/argocd.argoproj.io~1sync-wave';
    expect(load(patch)).toEqual([{ op: 'remove', path }]);
  });

  test('with the graph are needless', () => {
    expect(linted(['postgres', 'api'])).toEqual([
      ['wave-needless', 'note', 'api'],
      ['wave-needless', 'note', 'postgres'],
    ]);
  });

  test('of different parents say nothing of each other, and one wave orders nothing', () => {
    const apart = [waved[0], { ...waved[1], parent: 'other' }] as ApplicationMaterial[];
    expect(linted(['api', 'postgres'], apart)).toEqual([]);
  });

  describe('of which the graph keeps only a part', () => {
    const family = [
      applicationMaterial('cert-manager', { parent: 'root', wave: -1 }),
      applicationMaterial('db', { parent: 'root' }),
      applicationMaterial('api', { parent: 'root', wave: 1 }),
      applicationMaterial('web', { parent: 'root', wave: 2 }),
    ];
    const FILE = ['cert-manager', 'db', 'api', 'web'];
    const CHAIN = [
      ['db', 'cert-manager'],
      ['api', 'db'],
      ['api', 'cert-manager'],
      ['web', 'api'],
      ['web', 'db'],
      ['web', 'cert-manager'],
    ];
    const found = (
      pairs: readonly string[][],
      applications: readonly ApplicationMaterial[] = family,
      file: readonly string[] = FILE,
    ) =>
      lintPlatform({
        material: materialOf(...applications),
        notes: [],
        order: {
          known: new Set(file),
          comesAfter: (a, b) => pairs.some(([one, other]) => one === a && other === b),
        },
      }).findings;
    const without = (...lost: readonly string[]) =>
      CHAIN.filter((pair) => !lost.includes(pair.join('->')));
    const root = (...resources: ApplicationMaterial['resources']) =>
      applicationMaterial('root', { resources });
    const own = (kind: string, wave?: number) => ({
      ...{ group: '', namespace: 'argocd', name: 'own', kind },
      ...(wave !== undefined && { wave }),
    });

    test('nothing is removed, and the edge to write is named', () => {
      expect(found(without('web->api'))).toEqual([
        {
          ...{ rule: 'wave-needed', level: 'note', application: 'web', object: null },
          message:
            'Only sync waves put web (2) after api (1): the platform file does not order them.',
          fix: 'Write api into dependsOn of web, unless the order is needless. Until then keep the sync waves of everything that root creates.',
          edge: { dependent: 'web', dependency: 'api' },
          patch: null,
        },
      ]);
    });

    test('an Application without the annotation is in wave 0', () => {
      expect(found(without('db->cert-manager'))).toMatchObject([
        { rule: 'wave-needed', edge: { dependent: 'db', dependency: 'cert-manager' } },
      ]);
    });

    test('all of it kept: every annotation can go', () => {
      expect(found(CHAIN).map(({ rule, application }) => [rule, application])).toEqual([
        ['wave-needless', 'api'],
        ['wave-needless', 'cert-manager'],
        ['wave-needless', 'web'],
      ]);
    });

    test('beside an order that contradicts the graph, every other one must be kept: also from a wave before the last', () => {
      const turned = [...without('web->api', 'web->db', 'web->cert-manager'), ['api', 'web']];
      expect(found(turned)).toMatchObject([
        { rule: 'wave-contradicts', application: 'api' },
        {
          ...{ rule: 'wave-needed', application: 'web' },
          message:
            'Only sync waves put web (2) after db (0): the platform file does not order them.',
        },
      ]);
      const kept = [...without('web->api'), ['api', 'web']];
      expect(found(kept).map(({ rule, application }) => [rule, application])).toEqual([
        ['wave-contradicts', 'api'],
        ['wave-needless', 'api'],
        ['wave-needless', 'cert-manager'],
        ['wave-needless', 'web'],
      ]);
    });

    test('an Application that the file does not have', () => {
      const file = ['cert-manager', 'db', 'web'];
      expect(found(CHAIN, family, file)).toMatchObject([
        {
          ...{ rule: 'wave-needed', application: 'web', edge: null, patch: null },
          message:
            'Only its sync wave (2) orders web beside Application/api (1): the platform file does not have that.',
        },
      ]);
    });

    test.each([
      ['comes after cert-manager', own('Issuer'), ['cert-manager']],
      ['is ready in time, in wave 0', own('Job'), ['api', 'web']],
      ['comes between', own('Secret', 1), ['api', 'web']],
      ['comes before all of them', own('Job', -5), []],
      ['is there at once', own('Secret'), ['cert-manager']],
      ['needs nothing', own('AppProject'), []],
      ['comes too late', own('AppProject', 1), ['api', 'web']],
    ])("an object of the parent's own that %s", (_, object, kept) => {
      const named = found(CHAIN, [root(object), ...family])
        .filter(({ rule }) => rule === 'wave-needed')
        .map(({ application }) => application);
      expect(named).toEqual(expect.arrayContaining(kept));
      expect(found(CHAIN, [root(object), ...family]).some(({ patch }) => patch !== null)).toBe(
        kept.length === 0,
      );
    });
  });

  test('say nothing without a graph', () => {
    expect(lintPlatform({ material: materialOf(...waved), notes: [] }).findings).toEqual([]);
  });
});
