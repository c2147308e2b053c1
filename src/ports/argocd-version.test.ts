import { expect, test } from 'vitest';
import { isTried } from './argocd-version.ts';

test.each([
  ['v3.2.11+f53c9e4', true],
  ['3.5.1', true],
  ['v3.1.99', false],
  ['v3.6.0', false],
  ['v3.20.0', false],
  ['v2.4.0', false],
  ['latest', false],
])('%s was tried: %s', (version, tried) => expect(isTried(version)).toBe(tried));
