import { expect, test } from 'vitest';
import { refusalOf } from './argocd/refusal.ts';
import { foreignText } from './foreign-text.ts';
import { clusterProblem } from './kubernetes/errors.ts';

const LONG = `at https://jane:secret@git.example ${'x'.repeat(20_000)}`;
const SHOWN = `at https://***@git.example ${'x'.repeat(8_192 - 27)}...`;

test('passwords go, and what is too long is cut', () => {
  expect(foreignText(LONG)).toBe(SHOWN);
  expect(foreignText('x'.repeat(8_192))).toHaveLength(8_192);
  expect(foreignText('abc', 2)).toBe('ab...');
});

const answer = (text: string) => ({ status: 500, text, retryAfter: undefined });

test('so it is with what Kubernetes and Argo CD answer', () => {
  const said = JSON.stringify({ message: LONG, code: 13 });
  expect(clusterProblem(answer(said)).message).toContain(`failed: ${SHOWN}`);
  expect(refusalOf(answer(said)).message).toBe(SHOWN);
  expect(refusalOf(answer('x'.repeat(300))).message).toBe(`HTTP 500: ${'x'.repeat(200)}...`);
  expect(clusterProblem(answer('x'.repeat(300))).message).toContain(`${'x'.repeat(200)}...`);
});
