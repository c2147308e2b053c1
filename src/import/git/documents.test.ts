import { expect, test } from 'vitest';
import { MARKS_MAX } from '../../model/limits.ts';
import { notYaml } from './documents.ts';

test.each([
  ['kind: {{ .Values.kind }}', 'It is a template, not YAML'],
  ['kind: A\nspec: [1, 2\n', 'It is not YAML, or nests too deep, at line 3'],
  [`a: ${'x'.repeat(MARKS_MAX)}`, `It has more than ${MARKS_MAX} characters`],
])('why it is left out: %#', (text, reason) => expect(notYaml(text)).toBe(reason));
