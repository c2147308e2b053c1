// The functions that every script has. Those that read files are refused: a check knows its object and nothing else.
import { type Arguments, type Native, nativeFunction } from './arguments.ts';
import { compileScript } from './compile.ts';
import { ScriptError } from './lexer.ts';
import { asText, isText, type Machine } from './machine.ts';
import { converted } from './number.ts';
import { parseScript } from './parser.ts';
import { isTrue, LuaError, LuaFunction, LuaTable, typeName, type Value } from './value.ts';

const FUNCTIONS: Readonly<Record<string, Native>> = {
  assert: (args) => {
    if (isTrue(args.at(1))) return args.all;
    throw args.machine.error(args.at(2) === undefined ? 'assertion failed!' : args.text(2));
  },
  collectgarbage: () => [],
  error: (args) => {
    const value = args.any(1);
    const level = args.whole(2, 1);
    if (typeof value !== 'string' || level <= 0) throw new LuaError(value);
    throw args.machine.error(value, args.machine.lineAbove(level));
  },
  getmetatable: (args) => {
    const { metatable } = metatableOf(args);
    return [metatable?.get('__metatable') ?? metatable];
  },
  load: (args) => load(args.machine, pieces(args)),
  loadstring: (args) => load(args.machine, args.text(1)),
  next: (args) => args.machine.next(args.table(1), args.at(2)) ?? [undefined],
  pcall: (args) => guarded(args, args.any(1), args.all.slice(1), (error) => [false, error]),
  print: () => [],
  rawequal: (args) => [args.any(1) === args.any(2)],
  rawget: (args) => [args.table(1).get(args.any(2))],
  rawset: (args) => {
    args.machine.rawSet(args.table(1), args.any(2), args.any(3));
    return [];
  },
  select: (args) => {
    if (args.at(1) === '#') return [args.count - 1];
    const at = args.whole(1);
    const from = at < 0 ? args.count + at : at;
    if (from < 1) throw args.wrong(1, 'index out of range');
    return args.all.slice(from);
  },
  setmetatable: (args) => {
    const { table, metatable } = metatableOf(args);
    if (metatable?.get('__metatable') !== undefined) {
      throw args.machine.error('cannot change a protected metatable');
    }
    const wanted = args.at(2) === undefined ? undefined : args.table(2);
    if (table) table.metatable = wanted;
    return [args.at(1)];
  },
  tonumber: (args) => {
    const value = args.any(1);
    if (typeof value !== 'string') return [typeof value === 'number' ? value : undefined];
    return [converted(value, args.at(2) === undefined ? undefined : args.whole(2))];
  },
  tostring: (args) => [args.machine.toText(args.any(1))],
  type: (args) => [typeName(args.any(1))],
  unpack: (args) => {
    const table = args.table(1);
    const [from, to] = [args.whole(2, 1), args.whole(3, table.length)];
    const count = Math.max(0, to - from + 1);
    args.machine.meter.take(count * 16);
    return Array.from({ length: count }, (_, at) => table.list[from + at - 1]);
  },
  xpcall: (args) => {
    const handler = args.function(2);
    return guarded(args, args.function(1), [], (error) => [
      false,
      ...args.machine.call(handler, [error], args.machine.line),
    ]);
  },
};

export function openBase(machine: Machine): void {
  const { globals } = machine;
  for (const [name, native] of Object.entries(FUNCTIONS)) {
    globals.set(name, nativeFunction(machine, name, native));
  }
  globals.set('_G', globals);
  globals.set('_VERSION', 'Lua 5.1');
  const following = nativeFunction(machine, 'next', (args) => {
    return args.machine.next(args.table(1), args.at(2)) ?? [];
  });
  const counting = nativeFunction(machine, 'ipairs', (args) => {
    const at = args.whole(2) + 1;
    const value = args.table(1).list[at - 1];
    return value === undefined ? [] : [at, value];
  });
  const pairs: Native = (args) => [following, args.table(1), undefined];
  const ipairs: Native = (args) => [counting, args.table(1), 0];
  globals.set('pairs', nativeFunction(machine, 'pairs', pairs));
  globals.set('ipairs', nativeFunction(machine, 'ipairs', ipairs));
}

function metatableOf(args: Arguments): { table?: LuaTable; metatable?: LuaTable | undefined } {
  const value = args.any(1);
  if (value instanceof LuaTable) return { table: value, metatable: value.metatable };
  return typeof value === 'string' ? { metatable: args.machine.strings } : {};
}

/** Only what scripts raise is caught: a limit ends them all the same. */
function guarded(
  { machine }: Arguments,
  callee: Value,
  args: readonly Value[],
  failed: (error: Value) => readonly Value[],
): readonly Value[] {
  if (!(callee instanceof LuaFunction || machine.metamethod(callee, '__call') !== undefined)) {
    return failed(`attempt to call a ${typeName(callee)} value`);
  }
  const { line } = machine;
  try {
    return [true, ...machine.call(callee, args, line)];
  } catch (error) {
    if (!(error instanceof LuaError)) throw error;
    machine.line = line;
    return failed(error.value);
  }
}

function pieces(args: Arguments): string {
  const reader = args.function(1);
  const parts: string[] = [];
  for (;;) {
    const [part] = args.machine.call(reader, [], args.machine.line);
    if (!isText(part) || part === '') return parts.join('');
    args.machine.meter.take(asText(part).length);
    parts.push(asText(part));
  }
}

function load(machine: Machine, script: string): readonly Value[] {
  machine.meter.step(100 + script.length * 10);
  try {
    return [compileScript(machine, parseScript(script))];
  } catch (error) {
    if (!(error instanceof ScriptError)) throw error;
    return [undefined, `<string> line:${error.line}: ${error.message}`];
  }
}
