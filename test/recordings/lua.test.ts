// Every corner of the language: what Argo CD's own program printed for each script stands beside it, and a suite of the stack
// compares that with the program itself.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../fakes/lua.ts';

const folder = join(import.meta.dirname, 'lua');
const scripts = readdirSync(folder).filter((name) => name.endsWith('.lua'));

/**
 * Argo CD itself prints 2^63 in two ways: Go leaves it to the processor what becomes of a number that is too large for an
 * integer. What is recorded is from amd64; WebAssembly takes the largest integer instead, as arm64 does.
 */
const [ON_AMD64, HERE] = ['\n9.223372036854776e+18\n', '\n9223372036854775807\n'];

test('there are scripts', () => expect(scripts.length).toBeGreaterThan(9));

test.each(scripts)('%s', async (name) => {
  const script = readFileSync(join(folder, name), 'utf8');
  const recorded = readFileSync(join(folder, name.replace('.lua', '.txt')), 'utf8').slice(0, -1);
  const expected = { health: { status: 'Healthy', message: recorded.replace(ON_AMD64, HERE) } };
  expect(await run(script, {}, true)).toEqual(expected);
});
