// The differences of a platform in the simulated cluster, as people and programs get them.
import { resolve } from 'node:path';
import { beforeAll, expect, test, vi } from 'vitest';
import type { Target } from '../../src/ports/target.ts';
import { type DiffWorld, diffWorld } from '../guards/diff/diff-world.ts';

const EXPECTED = 'test/goldens/diff';

let reached: Target | undefined;
vi.mock('../../src/targets/connect.ts', async (original) => ({
  ...(await original<object>()),
  connect: async () => reached,
}));

let world: DiffWorld;
beforeAll(async () => {
  world = await diffWorld((target) => {
    reached = target;
  });
}, 60_000);

const NAMES = ['changed', 'secret', 'kept', 'pruned', 'hostile', 'absent', 'added', 'lost', 'same'];

test.each(['text', 'json', 'name'])('%s', async (format) => {
  const args = [...NAMES.map((name) => `case-${name}`), '-o', format];
  const { stdout, stderr, status } = await world.diff(...args);
  const shown = `${stdout}--- stderr\n${stderr}--- exit status ${status}\n`;
  // How much time passes meanwhile depends on this machine.
  const ageless = shown
    .replaceAll(/compared \d+\w/g, 'compared 2m')
    .replaceAll(/"age": \d+/g, '"age": 120');
  await expect(ageless).toMatchFileSnapshot(resolve(EXPECTED, `${format}.txt`));
});
