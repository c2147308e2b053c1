// The commands of the guides that need no cluster, run in a folder of their own, and compared where a guide shows what comes.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commandLinesOf, wordsOf } from './command-lines.ts';

const FOLDER = 'docs/guides';
const guides = readdirSync(FOLDER).map((name) => ({
  name,
  text: readFileSync(join(FOLDER, name), 'utf8'),
}));

/** A served cluster does not end by itself; an inventory and a recorded run come from a cluster. */
const ALONE = /^tiphys (?:plan|rehearse)(?! serve)(?!.*(?:--inventory|--from-run))/;
const lines = guides
  .flatMap(({ name, text }) => commandLinesOf(name, text))
  .filter((line) => line.isWhole && ALONE.test(line.text))
  .map((line) => line.text);
const shown = guides.flatMap(({ name, text }) =>
  [...text.matchAll(/```console\n\$ (tiphys .*)\n([\s\S]*?)```/g)].map(
    ([, line = '', output = '']) => [name, line, output] as const,
  ),
);

const scratch = mkdtempSync(join(tmpdir(), 'tiphys-guides-'));
afterAll(() => rmSync(scratch, { recursive: true }));

const tiphys = (line: string) =>
  spawnSync(process.execPath, [resolve('dist/main.js'), ...wordsOf(line).slice(1)], {
    cwd: scratch,
    encoding: 'utf8',
    env: { ...process.env, KUBECONFIG: '/nowhere', npm_lifecycle_event: '' },
  });

beforeAll(() => expect(tiphys('tiphys init').status).toBe(0));

test('there is something to run, and something to compare', () => {
  expect(new Set(lines).size).toBeGreaterThan(10);
  expect(shown.length).toBeGreaterThan(0);
});

test.each([...new Set(lines)])('%s', (line) => {
  const { stdout, stderr, status } = tiphys(line);
  expect([status, stderr.includes('error[')]).toEqual([line.includes('degraded') ? 2 : 0, false]);
  const [fault] = wordsOf(line).slice(wordsOf(line).indexOf('--fault') + 1);
  expect(stdout).toContain(line.includes('--fault') ? `${fault}` : 'my-platform');
  expect(stdout.includes('did not happen')).toBe(false);
});

test.each(shown)('%s shows what comes of %s', (_, line, output) => {
  const { stdout, stderr } = tiphys(line);
  expect(stdout + stderr).toBe(output);
});
