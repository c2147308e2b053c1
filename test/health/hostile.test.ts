// Scripts that mean no good end with an error, soon, and the process lives.
import { describe, expect, test } from 'vitest';
import { evaluate } from '../../src/health/evaluate.ts';
import { clock } from './clock.ts';

/** Argo CD's own limit is a second; some is added for a machine that is busy with other tests. */
const SOON_MS = 1500;

function attempt(script: string): string {
  const start = clock.monotonic();
  const result = evaluate(script, { kind: 'Any' }, { openLibs: true, clock });
  expect(clock.monotonic() - start).toBeLessThan(SOON_MS);
  return 'error' in result ? result.error : `no error: ${JSON.stringify(result)}`;
}

const ENDLESS = /^it does not end: |^it takes too long: /;
const TOO_LARGE = /^it needs too much memory: stopped at 32 MB$/;
const EITHER = new RegExp(`${ENDLESS.source}|${TOO_LARGE.source}`);

describe('endless', () => {
  test.each([
    ['a loop', 'while true do end'],
    ['a loop that repeats', 'repeat until false'],
    ['a jump', '::again:: goto again'],
    ['calls that need no stack', 'local function f() return f() end return f()'],
    ['a loop inside pcall', 'while true do pcall(function() while true do end end) end'],
    ['a loop inside an error handler', 'xpcall(error, function() while true do end end)'],
    ['a pattern that tries everything', 's = ("a"):rep(5000) return s:find(("a*"):rep(60) .. "b")'],
    ['a loop over a list that is never at its end', 'for i = 1, math.huge do end'],
    [
      'an order that is none',
      't = {} for i = 1, 1e5 do t[i] = 1 end table.sort(t, function() while true do end end)',
    ],
    ['code that loads code', 'while true do load(function() return nil end) end'],
    [
      'the length of a list of nils',
      't = {} t[1e6] = 1 t[1e6] = nil while true do local n = #t end',
    ],
  ])('%s', (_, script) => expect(attempt(script)).toMatch(EITHER));
});

describe('huge', () => {
  test.each([
    ['a text that doubles', 's = "x" while true do s = s .. s end'],
    ['a text made at once', 'return ("x"):rep(1e9)'],
    ['a text longer than any', 'return ("x"):rep(1e300)'],
    ['a list with one far item', 't = {} t[6e7] = 1'],
    ['a list that grows', 't = {} for i = 1, 1e9 do t[i] = { i } end'],
    ['tables in tables', 't = {} while true do t = { t } end'],
    ['values without end', 'return unpack({}, 1, 1e8)'],
    ['replacements', 's = "x" while true do s = s:gsub(".", "%0%0%0") end'],
    ['padding', 'while true do s = string.format("%999d", 1) end'],
  ])('%s', (_, script) => expect(attempt(script)).toMatch(EITHER));

  test('a script', () => {
    expect(attempt('-- '.padEnd(300_000, 'x'))).toBe('it is longer than 262144 characters');
  });
});

describe('deep', () => {
  test.each([
    ['recursion', 'local function f() return 1 + f() end return f()', /stack overflow$/],
    [
      'recursion through a metatable',
      't = setmetatable({}, { __index = function(t, k) return t[k] end }) return t.x',
      /stack overflow$/,
    ],
    [
      'a metatable of itself',
      't = setmetatable({}, {}) getmetatable(t).__index = t return t.x',
      /too many recursions in gettable$/,
    ],
    ['parentheses', `return ${'('.repeat(50_000)}1${')'.repeat(50_000)}`, /nested too deeply$/],
    [
      'tables as they are written',
      `return ${'{'.repeat(50_000)}${'}'.repeat(50_000)}`,
      /nested too deeply$/,
    ],
    ['a chain of choices', `return ${'nil or '.repeat(30_000)}{}`, /nested too deeply$/],
  ])('%s', (_, script, expected) => expect(attempt(script)).toMatch(expected));
});

describe('the outside', () => {
  test.each([
    'os.execute("true")',
    'os.exit(1)',
    'os.getenv("HOME")',
    'os.remove("x")',
    'io.open("/etc/passwd")',
    'io.popen("true")',
    'io.lines("/etc/passwd")',
    'dofile("/etc/passwd")',
    'loadfile("/etc/passwd")',
    'debug.getinfo(1)',
    'coroutine.create(print)',
    'setfenv(1, {})',
  ])('%s is refused by name', (script) => {
    const name = script.slice(0, script.indexOf('('));
    const message = `line 1: ${name} is not available: a health check sees its object and nothing else`;
    expect(attempt(script)).toBe(message);
  });

  test('require knows only os', () => {
    expect(attempt('require("fs")')).toBe('line 1: there is no module fs: only os can be required');
    expect(attempt('return { status = "Healthy", message = type(require("os").time()) }')).toBe(
      'no error: {"health":{"status":"Healthy","message":"number"}}',
    );
  });

  test.each(['string', 'math', 'os', 'io'])('without useOpenLibs there is no %s', (library) => {
    const script = `return { status = "Healthy", message = type(${library}) }`;
    const result = evaluate(script, {}, { openLibs: false, clock });
    expect(result).toEqual({ health: { status: 'Healthy', message: 'nil' } });
  });

  test('nothing is left of the run before', () => {
    attempt('pairs = nil; table.insert = nil; string.x = 1; planted = true');
    const script =
      'return { status = "Healthy", message = type(pairs) .. type(table.insert) .. type(string.x) .. type(planted) }';
    expect(attempt(script)).toContain('functionfunctionnilnil');
  });
});
