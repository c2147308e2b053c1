// The conformance suite on the rehearsal: where it differs from the real thing, the real one is right.
import { afterAll, describe, expect, test } from 'vitest';
import { CASES } from './all-cases.ts';
import { Lab } from './lab.ts';
import { rehearsalWorld } from './rehearsal-world.ts';

/** Chance must not decide: each case holds whatever the seed. */
const SEEDS = [1, 2, 3];

afterAll(() => {
  console.log(`conformance: ${CASES.length} cases on the rehearsal, ${SEEDS.length} seeds each`);
});

describe('the rehearsal is an Argo CD as Tiphys sees it', () => {
  for (const { title, check } of CASES) {
    test(title, async () => {
      for (const seed of SEEDS) {
        const { world, until } = await rehearsalWorld(seed);
        await until(check(new Lab(world)));
      }
    });
  }

  test('the cases are many, and no two have the same title', () => {
    expect(CASES.length).toBeGreaterThanOrEqual(60);
    expect(new Set(CASES.map(({ title }) => title)).size).toBe(CASES.length);
  });
});
