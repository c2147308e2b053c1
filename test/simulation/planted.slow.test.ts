import { expect, test } from 'vitest';
import { BUGS } from './bugs/bugs.ts';
import { CATCHES } from './bugs/catches.ts';
import { brokenBy } from './planted.ts';
import { MEAN } from './seeds.ts';

/** Of a quiet machine it takes a hundredth. */
const PATIENT = { timeout: 600_000 };

test.each(BUGS.map((bug) => [bug.name, bug] as const))(
  'the planted bug %s breaks its invariant',
  PATIENT,
  async (name, bug) => {
    const { by, seed } = CATCHES[name] ?? { by: 'nothing', seed: 1 };
    expect(await brokenBy(bug, seed, MEAN)).toContain(by);
  },
);
