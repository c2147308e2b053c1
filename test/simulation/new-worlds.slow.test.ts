import { randomInt } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { bundle } from './bundle.ts';
import { MEAN, runSeeds } from './seeds.ts';

/** Of a quiet machine it takes a tenth. */
const PATIENT = { timeout: 600_000 };
/** Far from the seeds that are run every time. Large worlds that nobody has seen are a matter of .ci/nightly. */
const FROM = randomInt(1_000_000, 1_000_000_000);

let file = '';
beforeAll(async () => {
  file = await bundle();
}, PATIENT.timeout);

test.each([
  ['deploy', 80],
  ['teardown', 40],
  ['workflow', 20],
] as const)(
  'the engine keeps every invariant in worlds that nobody has seen: %s',
  PATIENT,
  async (mission, count) => {
    const flag = mission === 'deploy' ? '' : ` --${mission}`;
    console.log(
      `to repeat them: npm run simulate -- --size small --seeds ${count} --from ${FROM}${flag}`,
    );
    const lines: string[] = [];
    const print = (line: string) => lines.push(line);
    const some = { bundle: file, from: FROM, count, mean: MEAN, size: 'small', mission } as const;
    const request = { ...some, processes: 2, print };
    const isGood = await runSeeds(request);
    expect(isGood, lines.join('\n')).toBe(true);
  },
);
