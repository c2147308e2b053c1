// How Argo CD takes what a check returns.
import { expect, test } from 'vitest';
import { lua, run } from '../../test/fakes/lua.ts';
import { evaluate } from './evaluate.ts';

const health = (status: string, message = '') => ({ health: { status, message } });
const NOTHING = health('');
const noJson = (reason: string) => ({
  error: `It returns a table that is no JSON: ${reason}. Return only status and message.`,
});

test.each([
  ['nothing', '', NOTHING],
  ['nil', 'return nil', NOTHING],
  ['an empty table', 'return {}', NOTHING],
  ['a list', 'return { "Healthy" }', NOTHING],
  ['a status that is no text', 'return { status = 5 }', NOTHING],
  ['a message that is no text', 'return { status = "Healthy", message = {} }', NOTHING],
  ['no message', 'return { status = "Healthy" }', health('Healthy')],
  ['names in capitals', 'return { Status = "Missing" }', health('Missing')],
  ['the last of several', 'return 1, { status = "Degraded" }', health('Degraded')],
  [
    'a status that there is not',
    'return { status = "Fine" }',
    health('Unknown', 'Lua returned an invalid health status'),
  ],
  [
    'a text',
    'return "Healthy"',
    { error: 'It returns a string. Return a table with status and message.' },
  ],
  ['a function in it', 'return { status = print }', noJson('cannot encode function to JSON')],
  [
    'keys of two types',
    'return { a = 1, [true] = 2 }',
    noJson('cannot encode mixed or invalid key types'),
  ],
  [
    'itself',
    'local t = {} t.a = t return t',
    noJson('cannot encode recursively nested tables to JSON'),
  ],
  ['a list with holes', 'return { a = { 1, nil, 3 } }', noJson('cannot encode sparse array')],
  [
    'an error',
    'local x = obj.status.phase',
    { error: "line 1: attempt to index a non-table object(nil) with key 'phase'" },
  ],
  ['an error of several lines', 'error("a\\nb", 0)', { error: 'a\nb' }],
  ['a script that cannot be read', 'return {\n]', { error: "line 2: syntax error near ']'" }],
  ['a script without an end', 'return {', { error: 'syntax error at the end of the script' }],
  [
    'a jump to nowhere',
    'goto away',
    { error: "line 2: no visible label 'away' for <goto> at line 1" },
  ],
] as const)('%s', async (_, script, expected) => expect(await run(script, {})).toEqual(expected));

test('an error that is a table has no words', async () => {
  expect(await run('error({})', {})).toEqual({ error: expect.stringMatching(/^table: 0x/) });
});

test('the object comes as tables: null leaves no trace, numbers are numbers, texts are bytes', async () => {
  const object = { a: null, list: [1, null, 2.5], text: 'Größe', yes: true };
  const script = `
    return { status = "Healthy", message = type(obj.a) .. #obj.list .. obj.list[2] .. #obj.text .. obj.text .. tostring(obj.yes) }`;
  expect(await run(script, object)).toEqual(health('Healthy', 'nil22.57Größetrue'));
});

test.each([
  ['indented in odd ways', 'a:\n- b\n-   c\nstatus:\n    phase: x\n', 'x2'],
  ['the first of two documents', 'status: {phase: x}\n---\nstatus: {phase: y}\n', 'x0'],
  ['with an alias', 'a: &a [1, 2, 3]\nb: *a\nstatus: {phase: x}\n', 'x3'],
  ['with a long text of odd indentation', 'a: [1]\nstatus:\n  phase: "x\ny"\n', 'x y1'],
])('an object %s is read as Go reads it', async (_, object, message) => {
  const script = 'return { status = "Healthy", message = obj.status.phase .. #(obj.a or {}) }';
  const result = await evaluate(script, object, { lua, openLibs: false });
  expect(result).toEqual(health('Healthy', message));
});

test.each([
  ['no YAML', '[', /^The object cannot be read: yaml: line 1: .*\. Fix its YAML\.$/],
  ['a list', '[1]', /^The object cannot be read: .* cannot unmarshal array .*\. Fix its YAML\.$/],
])('an object that is %s', async (_, object, error) => {
  const result = await evaluate('return {}', object, { lua, openLibs: false });
  expect(result).toEqual({ error: expect.stringMatching(error) });
});
