// Ours against gopher-lua: what Argo CD's own program printed for each script stands beside it, and a suite of the stack
// compares that with the program itself.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { evaluate } from '../../src/health/evaluate.ts';
import { clock } from './clock.ts';

const folder = join(import.meta.dirname, 'agreement');
const scripts = readdirSync(folder).filter((name) => name.endsWith('.lua'));

test('there are scripts', () => expect(scripts.length).toBeGreaterThan(9));

test.each(scripts)('%s', (name) => {
  const script = readFileSync(join(folder, name), 'utf8');
  const message = readFileSync(join(folder, name.replace('.lua', '.txt')), 'utf8').slice(0, -1);
  const expected = { health: { status: 'Healthy', message } };
  expect(evaluate(script, {}, { openLibs: true, clock })).toEqual(expected);
});
