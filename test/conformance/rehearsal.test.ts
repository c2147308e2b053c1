// The conformance suite on the rehearsal: where it differs from the real thing, the real one is right.
import { afterAll, describe, expect, test } from 'vitest';
import { type SimulatedVersion, VERSIONS } from '../../src/simulator/argocd/simulated-version.ts';
import { CASES } from './all-cases.ts';
import { belongsTo } from './case.ts';
import { Lab } from './lab.ts';
import { rehearsalWorld } from './rehearsal-world.ts';

/** Chance must not decide: each case holds whatever the seed. */
const SEEDS = [1, 2, 3];

const VERSION_NAMES = Object.keys(VERSIONS) as SimulatedVersion[];
const casesOf = (version: string) => CASES.filter((one) => belongsTo(one, version));

afterAll(() => {
  const counts = VERSION_NAMES.map((version) => `${casesOf(version).length} of ${version}`);
  console.log(`conformance: cases on the rehearsal: ${counts}; ${SEEDS.length} seeds each`);
});

describe.each(VERSION_NAMES)('the rehearsal is an Argo CD %s as Tiphys sees it', (version) => {
  for (const { title, check } of casesOf(version)) {
    test(title, async () => {
      for (const seed of SEEDS) {
        const { world, until } = await rehearsalWorld(seed, version);
        await until(check(new Lab(world)));
      }
    });
  }

  test('it says which one it is', async () => {
    const { world, until } = await rehearsalWorld(1, version);
    expect(await until(world.target.argocdVersion())).toBe(`v${VERSIONS[version]}+rehearsal`);
  });
});

describe('the cases', () => {
  test('each belongs to a version that is simulated', () => {
    const all = new Set(VERSION_NAMES.flatMap(casesOf));
    expect(CASES.filter((one) => !all.has(one)).map(({ title }) => title)).toEqual([]);
  });

  test('the cases are many, and no two have the same title', () => {
    expect(CASES.length).toBeGreaterThanOrEqual(60);
    expect(new Set(CASES.map(({ title }) => title)).size).toBe(CASES.length);
  });
});
