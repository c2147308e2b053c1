// A script and what it is given -> what it returns. Every run begins with nothing from the runs before.
import type { Clock } from '../../ports/clock.ts';
import { nativeFunction } from './arguments.ts';
import { openBase } from './base-library.ts';
import { compileScript } from './compile.ts';
import { asLimit, Machine } from './machine.ts';
import { LIMITS, LimitError, type Limits, Meter } from './meter.ts';
import { mathLibrary, osLibrary, refused, refusedLibrary } from './other-libraries.ts';
import { parseScript } from './parser.ts';
import { stringLibrary } from './string-library.ts';
import { tableLibrary } from './table-library.ts';
import { bytesOf, LuaTable, type Value } from './value.ts';

export interface ScriptOptions {
  /** Argo CD's useOpenLibs: text, mathematics and the rest, not only the language and its tables. */
  readonly openLibs: boolean;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  readonly limits?: Limits | undefined;
}

/** A ConfigMap holds a megabyte, and all checks with the rest of the settings must fit. */
const SCRIPT_MAX = 256 * 1024;

const REFUSED_GLOBALS = ['dofile', 'getfenv', 'loadfile', 'module', 'newproxy', 'setfenv'];
const REFUSED: Readonly<Record<string, readonly string[]>> = {
  io: [
    'close',
    'flush',
    'input',
    'lines',
    'open',
    'output',
    'popen',
    'read',
    'tmpfile',
    'type',
    'write',
  ],
  debug: [
    'getfenv',
    'getinfo',
    'getlocal',
    'getmetatable',
    'getupvalue',
    'setfenv',
    'setlocal',
    'setmetatable',
    'traceback',
  ],
  coroutine: ['create', 'resume', 'running', 'status', 'wrap', 'yield'],
  channel: ['make', 'select'],
};
const REFUSED_OS = [
  'clock',
  'difftime',
  'execute',
  'exit',
  'getenv',
  'remove',
  'rename',
  'setenv',
  'setlocale',
  'tmpname',
];

/** The last value that the script returns, as Argo CD takes it. Throws ScriptError, LuaError or LimitError. */
export function runScript(script: string, object: unknown, options: ScriptOptions): Value {
  const machine = new Machine(new Meter(options.limits ?? LIMITS, options.clock.monotonic));
  openLibraries(machine, options);
  if (script.length > SCRIPT_MAX)
    throw new LimitError(`it is longer than ${SCRIPT_MAX} characters`);
  try {
    const main = compileScript(machine, parseScript(bytesOf(script)));
    machine.globals.set('obj', toLua(machine, object));
    return machine.call(main, [], 0).at(-1);
  } catch (error) {
    throw asLimit(error);
  }
}

function openLibraries(machine: Machine, { openLibs, clock }: ScriptOptions): void {
  const { globals } = machine;
  openBase(machine);
  for (const name of REFUSED_GLOBALS)
    globals.set(name, nativeFunction(machine, name, refused(name)));
  const os = osLibrary(machine, clock.now);
  const tables = tableLibrary(machine);
  globals.set('table', tables);
  // Argo CD registers its safe functions of `os` here, whatever it meant.
  for (const name of ['time', 'date']) tables.set(name, os.get(name));
  const loaded = new Map<Value, LuaTable>([
    ['os', os],
    ['table', tables],
  ]);
  if (openLibs) openMore(machine, os, loaded);
  globals.set(
    'require',
    nativeFunction(machine, 'require', (args) => {
      const library = loaded.get(args.text(1));
      if (library) return [library];
      throw machine.error(`there is no module ${args.text(1)}: only os can be required`);
    }),
  );
}

function openMore(machine: Machine, os: LuaTable, loaded: Map<Value, LuaTable>): void {
  machine.strings = stringLibrary(machine);
  const libraries: [string, LuaTable][] = [
    ['string', machine.strings],
    ['math', mathLibrary(machine)],
    ['os', os],
    ...Object.entries(REFUSED).map(([name, functions]): [string, LuaTable] => {
      return [name, refusedLibrary(machine, name, functions)];
    }),
  ];
  const refusedOs = refusedLibrary(machine, 'os', REFUSED_OS);
  for (const name of REFUSED_OS) os.set(name, refusedOs.get(name));
  for (const [name, library] of libraries) {
    machine.globals.set(name, library);
    loaded.set(name, library);
  }
}

/** Null is nil: it leaves no trace in a table, and no hole in a list. */
function toLua(machine: Machine, value: unknown): Value {
  if (typeof value === 'string') return bytesOf(value);
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value !== 'object' || value === null) return undefined;
  const table = new LuaTable();
  if (Array.isArray(value)) {
    for (const item of value) table.append(toLua(machine, item));
  } else {
    for (const [key, item] of Object.entries(value)) {
      const converted = toLua(machine, item);
      if (converted !== undefined) table.set(bytesOf(key), converted);
    }
  }
  return table;
}
