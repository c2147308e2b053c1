// The library `string`. Its strings are bytes; only upper and lower know of letters beyond ASCII, as in gopher-lua.
import { type Arguments, libraryOf, type Native, nativeFunction } from './arguments.ts';
import { format } from './format.ts';
import { asText, isText, type Machine } from './machine.ts';
import { findAll, type Match, PatternError, parsePattern } from './pattern.ts';
import { bytesOf, isTrue, LuaFunction, LuaTable, textOf, type Value } from './value.ts';

const FUNCTIONS: Readonly<Record<string, Native>> = {
  byte: (args) => {
    const text = args.text(1);
    const first = args.whole(2, 1);
    const last = args.count === 2 ? first : args.whole(3, -1);
    const piece = text.slice(startOf(text, first), endOf(text, last));
    args.machine.meter.step(piece.length);
    args.machine.meter.take(piece.length * 16);
    return Array.from(piece, (char) => char.charCodeAt(0));
  },
  char: (args) => [String.fromCharCode(...args.all.map((_, at) => args.whole(at + 1) & 255))],
  find: (args) => find(args),
  format: (args) => {
    const text = format(args.machine, args.text(1), args.all.slice(1));
    args.machine.meter.take(text.length);
    return [text];
  },
  gmatch: (args) => {
    const matches = search(args, 0, -1);
    let at = 0;
    const next = () => {
      const match = matches[at++];
      return match ? capturesOf(args.text(1), match) : [];
    };
    return [nativeFunction(args.machine, 'gmatch', next)];
  },
  gsub: (args) => gsub(args),
  len: (args) => [args.text(1).length],
  lower: (args) => [letters(args, (char) => char.toLowerCase())],
  match: (args) => {
    const text = args.text(1);
    const [match] = search(args, startOf(text, args.whole(3, 1)), 1);
    return match ? capturesOf(text, match) : [];
  },
  rep: (args) => {
    const [text, count] = [args.text(1), Math.max(0, args.whole(2))];
    args.machine.meter.take(text.length * count);
    return [text.repeat(count)];
  },
  reverse: (args) => {
    const text = args.text(1);
    args.machine.meter.step(text.length);
    args.machine.meter.take(text.length);
    return [Array.from(text).reverse().join('')];
  },
  sub: (args) => {
    const text = args.text(1);
    const piece = text.slice(startOf(text, args.whole(2)), endOf(text, args.whole(3, -1)));
    args.machine.meter.take(piece.length);
    return [piece];
  },
  upper: (args) => [letters(args, (char) => char.toUpperCase())],
};

export function stringLibrary(machine: Machine): LuaTable {
  const library = libraryOf(machine, FUNCTIONS);
  library.set('__index', library);
  return library;
}

function startOf(text: string, index: number): number {
  if (index > 0) return index - 1;
  return index === 0 ? 0 : Math.max(0, text.length + index);
}

/** The place after the last one. */
function endOf(text: string, index: number): number {
  return index >= 0 ? Math.min(index, text.length) : Math.max(0, text.length + index + 1);
}

/** One letter becomes one letter or stays. */
function letters(args: Arguments, change: (char: string) => string): string {
  const bytes = args.text(1);
  args.machine.meter.step(bytes.length);
  args.machine.meter.take(bytes.length);
  const changed = Array.from(textOf(bytes), (char) => {
    const other = change(char);
    return Array.from(other).length === 1 ? other : char;
  });
  return bytesOf(changed.join(''));
}

function search(args: Arguments, from: number, limit: number): Match[] {
  const { machine } = args;
  const [text, source] = [args.text(1), args.text(2)];
  try {
    return findAll(parsePattern(source), text, from, limit, machine.meter);
  } catch (error) {
    if (error instanceof PatternError) throw machine.error(error.message);
    throw error;
  }
}

function capturesOf(text: string, { captures, from, to }: Match): readonly Value[] {
  return captures.length > 0 ? captures : [text.slice(from, to)];
}

function find(args: Arguments): readonly Value[] {
  const [text, pattern] = [args.text(1), args.text(2)];
  if (pattern === '') return [1, 0];
  const from = startOf(text, args.whole(3, 1));
  if (args.count === 4 && isTrue(args.at(4))) {
    args.machine.meter.step(text.length >> 3);
    const at = text.indexOf(pattern, from);
    return at === -1 ? [undefined] : [at + 1, at + pattern.length];
  }
  const [match] = search(args, from, 1);
  return match ? [match.from + 1, match.to, ...match.captures] : [undefined];
}

function gsub(args: Arguments): readonly Value[] {
  const text = args.text(1);
  const replacement = args.any(3);
  const matches = search(args, 0, args.whole(4, -1));
  const parts: string[] = [];
  let at = 0;
  for (const match of matches) {
    const part = replaced(args, match, text, replacement);
    args.machine.meter.take(part.length + match.from - at);
    parts.push(text.slice(at, match.from), part);
    at = match.to;
  }
  return [parts.join('') + text.slice(at), matches.length];
}

/** Nil and false leave the text as it is. */
function replaced(args: Arguments, match: Match, text: string, replacement: Value): string {
  const { machine } = args;
  const whole = text.slice(match.from, match.to);
  const caught = capturesOf(text, match);
  let value: Value;
  if (isText(replacement)) return expanded(args, asText(replacement), whole, caught);
  if (replacement instanceof LuaTable) value = machine.index(replacement, caught[0], machine.line);
  else if (replacement instanceof LuaFunction) {
    [value] = machine.call(replacement, caught, machine.line);
  } else throw args.wrong(3, 'string or table or function expected');
  if (!isTrue(value)) return whole;
  return isText(value) ? asText(value) : '';
}

function expanded(
  { machine }: Arguments,
  template: string,
  whole: string,
  caught: readonly Value[],
): string {
  return template.replace(/%(.)/gs, (directive, char: string) => {
    if (char === '%') return '%';
    if (char === '0') return whole;
    if (!/\d/.test(char)) return directive;
    const value = caught[Number(char) - 1];
    if (!isText(value)) throw machine.error('invalid capture index');
    return asText(value);
  });
}
