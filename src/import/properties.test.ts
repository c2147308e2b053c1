import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { generateMaterial, shuffled } from '../../bench/import-generate.ts';
import { applicationMaterial, platformMaterial } from '../../test/fakes/import.ts';
import { definition, deployment, object } from '../../test/fakes/import-objects.ts';
import type { KubernetesObject, Material } from './material.ts';
import { propose } from './propose.ts';

describe('any platform', () => {
  /** References at random, so that cycles of every strength come up. */
  const anyMaterial = fc
    .array(
      fc.record({
        parent: fc.option(fc.nat(7), { nil: undefined }),
        wave: fc.option(fc.integer({ min: -2, max: 2 }), { nil: undefined }),
        makes: fc.nat(7),
        uses: fc.array(fc.nat(7), { maxLength: 3 }),
        calls: fc.array(fc.nat(7), { maxLength: 2 }),
      }),
      { minLength: 1, maxLength: 8 },
    )
    .map((rows) =>
      platformMaterial(
        rows.map(({ parent, wave, makes, uses, calls }, at) =>
          applicationMaterial(
            `a${at}`,
            [
              definition(`g${makes}.example`, 'Lamp'),
              deployment('d', { args: calls.map((call) => `http://s.a${call}.svc`) }),
              object('v1', 'Service', 's'),
              ...uses.map((use) => object(`g${use}.example/v1`, 'Lamp', 'l')),
            ],
            {
              ...(parent === undefined || parent >= rows.length ? {} : { parent: `a${parent}` }),
              ...(wave === undefined ? {} : { wave }),
            },
          ),
        ),
      ),
    );

  it('gives the same bytes in any order', () => {
    const text = (material: Material) => JSON.stringify(propose(material, { platform: 'p' }));
    fc.assert(
      fc.property(anyMaterial, fc.nat(), (material, seed) => {
        expect(text(shuffled(material, seed))).toBe(text(material));
      }),
    );
    const large = generateMaterial(100, 1);
    expect(text(shuffled(large, 2))).toBe(text(large));
  });

  it('has no edge between relatives, and no cycle among what is written', () => {
    fc.assert(
      fc.property(anyMaterial, (material) => {
        const parents = new Map(material.applications.map(({ name, parent }) => [name, parent]));
        const isAbove = (high: string, low: string) => {
          const seen = new Set<string>();
          let at = parents.get(low);
          for (; at !== undefined && !seen.has(at) && at !== high; at = parents.get(at))
            seen.add(at);
          return at === high && low !== high;
        };
        const { edges } = propose(material, { platform: 'p' });
        const next = new Map<string, string[]>();
        for (const { dependent, dependency, status } of edges) {
          expect(dependent).not.toBe(dependency);
          expect(isAbove(dependent, dependency) || isAbove(dependency, dependent)).toBe(false);
          if (status === 'written')
            next.set(dependent, [...(next.get(dependent) ?? []), dependency]);
        }
        const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
          (next.get(from) ?? []).some(
            (other) => other === to || (!seen.has(other) && reaches(other, to, seen.add(other))),
          );
        for (const name of next.keys()) expect(reaches(name, name)).toBe(false);
      }),
    );
  });

  it('may hold anything without harm', () => {
    let deep: unknown = 'http://a.b.svc';
    for (let level = 0; level < 5_000; level++) deep = { deep };
    const odd = [
      ...[null, 7, 'text', [], {}, { kind: 3 }, { kind: 'X', metadata: 'no' }],
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a\u0000\u001b[2J\n' }, data: 'x' },
      {
        apiVersion: 'light.example/v1',
        kind: 'Lamp',
        metadata: null,
        spec: { deep, aRef: { name: {} } },
      },
      {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: '__proto__', namespace: 'constructor' },
      },
      deployment('long', {
        args: ['a.'.repeat(500_000), '.svc'.repeat(200_000), 'a-'.repeat(500_000)],
      }),
      deployment('wide', {
        env: Array.from({ length: 50_000 }, (_, at) => ({ name: `E${at}`, value: `x.y${at}.svc` })),
      }),
    ] as unknown as KubernetesObject[];
    const values = [null, 'text', { deep, crds: 'yes', ingress: { enabled: true, tls: 7 } }];
    const more = { values, charts: [{ name: 'constructor' }], content: 'unknown' } as const;
    const plain = applicationMaterial('plain', [definition('light.example', 'Lamp')]);
    const material = platformMaterial([applicationMaterial('odd', odd, more), plain]);
    const { edges, unresolved } = propose(material, { platform: 'p' });
    expect(edges.map(({ dependency }) => dependency)).toEqual(['plain']);
    expect(unresolved.length).toBeGreaterThan(0);
  });
});
