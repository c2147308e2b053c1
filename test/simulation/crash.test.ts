import { beforeAll, describe, expect, test } from 'vitest';
import { BUGS } from './bugs/bugs.ts';
import { bundle } from './bundle.ts';
import { runCrashPoints } from './crash-points.ts';
import { hunt } from './planted.ts';
import { MEAN } from './seeds.ts';

/** Of a quiet machine it takes a tenth. */
const PATIENT = { timeout: 240_000 };
const SOME_CRASH_POINTS = 97;
/** Those that are caught soonest. */
const SOME_BUGS = ['no-hold'];

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

test.each(SOME_BUGS)('the planted bug %s is caught', PATIENT, async (name) => {
  const planted = BUGS.find((bug) => bug.name === name);
  if (!planted) throw new Error(`there is no ${name}`);
  const caught = await hunt(planted, { mean: MEAN, processes: 1 });
  expect(caught.by).toBeDefined();
});
