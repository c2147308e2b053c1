// Scripts that mean no good end with an error that says what to do, and the next script runs as if nothing had been.
import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { run } from '../../test/fakes/lua.ts';
import { createInstance } from './instance.ts';
import { createSystem } from './system.ts';

async function attempt(script: string): Promise<string> {
  const result = await run(script, { kind: 'Any' }, true);
  return 'error' in result ? result.error : `no error: ${JSON.stringify(result)}`;
}

afterEach(async () => {
  const next = await run('return { status = "Healthy", message = obj.kind }', { kind: 'Any' });
  expect(next).toEqual({ health: { status: 'Healthy', message: 'Any' } });
});

const LATE =
  'It ran longer than 1.2 s. Argo CD stops a check after 1 s: shorten loops, patterns and texts.';
const TOO_LARGE = 'It needs more than 128 MB of memory. Build shorter texts and smaller tables.';
const TOO_DEEP = 'It nests too deeply. Write it, and what it returns, with fewer levels.';
const REFUSED = [LATE, TOO_LARGE, TOO_DEEP];
const NOTHING = 'no error: {"health":{"status":"","message":""}}';

describe('endless', () => {
  test.each([
    ['a loop', 'while true do end'],
    ['a jump', '::again:: goto again'],
    ['calls that need no stack', 'local function f() return f() end return f()'],
    ['a loop inside pcall', 'while true do pcall(function() while true do end end) end'],
    ['a loop inside an error handler', 'xpcall(error, function() while true do end end)'],
    ['a pattern that tries everything', 's = ("a"):rep(5000) return s:find(("a*"):rep(60) .. "b")'],
    ['numbers of blanks', 's = (" "):rep(65536) while true do tonumber(s) end'],
    [
      'comparisons of long texts',
      's = ("x"):rep(7e6) a, b = s .. "a", s .. "b" while true do c = a < b end',
    ],
  ])('%s', async (_, script) => expect(await attempt(script)).toBe(LATE));
});

describe('heavy', () => {
  test.each([
    ['500 comparisons of 7 MB', 's = ("x"):rep(7e6) for i = 1, 500 do c = s .. "a" < s .. "b" end'],
    ['a text that doubles', 's = "x" while true do s = s .. s end'],
    ['a deep result', 't = {} r = t for i = 1, 1e5 do t.a = {} t = t.a end return r'],
    ['a list with one far item', 't = {} t[6e7] = 1 while true do end'],
    ['a list that grows', 't = {} for i = 1, 1e9 do t[i] = { i } end'],
    ['replacements', 's = "x" while true do s = s:gsub(".", "%0%0%0") end'],
    ['tables as they are written', `return ${'{'.repeat(50_000)}${'}'.repeat(50_000)}`],
  ])('%s', async (_, script) => expect(REFUSED).toContain(await attempt(script)));

  test('a pattern of 6 MB ends one way or the other', async () => {
    const outcome = await attempt('s = ("a"):rep(30):find(("a?"):rep(3e6))');
    expect([...REFUSED, NOTHING]).toContain(outcome);
  });

  test('64 KB of blanks are no number', async () => {
    expect(await attempt('s = tonumber((" "):rep(65536))')).toBe(NOTHING);
  });
});

test('a result that nests too deeply says so, given all the time that it takes', async () => {
  const engine = brotliDecompressSync(readFileSync('lua/engine.wasm.br'));
  const instance = createInstance(await WebAssembly.compile(engine));
  const script = 't = {} r = t for i = 1, 1e4 do t.a = {} t = t.a end return r';
  const told = () => {
    try {
      return instance.ask({ script, object: '{}', openLibs: true });
    } catch (error) {
      return instance.explain(error);
    }
  };
  expect(told()).toBe(TOO_DEEP);
});

describe('huge', () => {
  test('a text', async () => expect(await attempt('return ("x"):rep(1e9)')).toBe(TOO_LARGE));

  test('the memory of an instance cannot grow beyond 128 MB', async () => {
    const bytes = brotliDecompressSync(readFileSync('lua/engine.wasm.br'));
    const module = await WebAssembly.compile(bytes);
    const system = createSystem(() => memory.buffer);
    const instance = new WebAssembly.Instance(module, system.importsOf(module));
    const memory = instance.exports.memory as WebAssembly.Memory;
    const page = 64 * 1024;
    memory.grow((128 * 1024 * 1024 - memory.buffer.byteLength) / page);
    expect(() => memory.grow(1)).toThrow(RangeError);
  });
});

test.each([
  ['recursion', 'local function f() return 1 + f() end return f()', /^line 1: stack overflow$/],
  [
    'recursion through a metatable',
    't = setmetatable({}, { __index = function(t, k) return t[k] end }) return t.x',
    /stack overflow$/,
  ],
  ['a wait for nobody', 'channel.make():receive()', /^The interpreter stopped: .*deadlock/],
  ['an exit', 'os.exit(0)', /^It calls os\.exit, which would end Argo CD\. Return a status/],
])('%s', async (_, script, expected) => expect(await attempt(script)).toMatch(expected));

describe('the outside', () => {
  const outcome = (expression: string) =>
    attempt(`return { status = "Healthy", message = tostring(${expression}) }`);
  const says = (message: string) =>
    `no error: ${JSON.stringify({ health: { status: 'Healthy', message } })}`;

  test.each([
    ['os.getenv("PATH")', 'nil'],
    ['os.execute("true")', '1'],
    ['select(2, io.open("/etc/passwd"))', 'open /etc/passwd: Bad file number'],
    ['select(2, io.open("/tmp/x", "w"))', 'open /tmp/x: Bad file number'],
    ['select(2, io.popen("true"))', 'pipe: Not implemented on wasip1'],
    ['select(2, os.remove("package.json"))', 'remove package.json: Bad file number'],
    ['select(2, loadfile("package.json"))', 'can not open file: package.json'],
    ['select(2, pcall(dofile, "package.json"))', 'open package.json: Bad file number'],
  ])('%s reaches nothing', async (expression, message) => {
    expect(await outcome(expression)).toBe(says(message));
  });

  test('what a script prints is heard nowhere', async () => {
    expect(await attempt('print("x") io.write("x") io.stderr:write("x")')).toBe(NOTHING);
  });

  test('of what can be required there is only os', async () => {
    expect(await attempt('require("fs")')).toMatch(/^line 1: module fs not found/);
    const time = 'return { status = "Healthy", message = type(require("os").time()) }';
    expect(await run(time, {})).toEqual({ health: { status: 'Healthy', message: 'number' } });
  });

  test.each(['string', 'math', 'os', 'io'])('without useOpenLibs there is no %s', async (name) => {
    const script = `return { status = "Healthy", message = type(${name}) }`;
    expect(await run(script, {})).toEqual({ health: { status: 'Healthy', message: 'nil' } });
  });

  test('nothing is left of the run before', async () => {
    await attempt('pairs = nil table.insert = nil string.x = 1 planted = true os.setenv("X", "1")');
    const message =
      'type(pairs) .. type(table.insert) .. type(string.x) .. type(planted) .. type(os.getenv("X"))';
    expect(await outcome(message)).toBe(says('functionfunctionnilnilnil'));
  });
});
