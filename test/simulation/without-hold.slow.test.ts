import { expect, test } from 'vitest';
import { MEAN } from './seeds.ts';
import { runWithoutHold } from './without-hold.ts';

/** Of a quiet machine it takes a tenth. */
const PATIENT = { timeout: 600_000 };
const SEEDS = 120;

test(
  'without the hold nearly every world in which Argo CD would break the order fails',
  PATIENT,
  async () => {
    const lines: string[] = [];
    const print = (line: string) => lines.push(line);
    const request = { from: 1, count: SEEDS, mean: MEAN, processes: 2, print };
    const isGood = await runWithoutHold(request);
    console.log(lines.at(-1));
    expect(isGood, lines.join('\n')).toBe(true);
  },
);
