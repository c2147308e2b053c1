import { expect, test } from 'vitest';
import { expiryWarning } from './argocd-token.ts';

const DAY = 86_400;
const NOW = 1_794_700_800; // 2026-11-15T00:00:00Z
const AT = '2026-11-';

test.each<[string, number | undefined, string | undefined]>([
  ['one that does not expire', undefined, undefined],
  ['one that is good for long', NOW + 14 * DAY + 1, undefined],
  ['one of the last days', NOW + 14 * DAY, `expires at ${AT}29T00:00:00.000Z`],
  ['one of the last second', NOW + 1, `expires at ${AT}15T00:00:01.000Z`],
  ['one of a moment ago', NOW, `has expired at ${AT}15T00:00:00.000Z`],
])('%s', (_, expires, said) => {
  const of = (secret: string | undefined) => expiryWarning({ secret, expires }, NOW);
  expect(of(undefined)).toBe(said && `the Argo CD token ${said}`);
  expect(of('s')).toBe(said && `the Argo CD token in the Secret "s" ${said}`);
});
