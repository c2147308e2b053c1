import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { BUGS } from './bugs/bugs.ts';
import { bundle } from './bundle.ts';
import { MEAN, runSeeds } from './seeds.ts';
import { simulate } from './simulate.ts';
import { worldOf } from './world.ts';

/** Of a quiet machine it takes a tenth. */
const PATIENT = { timeout: 240_000 };
const SEEDS = 150;
const TEARDOWNS = 50;
const WORKFLOWS = 30;

describe('a world', () => {
  test('is the same each time', PATIENT, async () => {
    const traced = async () => {
      const lines: string[] = [];
      await simulate(worldOf(13, { mean: MEAN }), { trace: (line) => lines.push(line) });
      return lines;
    };
    const first = await traced();
    expect(first.length).toBeGreaterThan(100);
    expect(await traced()).toEqual(first);
  });
});

describe('the engine', () => {
  let file = '';
  const lines: string[] = [];
  const print = (line: string) => lines.push(line);
  beforeAll(async () => {
    file = await bundle();
  }, PATIENT.timeout);

  test('keeps every invariant in some worlds', PATIENT, async () => {
    const request = {
      bundle: file,
      from: 1,
      count: SEEDS,
      mean: MEAN,
      processes: 2,
      mission: 'deploy' as const,
      print,
    };
    const isGood = await runSeeds(request);
    expect(isGood, lines.join('\n')).toBe(true);
  });

  test('keeps every invariant in some teardowns', PATIENT, async () => {
    const request = { bundle: file, from: 1, count: TEARDOWNS, mean: MEAN, processes: 2, print };
    const isGood = await runSeeds({ ...request, mission: 'teardown' });
    expect(isGood, lines.join('\n')).toBe(true);
  });

  test('keeps every invariant in some Workflows', PATIENT, async () => {
    const request = { bundle: file, from: 1, count: WORKFLOWS, mean: MEAN, processes: 2, print };
    const isGood = await runSeeds({ ...request, mission: 'workflow' });
    expect(isGood, lines.join('\n')).toBe(true);
  });
});

describe('planted bugs', () => {
  test('each finds its place in the sources', () => {
    const lost = BUGS.flatMap(({ name, patches }) =>
      patches.flatMap(({ file, find }) => {
        const parts = readFileSync(file, 'utf8').split(find).length - 1;
        return parts === 1 ? [] : [`${name}: ${parts} times in ${file}`];
      }),
    );
    expect(lost).toEqual([]);
  });

  test('one that finds no place is a mistake', PATIENT, async () => {
    const patch = { file: 'src/node/gate.ts', find: 'no such text', put: '' };
    await expect(bundle([patch])).rejects.toThrow('no such text');
  });

  test('there are enough of them, and docs/simulation.md has them all', () => {
    const table = readFileSync('docs/simulation.md', 'utf8')
      .split('\n')
      .flatMap((line) => /^\| ([a-z0-9-]+) \| ([^|]+) \| [SLh][^|]+ \| \d+ \|$/.exec(line) ?? []);
    const rows = table.filter((_, at) => at % 3 !== 0);
    expect(rows).toEqual(BUGS.flatMap(({ name, what }) => [name, what]));
    expect(BUGS.length).toBeGreaterThanOrEqual(25);
  });
});
