// What a Lua variable can hold. Strings are byte strings: each character is one byte, as Lua counts them.
import { isWhole } from './number.ts';

export class LuaFunction {
  readonly name: string;
  readonly run: (args: readonly Value[]) => readonly Value[] | TailCall;

  constructor(name: string, run: LuaFunction['run']) {
    this.name = name;
    this.run = run;
  }
}

/** `return f(x)`: done by the caller, so that it needs no room on the stack. */
export class TailCall {
  readonly callee: Value;
  readonly args: readonly Value[];
  readonly line: number;

  constructor(callee: Value, args: readonly Value[], line: number) {
    this.callee = callee;
    this.args = args;
    this.line = line;
  }
}

/** Undefined is nil. */
export type Value = undefined | boolean | number | string | LuaTable | LuaFunction;

const LIST_MAX = 67_108_864;

/**
 * With the habits of gopher-lua that scripts can see: what counts as the list of a table, how long that is, and the order of
 * its keys, which is that of their first use.
 */
export class LuaTable {
  /** From index 1 on, with holes. */
  list: Value[] = [];
  metatable: LuaTable | undefined;
  /** How many empty places the last `next` went past. */
  skipped = 0;
  #keys: Value[] = [];
  #values: Value[] = [];
  #places = new Map<Value, number>();

  get(key: Value): Value {
    if (typeof key === 'number' && inList(key)) return this.list[key - 1];
    const place = this.#places.get(key);
    return place === undefined ? undefined : this.#values[place];
  }

  /** The key is neither nil nor NaN; whoever calls has seen to that. */
  set(key: Value, value: Value): void {
    if (typeof key === 'number' && inList(key)) {
      while (this.list.length < key - 1) this.list.push(undefined);
      this.list[key - 1] = value;
      return;
    }
    const place = this.#places.get(key);
    if (place !== undefined) this.#values[place] = value;
    else if (value !== undefined) {
      this.#places.set(key, this.#keys.length);
      this.#keys.push(key);
      this.#values.push(value);
    }
  }

  /** How many places a key would add: what it costs to set it. */
  growth(key: Value): number {
    if (typeof key === 'number' && inList(key)) return Math.max(0, key - this.list.length);
    return this.#places.has(key) ? 0 : 1;
  }

  get length(): number {
    let length = this.list.length;
    while (length > 0 && this.list[length - 1] === undefined) length--;
    return length;
  }

  append(value: Value): void {
    if (value !== undefined) this.list[this.length] = value;
  }

  insert(at: number, value: Value): void {
    if (at <= 0 || at > this.list.length) this.set(at, value);
    else this.list.splice(at - 1, 0, value);
  }

  remove(at: number): Value {
    const index = at - 1;
    if (index >= this.list.length) return undefined;
    if (index < 0) return this.list.pop();
    return this.list.splice(index, 1)[0];
  }

  /** The pair after this key; nil begins. */
  next(key: Value): readonly [Value, Value] | undefined {
    this.skipped = 0;
    let index = 0;
    if (key === undefined || (typeof key === 'number' && inList(key))) {
      for (let at = key ?? 0; at < this.list.length; at++) {
        if (this.list[at] !== undefined) return [at + 1, this.list[at]];
        this.skipped++;
      }
    } else {
      index = (this.#places.get(key) ?? 0) + 1;
    }
    for (; index < this.#keys.length; index++) {
      if (this.#values[index] !== undefined) return [this.#keys[index], this.#values[index]];
      this.skipped++;
    }
    return undefined;
  }
}

function inList(key: number): boolean {
  return key > 0 && key < LIST_MAX && isWhole(key);
}

/** What `error` raises: any value. A script can catch it. */
export class LuaError extends Error {
  readonly value: Value;

  constructor(value: Value) {
    super(typeof value === 'string' ? textOf(value) : `(error object is a ${typeName(value)})`);
    this.name = 'LuaError';
    this.value = value;
  }
}

export function typeName(value: Value): string {
  if (value === undefined) return 'nil';
  if (typeof value === 'object') return value instanceof LuaFunction ? 'function' : 'table';
  return typeof value;
}

export const isTrue = (value: Value): boolean => value !== undefined && value !== false;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export function bytesOf(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII is its own bytes, all of it.
  if (/^[\x00-\x7f]*$/.test(text)) return text;
  return Array.from(encoder.encode(text), (byte) => String.fromCharCode(byte)).join('');
}

export function textOf(bytes: string): string {
  return decoder.decode(Uint8Array.from(bytes, (char) => char.charCodeAt(0)));
}
