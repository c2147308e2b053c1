import { expect, test } from 'vitest';
import { Distribution, factsOf } from './distribution.ts';
import { SCALE_CLASS_NAMES } from './mishaps-at-scale.ts';
import { worldOf } from './seeded-world.ts';

const SEEDS = 200;

function distributionOf(size: 'mixed' | 'small') {
  const worlds = Array.from({ length: SEEDS }, (_, at) => worldOf(at + 1, { mean: 4, size }));
  return worlds.map((world) => ({ ...factsOf(world), applications: world.workloads.size }));
}

test('half of the mixed worlds have the size of a platform', () => {
  const large = distributionOf('mixed').filter(({ isLarge }) => isLarge);
  expect(large.length).toBeGreaterThan(0.4 * SEEDS);
  expect(large.length).toBeLessThan(0.6 * SEEDS);
  for (const { applications } of large) {
    expect(applications).toBeGreaterThanOrEqual(10);
    expect(applications).toBeLessThanOrEqual(60);
  }
  const share = (has: (world: (typeof large)[number]) => boolean) =>
    large.filter(has).length / large.length;
  expect(share(({ parents }) => parents > 1)).toBeGreaterThan(0.8);
  expect(share(({ depth }) => depth > 1)).toBeGreaterThan(0.8);
  expect(share(({ projects }) => projects > 1)).toBeGreaterThan(0.6);
  expect(share(({ clusters }) => clusters > 1)).toBeGreaterThan(0.3);
  expect(share(({ argocd }) => argocd === '3.5')).toBeGreaterThan(0.3);
  expect(share(({ nestedHealth }) => nestedHealth === 'documented')).toBeGreaterThan(0.3);
});

test('every class of faults of large platforms is in some world of mixed size, and in no small one', () => {
  const classesOf = (size: 'mixed' | 'small') =>
    new Set(
      Array.from({ length: SEEDS }, (_, at) => worldOf(at + 1, { mean: 4, size })).flatMap(
        ({ mishaps }) => mishaps.faults.map((fault) => fault.class),
      ),
    );
  const [mixed, small] = [classesOf('mixed'), classesOf('small')];
  expect(SCALE_CLASS_NAMES.filter((name) => !mixed.has(name))).toEqual([]);
  expect(SCALE_CLASS_NAMES.filter((name) => small.has(name))).toEqual([]);
});

test('a world is small unless something else is said', () => {
  const small = distributionOf('small');
  expect(small.every(({ isLarge, clusters, depth }) => !isLarge && clusters + depth === 2)).toBe(
    true,
  );
  expect(small).toEqual(
    Array.from({ length: SEEDS }, (_, at) => worldOf(at + 1, { mean: 4 })).map((world) => ({
      ...{ ...factsOf(world), applications: world.workloads.size },
    })),
  );
});

test('what the worlds were like is told by size', () => {
  const distribution = new Distribution();
  const [small, large] = ['small', 'realistic'] as const;
  for (const size of [small, large, large]) {
    const world = worldOf(7, { mean: 4, size });
    distribution.add(factsOf(world), world.workloads.size, { 'A1 conflicts': 2, 'A6 slow': 0 });
  }
  const [head, first, second, versions] = distribution.lines();
  expect(head).toMatch(/applications +parents +depth +projects +clusters +struck$/);
  expect(first).toMatch(/^1 small .* 1 \/ 1 \/ 1$/);
  expect(second).toMatch(/^2 realistic .* 1 \/ 1 \/ 1$/);
  expect(versions).toMatch(/^Argo CD 3\.\d in \d, 3\.\d in \d worlds|^Argo CD 3\.2 in 3 worlds/);
});
