// Some thousand inputs that nobody has seen, and each way of being wrong, which must be found.
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { ALL } from './all-targets.ts';
import { fuzz } from './fuzz.ts';
import { PLANTED } from './planted.ts';

const SEED = Number(process.env.FUZZ_SEED ?? randomInt(2 ** 31));
const INPUTS = 4_000;
/** So many that none of the planted is missed by chance: the rarest is found by one input of two thousand. */
const ENOUGH = 100_000;
vi.setConfig({ testTimeout: 300_000 });

async function fuzzed(targets: typeof ALL, inputs: number) {
  const lines: string[] = [];
  const print = (line: string) => lines.push(line);
  const result = await fuzz({ targets, inputs, seed: SEED, print });
  return { ...result, lines };
}

test('nothing that others wrote crashes, hangs, forges or pollutes', async () => {
  console.log(`to repeat it: FUZZ_SEED=${SEED}`);
  const { passed, failed, lines } = await fuzzed(ALL, INPUTS);
  expect({ failed, lines: failed > 0 ? lines : [] }).toEqual({ failed: 0, lines: [] });
  expect(passed).toBeGreaterThanOrEqual(INPUTS);
});

test('every part of the program that reads what others wrote has its inputs', () => {
  const names = ALL.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names).toEqual(
    expect.arrayContaining([
      ...['platform.yaml as text', 'environment.yaml as values', 'an Application', 'AppProjects'],
      ...['Leases', 'events of records', 'Workflows', 'tasks of an agent', 'lines of a watch'],
      ...['refusals', 'faults', 'confirmation', 'parameters of a pod', 'references and scopes'],
      ...['health cases', 'an imported Application', 'rendered manifests'],
      ...['files of an import', 'config file and variables', 'import.yaml', 'selectors'],
      'names at a prompt',
    ]),
  );
});

describe('what is wrong is found:', () => {
  test.each([
    ['crash', 'crash: TypeError'],
    ['deep', 'crash: RangeError'],
    ['slow', 'hang: '],
    ['waits', 'hang: it waits for ever'],
    ['escape', 'escape: '],
    ['forged line', 'forged line: '],
    ['json', 'no JSON: '],
    ['markup', 'markup: '],
    ['link', 'markup: '],
    ['inherited', 'pollution: an object has a prototype that came in'],
  ])('%s', async (name, what) => {
    const planted = PLANTED.filter((one) => one.name === name);
    const { failed, lines } = await fuzzed(planted, ENOUGH);
    expect({ failed, lines }).toEqual({
      failed: 1,
      lines: expect.arrayContaining([expect.stringContaining(what)]),
    });
    expect(lines.at(-1)).toContain(`--seed ${SEED}`);
  });

  // What changes prototypes would change them for every other test of this process.
  test.each([
    ['pollution', 'pollution: '],
    ['pollution by path', 'pollution: a prototype of the language was changed'],
  ])('%s', (name, what) => {
    const { stdout, status } = planted(name, '--inputs', String(ENOUGH));
    expect(stdout).toContain(` FAIL  ${name}\n`);
    expect(stdout).toContain(what);
    expect(status).toBe(1);
  });

  test('a loop without an end', () => {
    const { stdout, signal } = planted('hang', '--silence', '3000');
    expect(signal).toBe('SIGKILL');
    expect(stdout).toContain(' FAIL  hang\nhang: input ');
    expect(stdout).toMatch(/\n\d+ passed, 1 failed\n$/);
  });
});

/** In a process of its own. */
function planted(name: string, ...more: string[]) {
  const args = ['--import', 'tsx', 'test/fuzz/main.ts', '--planted', name, '--seed', String(SEED)];
  const how = { encoding: 'utf8', timeout: 120_000 } as const;
  return spawnSync(process.execPath, [...args, ...more], how);
}
