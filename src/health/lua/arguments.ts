// What a library function was called with, checked by gopher-lua's rules: a number is a text too, and the other way round.
import { asText, isText, type Machine, numberFrom } from './machine.ts';
import { type LuaError, LuaFunction, LuaTable, typeName, type Value } from './value.ts';

export class Arguments {
  readonly machine: Machine;
  readonly all: readonly Value[];

  constructor(machine: Machine, all: readonly Value[]) {
    this.machine = machine;
    this.all = all;
  }

  get count(): number {
    return this.all.length;
  }

  /** Arguments are counted from 1. */
  at(place: number): Value {
    return this.all[place - 1];
  }

  any(place: number): Value {
    if (place > this.count) throw this.wrong(place, 'value expected');
    return this.at(place);
  }

  text(place: number): string {
    const value = this.at(place);
    if (isText(value)) return asText(value);
    throw this.#expected(place, 'string');
  }

  number(place: number): number {
    const value = numberFrom(this.at(place));
    if (value === undefined) throw this.#expected(place, 'number');
    return value;
  }

  whole(place: number, otherwise?: number): number {
    if (otherwise !== undefined && this.at(place) === undefined) return otherwise;
    return Math.trunc(this.number(place));
  }

  table(place: number): LuaTable {
    const value = this.at(place);
    if (value instanceof LuaTable) return value;
    throw this.#expected(place, 'table');
  }

  function(place: number): LuaFunction {
    const value = this.at(place);
    if (value instanceof LuaFunction) return value;
    throw this.#expected(place, 'function');
  }

  wrong(place: number, message: string): LuaError {
    return this.machine.error(`bad argument #${place} to (anonymous) (${message})`);
  }

  #expected(place: number, type: string): LuaError {
    return this.wrong(place, `${type} expected, got ${typeName(this.at(place))}`);
  }
}

/** A library function: what it is given -> what it gives. */
export type Native = (args: Arguments) => readonly Value[];

export function libraryOf(machine: Machine, functions: Readonly<Record<string, Native>>): LuaTable {
  const library = new LuaTable();
  for (const [name, native] of Object.entries(functions)) {
    library.set(name, nativeFunction(machine, name, native));
  }
  return library;
}

export function nativeFunction(machine: Machine, name: string, native: Native): LuaFunction {
  return new LuaFunction(name, (args) => native(new Arguments(machine, args)));
}
