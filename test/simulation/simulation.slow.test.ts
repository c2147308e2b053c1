import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { BUGS } from './bugs/bugs.ts';
import { CATCHES } from './bugs/catches.ts';
import { bundle } from './bundle.ts';
import { CLASS_NAMES } from './mishaps.ts';
import { rowOf } from './planted.ts';
import type { Size } from './realistic.ts';
import { DENIED, UNPROBED, worldOf } from './seeded-world.ts';
import { MEAN, runSeeds, type SeedsRequest } from './seeds.ts';
import { simulate } from './simulate.ts';
import { TEARDOWN_CLASSES } from './teardown.ts';

/** Of a quiet machine it takes a tenth. */
const PATIENT = { timeout: 600_000 };
const SEEDS = 150;
const TEARDOWNS = 60;
const ASKING = 40;
const REALISTIC = 8;
const WORKFLOWS = 30;
/** The agent loses its lease while two applications are in work, which is all that may be. */
const LEASE_LOST = 9_200_168;

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
  beforeAll(async () => {
    file = await bundle();
  }, PATIENT.timeout);
  const run = async (
    request: Pick<SeedsRequest, 'from' | 'count' | 'mission' | 'classes'>,
    size: Size = 'small',
  ) => {
    const lines: string[] = [];
    const print = (line: string) => lines.push(line);
    const common = { bundle: file, mean: MEAN, size, processes: 2, print };
    const isGood = await runSeeds({ ...request, ...common });
    expect(isGood, lines.join('\n')).toBe(true);
  };

  test('keeps every invariant in some worlds', PATIENT, async () => {
    await run({ from: 1, count: SEEDS, mission: 'deploy', classes: CLASS_NAMES });
  });

  test('keeps every invariant in some worlds of realistic size', PATIENT, async () => {
    for (const mission of ['deploy', 'teardown', 'workflow', 'approvals'] as const)
      await run({ from: 1, count: REALISTIC, mission }, 'realistic');
  });

  test('keeps every invariant in some worlds in which people are asked', PATIENT, async () => {
    await run({ from: 1, count: ASKING, mission: 'approvals', classes: [DENIED] });
  });

  test('keeps every invariant in some worlds in which gates have a probe', PATIENT, async () => {
    await run({ from: 1, count: ASKING, mission: 'probes', classes: [UNPROBED] });
  });

  test('keeps every invariant in some teardowns', PATIENT, async () => {
    await run({ from: 1, count: TEARDOWNS, mission: 'teardown', classes: TEARDOWN_CLASSES });
  });

  test('keeps every invariant in some Workflows', PATIENT, async () => {
    await run({ from: 1, count: WORKFLOWS, mission: 'workflow' });
    await run({ from: LEASE_LOST, count: 1, mission: 'workflow' });
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
    const patch = { file: 'src/gate/gate.ts', find: 'no such text', put: '' };
    await expect(bundle([patch])).rejects.toThrow('no such text');
  });

  test('there are enough of them, and docs/simulation.md has them all', () => {
    const [, table = ''] = readFileSync('docs/simulation.md', 'utf8').split('## Planted bugs');
    const rows = table.split('\n').filter((line) => /^\| [a-z0-9-]+ \|.*\d+ \|$/.test(line));
    expect(rows).toEqual(BUGS.map((bug) => rowOf(bug)));
    expect(Object.keys(CATCHES).sort()).toEqual(BUGS.map(({ name }) => name).sort());
    expect(BUGS.length).toBeGreaterThanOrEqual(50);
  });
});
