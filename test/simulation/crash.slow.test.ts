import { beforeAll, describe, expect, test } from 'vitest';
import { bundle } from './bundle.ts';
import { runCrashPoints } from './crash-points.ts';

/** Of a quiet machine it takes a tenth. */
const PATIENT = { timeout: 240_000 };
const SOME_CRASH_POINTS = 97;

describe('the engine', () => {
  let file = '';
  beforeAll(async () => {
    file = await bundle();
  }, PATIENT.timeout);

  test('resumes after a crash at some of its writes', PATIENT, async () => {
    const lines: string[] = [];
    const print = (line: string) => lines.push(line);
    const request = { bundle: file, processes: 2, step: SOME_CRASH_POINTS, print };
    const isGood = await runCrashPoints(request);
    expect(isGood, lines.join('\n')).toBe(true);
  });
});
