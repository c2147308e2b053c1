// What a Lua variable can hold. Strings are byte strings: each character is one byte, as Lua counts them.
import type { LuaTable } from './table.ts';

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
