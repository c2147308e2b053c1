// No text that others write may keep the program busy: every regular expression of src takes at most 50 ms of the processor
// for a megabyte of whatever suits it least, or for as much as it is ever given, which a comment beside it says.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { holderOf } from '../../../src/engines/argo-workflows/pod.ts';
import {
  ADDRESS_WITHOUT_CREDENTIALS,
  APPLICATION_NAME,
  HTTP_ADDRESS,
  LABEL_KEY,
  LABEL_NAME,
  REFERENCE,
  TCP_ADDRESS,
} from '../../../src/model/names.ts';
import { FORMS } from '../../../src/rehearsal/fault-terms.ts';
import { patternsOf } from './collect.ts';
import { BUDGET_MS, bestOf, tooSlow } from './cost.ts';

vi.setConfig({ testTimeout: 1_200_000 });

/** Those that are put together from parts, as the program has them. */
const BUILT: Readonly<Record<string, readonly RegExp[]>> = {
  'src/engines/argo-workflows/find-workflows.ts': [
    new RegExp(`^${holderOf('([^/]+)/([^/]+)/([^/]+)')}$`),
  ],
  'src/model/names.ts': [
    LABEL_NAME,
    APPLICATION_NAME,
    LABEL_KEY,
    REFERENCE,
    HTTP_ADDRESS,
    TCP_ADDRESS,
  ],
  'src/rehearsal/fault-terms.ts': [FORMS.by.pattern],
};

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .map((name) => join('src', name));
const found = await Promise.all(
  files.map(async (path) => ({ path, ...(await patternsOf(path, readFileSync(path, 'utf8'))) })),
);

test('all are found, those that are put together included', () => {
  expect(found.flatMap(({ literals }) => literals).length).toBeGreaterThan(100);
  const built = found.filter((one) => one.built > 0).map((one) => [one.path, one.built]);
  const known = Object.entries(BUILT).map(([path, patterns]) => [path, patterns.length]);
  expect(Object.fromEntries(built)).toEqual(Object.fromEntries(known));
});

const all = [
  ...found.flatMap(({ path, literals }) =>
    literals.map(({ source, pattern, longest }) => ({ path, source, pattern, longest })),
  ),
  ...Object.entries(BUILT).flatMap(([path, patterns]) =>
    patterns.map((pattern) => ({ path, source: String(pattern), pattern, longest: undefined })),
  ),
];

test.each(all)('its worst text takes no time: $path: $source', ({ pattern, longest }) => {
  expect(tooSlow(pattern, longest)).toBeUndefined();
});

test.each(['://:', ':', '@:', 'x:', 'token', 'keytokensig'])(
  'an address with %s again and again',
  (part) => {
    const text = `x://${part.repeat(100_000)}`;
    expect(bestOf(ADDRESS_WITHOUT_CREDENTIALS, text)).toBeLessThan(BUDGET_MS);
  },
);

describe('planted', () => {
  test.each([
    /\s+$/,
    /\/+$/,
    /(a+)+$/,
    /^(\w+\s?)*$/,
    /x*y/g,
    /^ +(.*)\n$/,
    /^a(.*)b(.*)c$/,
    /^(?:\d+\.?\d*s)+$/,
    /[a-z]+:\/\/[^\s/]*@/g,
    /"(?:[^"\\]|\\.)*"/,
    /\((.*)\)/,
    /^([a-z]+\.)*[a-z.]+$/,
  ])('%s is too slow', (pattern) => {
    expect(tooSlow(pattern)).toMatch(/takes \d+ ms/);
  });

  test.each([/:\/\/[^\s/?#"'`]*@/g, /^[a-z0-9-]+$/, /[^ -~]/gu, /^(?:ab|c)*$/])(
    '%s is not',
    (pattern) => {
      expect(tooSlow(pattern)).toBeUndefined();
    },
  );

  test('a new one is found, with how much it is given', async () => {
    const text = 'const a: RegExp =\n  // At most 4,096 characters.\n  /x*y/g;\nnew RegExp(a);';
    const { literals, built } = await patternsOf('planted.ts', text);
    expect(literals).toMatchObject([{ source: '/x*y/g', longest: 4_096 }]);
    expect(built).toBe(1);
    expect(tooSlow(/x*y/g, 1_000)).toBeUndefined();
  });
});
