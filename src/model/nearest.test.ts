import { expect, test } from 'vitest';
import { suggestFrom } from './nearest.ts';

const suggest = suggestFrom(['cert-manager', 'ceph-cluster', 'vault', 'stack:data']);

test.each([
  ['cert-manger', 'cert-manager'],
  ['vualt', 'vault'],
  ['Vault', 'vault'],
  ['stack:dat', 'stack:data'],
])('%s is meant as %s', (wrong, right) => expect(suggest(wrong)).toBe(right));

test.each([
  ['manager', 'cert-manager'],
  ['Cluster', 'ceph-cluster'],
])('%s is part of %s', (part, whole) => expect(suggest(part)).toBe(whole));

test('of several names the shortest one is meant', () => {
  const traefik = suggestFrom(['sx-traefik-dashboard', 'sx-traefik', 'traefik-of-another-team']);
  expect(traefik('traefik')).toBe('sx-traefik');
});

test.each(['er', ''])('%o is part of too many names', (part) => {
  expect(suggest(part)).toBeUndefined();
});

test('nothing is near', () => expect(suggest('prometheus')).toBeUndefined());

test('guessing stops when there are very many errors', () => {
  const slow = suggestFrom(Array.from({ length: 150_000 }, (_, n) => `app-${n}`));
  expect(slow('app-x')).toBeDefined();
  expect(slow('app-y')).toBeUndefined();
  // What is known already costs nothing.
  expect(slow('app-x')).toBeDefined();
});
