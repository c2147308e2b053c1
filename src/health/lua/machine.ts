// What values can do: index, call, compare, add. Metatables are looked up here and nowhere else.
import { LimitError, type Meter } from './meter.ts';
import { coerced, numberText } from './number.ts';
import {
  isTrue,
  LuaError,
  LuaFunction,
  LuaTable,
  TailCall,
  typeName,
  type Value,
} from './value.ts';

const INDEX_LOOPS_MAX = 100;

export class Machine {
  readonly meter: Meter;
  readonly globals = new LuaTable();
  /** Where `("x"):upper()` looks, once there is a library of strings. */
  strings: LuaTable | undefined;
  /** The line of the call that is being made. */
  line = 0;
  readonly #lines: number[] = [];
  #identities = new WeakMap<object, number>();
  #lastIdentity = 0;

  constructor(meter: Meter) {
    this.meter = meter;
  }

  error(message: string, line = this.line): LuaError {
    return new LuaError(`<string>:${line}: ${message}`);
  }

  /** Where a function was called from that is so many calls up. */
  lineAbove(level: number): number {
    return level <= 1 ? this.line : (this.#lines.at(1 - level) ?? this.line);
  }

  metamethod(value: Value, event: string): Value {
    if (value instanceof LuaTable) return value.metatable?.get(event);
    return typeof value === 'string' ? this.strings?.get(event) : undefined;
  }

  index(object: Value, key: Value, line: number): Value {
    let current = object;
    for (let loops = 0; loops < INDEX_LOOPS_MAX; loops++) {
      if (current instanceof LuaTable) {
        const value = current.get(key);
        if (value !== undefined || !current.metatable) return value;
      }
      const next = this.metamethod(current, '__index');
      if (next === undefined) {
        if (current instanceof LuaTable) return undefined;
        throw this.#indexError(current, key, line);
      }
      if (next instanceof LuaFunction) return this.call(next, [current, key], line)[0];
      current = next;
    }
    throw this.error('too many recursions in gettable', line);
  }

  setIndex(object: Value, key: Value, value: Value, line: number): void {
    let current = object;
    for (let loops = 0; loops < INDEX_LOOPS_MAX; loops++) {
      if (current instanceof LuaTable) {
        const known = current.metatable === undefined || current.get(key) !== undefined;
        if (known || this.metamethod(current, '__newindex') === undefined) {
          this.rawSet(current, key, value, line);
          return;
        }
      }
      const next = this.metamethod(current, '__newindex');
      if (next === undefined) throw this.#indexError(current, key, line);
      if (next instanceof LuaFunction) {
        this.call(next, [current, key, value], line);
        return;
      }
      current = next;
    }
    throw this.error('too many recursions in settable', line);
  }

  rawSet(table: LuaTable, key: Value, value: Value, line = this.line): void {
    if (key === undefined) throw this.error('table index is nil', line);
    if (Number.isNaN(key)) throw this.error('table index is NaN', line);
    const growth = table.growth(key);
    if (growth > 0) this.meter.take(growth * 16 + 32);
    table.set(key, value);
  }

  #indexError(object: Value, key: Value, line: number): LuaError {
    const name = this.toText(key);
    return this.error(
      `attempt to index a non-table object(${typeName(object)}) with key '${name}'`,
      line,
    );
  }

  call(callee: Value, args: readonly Value[], line: number): readonly Value[] {
    if (this.#lines.length >= this.meter.calls) throw this.error('stack overflow', line);
    this.#lines.push(line);
    let tail = new TailCall(callee, args, line);
    try {
      for (;;) {
        this.meter.step();
        this.line = tail.line;
        const result = this.#run(tail);
        if (!(result instanceof TailCall)) return result;
        tail = result;
      }
    } finally {
      this.#lines.pop();
    }
  }

  #run({ callee, args, line }: TailCall): readonly Value[] | TailCall {
    if (callee instanceof LuaFunction) return callee.run(args);
    const handler = this.metamethod(callee, '__call');
    if (handler instanceof LuaFunction) return handler.run([callee, ...args]);
    throw this.error('attempt to call a non-function object', line);
  }

  arithmetic(operator: string, left: Value, right: Value, line: number): Value {
    const compute = ARITHMETIC[operator];
    if (!compute) throw new Error(`no operator ${operator}`);
    if (typeof left === 'number' && typeof right === 'number') return compute(left, right);
    const event = EVENTS[operator] ?? '';
    const handler = this.metamethod(left, event) ?? this.metamethod(right, event);
    if (handler instanceof LuaFunction) return this.call(handler, [left, right], line)[0];
    const [a, b] = [numberFrom(left), numberFrom(right)];
    if (a !== undefined && b !== undefined) return compute(a, b);
    const [one, two] = [a === undefined ? left : a, b === undefined ? right : b].map(typeName);
    const name = event.slice(2);
    throw this.error(`cannot perform ${name} operation between ${one} and ${two}`, line);
  }

  negative(operand: Value, line: number): Value {
    const handler = this.metamethod(operand, '__unm');
    if (handler instanceof LuaFunction) return this.call(handler, [operand], line)[0];
    const number = numberFrom(operand);
    if (number === undefined) throw this.error('__unm undefined', line);
    return -number;
  }

  length(operand: Value, line: number): Value {
    if (typeof operand === 'string') return operand.length;
    const handler = this.metamethod(operand, '__len');
    if (handler instanceof LuaFunction) return this.call(handler, [operand], line)[0];
    if (operand instanceof LuaTable) return this.lengthOf(operand);
    throw this.error('__len undefined', line);
  }

  /** Nils at the end of a list are counted past. */
  lengthOf(table: LuaTable): number {
    const { length } = table;
    this.meter.step((table.list.length - length) >> 3);
    return length;
  }

  /** So are keys whose value is gone. */
  next(table: LuaTable, key: Value): readonly [Value, Value] | undefined {
    const pair = table.next(key);
    this.meter.step(table.skipped >> 3);
    return pair;
  }

  /** From right to left, as its metamethods see it. */
  concat(values: readonly Value[], line: number): Value {
    let right = values.at(-1);
    for (let at = values.length - 2; at >= 0; at--) {
      const left = values[at];
      if (isText(left) && isText(right)) {
        const [a, b] = [asText(left), asText(right)];
        this.meter.take(a.length + b.length);
        right = a + b;
        continue;
      }
      const handler = this.metamethod(left, '__concat') ?? this.metamethod(right, '__concat');
      if (!(handler instanceof LuaFunction)) {
        const [one, two] = [left, right].map(typeName);
        throw this.error(`cannot perform concat operation between ${one} and ${two}`, line);
      }
      right = this.call(handler, [left, right], line)[0];
    }
    return right;
  }

  equal(left: Value, right: Value, line: number): boolean {
    if (left === right) return true;
    if (!(left instanceof LuaTable && right instanceof LuaTable)) return false;
    const handler = this.metamethod(left, '__eq');
    if (!(handler instanceof LuaFunction) || handler !== this.metamethod(right, '__eq'))
      return false;
    return isTrue(this.call(handler, [left, right], line)[0]);
  }

  less(left: Value, right: Value, line: number): boolean {
    return this.#compare('__lt', left, right, line, (a, b) => a < b);
  }

  lessOrEqual(left: Value, right: Value, line: number): boolean {
    return this.#compare('__le', left, right, line, (a, b) => a <= b);
  }

  #compare(
    event: string,
    left: Value,
    right: Value,
    line: number,
    holds: <T extends number | string>(a: T, b: T) => boolean,
  ): boolean {
    if (typeof left === 'number' && typeof right === 'number') return holds(left, right);
    if (typeof left === 'string' && typeof right === 'string') return holds(left, right);
    const [one, two] = [left, right].map(typeName);
    const handler = one === two ? this.metamethod(left, event) : undefined;
    if (handler instanceof LuaFunction && handler === this.metamethod(right, event)) {
      return isTrue(this.call(handler, [left, right], line)[0]);
    }
    if (one === two && event === '__le') {
      const reverse = this.metamethod(left, '__lt');
      if (reverse instanceof LuaFunction && reverse === this.metamethod(right, '__lt')) {
        return !isTrue(this.call(reverse, [right, left], line)[0]);
      }
    }
    throw this.error(`attempt to compare ${one} with ${two}`, line);
  }

  /** What `tostring` gives. */
  toText(value: Value): string {
    const handler = this.metamethod(value, '__tostring');
    if (handler instanceof LuaFunction) {
      const result = this.call(handler, [value], this.line)[0];
      if (isText(result)) return asText(result);
      throw this.error("'tostring' must return a string");
    }
    if (isText(value)) return asText(value);
    if (typeof value !== 'object') return value === undefined ? 'nil' : String(value);
    return `${typeName(value)}: 0x${this.#identity(value).toString(16).padStart(10, '0')}`;
  }

  #identity(value: object): number {
    const known = this.#identities.get(value) ?? ++this.#lastIdentity;
    this.#identities.set(value, known);
    return known;
  }
}

/** What a script did that is too much for the process and not for the meter. */
export function asLimit(error: unknown): unknown {
  if (!(error instanceof RangeError)) return error;
  return new LimitError('it is nested too deeply', { cause: error });
}

export const isText = (value: Value): value is string | number =>
  typeof value === 'string' || typeof value === 'number';

export const asText = (value: string | number): string =>
  typeof value === 'number' ? numberText(value) : value;

export function numberFrom(value: Value): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' ? coerced(value) : undefined;
}

const EVENTS: Readonly<Record<string, string>> = {
  '+': '__add',
  '-': '__sub',
  '*': '__mul',
  '/': '__div',
  '%': '__mod',
  '^': '__pow',
};

const ARITHMETIC: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': modulo,
  '^': (a, b) => a ** b,
};

/** The result has the sign of the divisor. */
export function modulo(a: number, b: number): number {
  const rest = a % b;
  return (b > 0 && rest < 0) || (b < 0 && rest > 0) ? rest + b : rest;
}
