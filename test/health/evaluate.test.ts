// How Argo CD takes what a check returns.
import { expect, test } from 'vitest';
import { evaluate } from '../../src/health/evaluate.ts';
import { clock } from './clock.ts';

const run = (script: string, object: unknown = {}) =>
  evaluate(script, object, { openLibs: false, clock });
const NOTHING = { health: { status: '', message: '' } };

test.each([
  ['nothing', '', NOTHING],
  ['nil', 'return nil', NOTHING],
  ['an empty table', 'return {}', NOTHING],
  ['a list', 'return { "Healthy" }', NOTHING],
  ['a status that is no text', 'return { status = 5 }', NOTHING],
  ['a message that is no text', 'return { status = "Healthy", message = {} }', NOTHING],
  ['no message', 'return { status = "Healthy" }', { health: { status: 'Healthy', message: '' } }],
  [
    'names in capitals',
    'return { Status = "Missing" }',
    { health: { status: 'Missing', message: '' } },
  ],
  [
    'the last of several',
    'return 1, { status = "Degraded" }',
    { health: { status: 'Degraded', message: '' } },
  ],
  [
    'a status that there is not',
    'return { status = "Fine" }',
    { health: { status: 'Unknown', message: 'Lua returned an invalid health status' } },
  ],
  ['a text', 'return "Healthy"', { error: 'it returns a string where a table is expected' }],
  [
    'a function in it',
    'return { status = print }',
    { error: 'it returns a table with a function' },
  ],
  [
    'keys of two types',
    'return { a = 1, [true] = 2 }',
    { error: 'it returns a table with keys of several types' },
  ],
  [
    'itself',
    'local t = {} t.a = t return t',
    { error: 'it returns a table that holds another one twice' },
  ],
  ['a list with holes', 'return { a = { 1, nil, 3 } }', { error: 'it returns a table with holes' }],
  [
    'an error',
    'local x = obj.status.phase',
    { error: "line 1: attempt to index a non-table object(nil) with key 'phase'" },
  ],
  ['an error that is a table', 'error({})', { error: '(error object is a table)' }],
  ['a script that cannot be read', 'return {\n]', { error: 'line 2: unexpected "]"' }],
] as const)('%s', (_, script, expected) => expect(run(script)).toEqual(expected));

test('the object comes as tables: null leaves no trace, numbers are numbers, texts are bytes', () => {
  const object = { a: null, list: [1, null, 2.5], text: 'Größe', yes: true };
  const script = `
    return { status = "Healthy", message = type(obj.a) .. #obj.list .. obj.list[2] .. #obj.text .. obj.text .. tostring(obj.yes) }`;
  expect(run(script, object)).toEqual({
    health: { status: 'Healthy', message: 'nil22.57Größetrue' },
  });
});
