// The gate, on what a real Argo CD showed: through the same mapping as in a run.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { CONDITIONS } from '../../src/node/gate.ts';
import { evidenceOf, judged, type Recording } from './recording.ts';
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

test('every condition was seen to be needed', () => {
  const seen = new Set<string>(names.map((name) => RECORDED[name].shutBy));
  expect(CONDITIONS.map(({ name }) => name).filter((name) => !seen.has(name))).toEqual([]);
});

describe('the list of ways', () => {
  const told = WAYS.flatMap(({ tried }) => ('recorded' in tried ? tried.recorded : []));

  test('has every recording, and every recording has its file', () => {
    expect([...told].sort()).toEqual([...names].sort());
    expect(readdirSync(RECORDINGS).sort()).toEqual(names.map((name) => `${name}.json`).sort());
  });

  test.each(WAYS.map((way) => [way.title, way.tried] as const))('%s', (_, tried) => {
    if ('byHand' in tried)
      expect(readFileSync('src/node/gate.test.ts', 'utf8')).toContain(tried.byHand);
    if ('elsewhere' in tried) expect(readFileSync(tried.elsewhere, 'utf8')).toContain(tried.test);
  });
});
