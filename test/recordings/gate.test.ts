// The gate, on what a real Argo CD showed: through the same mapping as in a run.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { CONDITIONS } from '../../src/gate/conditions.ts';
import { judge } from '../../src/gate/gate.ts';
import { evidenceOf, judged, type Recording } from './gate-recording.ts';
import { RECORDED, RECORDINGS, type RecordingName, WAYS } from './ways.ts';

const names = Object.keys(RECORDED) as RecordingName[];
const load = (name: RecordingName): Recording =>
  JSON.parse(readFileSync(`${RECORDINGS}/${name}.json`, 'utf8'));

describe.each(names)('%s', (name) => {
  const { shutBy, ...rest } = RECORDED[name];
  if (shutBy === 'open') {
    test('opens', () => expect(judged(load(name))).toBe('open'));
    return;
  }
  test(`is shut by ${shutBy}`, () => expect(judged(load(name))).toBe(shutBy));
  test('and would not be without it', () =>
    expect({ without: judged(load(name), shutBy) }).toEqual(rest));
});

test('the evidence names what counted for nothing', () => {
  expect(evidenceOf(load('kind-without-health')).withoutHealth).toEqual(['ConfigMap']);
  expect(evidenceOf(load('health-ignored')).ignored).toEqual(['apps/Deployment scratch/web']);
  expect(evidenceOf(load('healthy'))).toMatchObject({ ignored: [] });
});

/** What people decide, and what a probe finds, Argo CD does not show. */
const NOT_SHOWN: readonly string[] = ['not-denied', 'approved', 'probed'];

test('every condition was seen to be needed', () => {
  const byHand = WAYS.flatMap(({ tried }) => ('byHand' in tried ? tried.shutBy : []));
  const recorded = names.map((name) => RECORDED[name].shutBy);
  const seen = new Set<string>([...recorded, ...byHand, ...NOT_SHOWN]);
  expect(CONDITIONS.map(({ name }) => name).filter((name) => !seen.has(name))).toEqual([]);
});

describe('the list of ways', () => {
  const told = WAYS.flatMap(({ tried }) => ('recorded' in tried ? tried.recorded : []));

  test('has every recording, and every recording has its file', () => {
    expect([...told].sort()).toEqual([...names].sort());
    expect(readdirSync(RECORDINGS).sort()).toEqual(names.map((name) => `${name}.json`).sort());
  });

  test.each(ways('byHand'))('%s: shut by hand', (_, { byHand, shutBy }) => {
    expect(judge(byHand)).toMatchObject({ open: false, unmet: { condition: shutBy } });
    const others = CONDITIONS.filter(({ name }) => name !== shutBy);
    expect(judge(byHand, others).open).toBe(true);
  });

  test.each(ways('elsewhere'))('%s: tried elsewhere', (_, tried) => {
    expect(titlesIn(readFileSync(tried.elsewhere, 'utf8'))).toContainEqual(
      expect.stringMatching(new RegExp(`^${tried.test}`)),
    );
  });

  test('nothing else is left to trust, and a title counts only where its test is run', () => {
    expect(ways('never')).toHaveLength(1);
    const titles = `test('one', x); test.skip('two', x); // three
      test.each([1])('four %i', x); describe('five', x); test.todo('six'); expect('seven');`;
    expect(titlesIn(titles)).toEqual(['one', 'four %i']);
  });
});

type Tried = (typeof WAYS)[number]['tried'];

/** Those that are tried so. */
function ways<K extends 'byHand' | 'elsewhere' | 'never'>(key: K) {
  return WAYS.flatMap(({ title, tried }) =>
    key in tried ? [[title, tried as Extract<Tried, Record<K, unknown>>] as const] : [],
  );
}

/** Of the tests that a file runs. */
function titlesIn(text: string): string[] {
  const calls = /\btest(?:\.(?:each|for)\([^;]*?\))?\(\s*(["'`])(.*?)\1/g;
  return [...text.matchAll(calls)].map(([, , title = '']) => title);
}
