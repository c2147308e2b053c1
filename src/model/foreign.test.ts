import { expect, test } from 'vitest';
import { z } from 'zod';
import { parsedOften, text } from './foreign.ts';

test('a schema gives the same values and the same errors however often it parses', () => {
  const schema = z.object({ name: z.string(), note: text });
  const parse = parsedOften(schema);
  for (let times = 0; times < 2_500; times++) {
    expect(parse({ name: 'a', note: null, more: 1 })).toEqual({ name: 'a', note: '' });
  }
  const wrong = { name: 'a', note: 1 };
  expect(() => parse(wrong)).toThrow(schema.safeParse(wrong).error?.message);
});
