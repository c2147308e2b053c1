// Lua's patterns as gopher-lua reads them: there is no %f, and a class cannot begin a range.
import type { Meter } from './meter.ts';

/** A wrong pattern. */
export class PatternError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'PatternError';
  }
}

type Matches = (code: number) => boolean;

type Item =
  | {
      readonly kind: 'single';
      readonly matches: Matches;
      readonly repeat: '' | '*' | '+' | '-' | '?';
    }
  | { readonly kind: 'open' | 'close' | 'position' | 'same'; readonly index: number }
  | { readonly kind: 'balanced'; readonly begin: number; readonly end: number };

export interface Pattern {
  readonly items: readonly Item[];
  readonly captures: number;
  readonly fromStart: boolean;
  readonly toEnd: boolean;
}

/** Where it begins and ends, and what it caught: a position, or a piece of the text. */
export interface Match {
  readonly from: number;
  readonly to: number;
  readonly captures: readonly (number | string)[];
}

export function parsePattern(source: string): Pattern {
  return new PatternParser(source).parse();
}

const code = (char: string) => char.charCodeAt(0);
const between = (from: string, to: string): Matches => {
  const [low, high] = [code(from), code(to)];
  return (one) => low <= one && one <= high;
};
const any =
  (...classes: readonly Matches[]): Matches =>
  (one) =>
    classes.some((matches) => matches(one));
const isDigit = between('0', '9');
const isLower = between('a', 'z');
const isUpper = between('A', 'Z');

const CLASSES: Readonly<Record<string, Matches>> = {
  a: any(isLower, isUpper),
  c: (one) => one <= 0x1f || one === 0x7f,
  d: isDigit,
  l: isLower,
  p: any(between('!', '/'), between(':', '@'), between('[', '`'), between('{', '~')),
  s: (one) => one === 32 || (one >= 9 && one <= 13),
  u: isUpper,
  w: any(isDigit, isLower, isUpper),
  x: any(isDigit, between('a', 'f'), between('A', 'F')),
  z: (one) => one === 0,
};

class PatternParser {
  readonly #source: string;
  #at = 0;
  readonly #items: Item[] = [];
  readonly #open: number[] = [];
  #captures = 0;

  constructor(source: string) {
    this.#source = source;
  }

  parse(): Pattern {
    const fromStart = this.#source.startsWith('^');
    if (fromStart) this.#at++;
    let toEnd = false;
    while (this.#at < this.#source.length) {
      toEnd = this.#source.slice(this.#at) === '$' && this.#open.length === 0;
      if (toEnd) break;
      this.#item();
    }
    if (this.#open.length > 0) throw new PatternError('unfinished capture at EOS');
    return { items: this.#items, captures: this.#captures, fromStart, toEnd };
  }

  #item(): void {
    const char = this.#source.charAt(this.#at);
    const next = this.#source.charAt(this.#at + 1);
    if (char === '(') this.#capture(next);
    else if (char === ')') this.#close();
    else this.#other(char, next);
  }

  #other(char: string, next: string): void {
    if (char === '%' && next === '0')
      throw new PatternError(`invalid capture index at ${this.#at}`);
    if (char === '%' && isDigit(code(next))) {
      this.#at += 2;
      this.#items.push({ kind: 'same', index: Number(next) - 1 });
      return;
    }
    if (char === '%' && next === 'b') {
      const [begin, end] = [
        this.#source.charCodeAt(this.#at + 2),
        this.#source.charCodeAt(this.#at + 3),
      ];
      this.#at += 4;
      this.#items.push({ kind: 'balanced', begin, end });
      return;
    }
    const matches = this.#class(true);
    const sign = /[*+\-?]/y.test(this.#source.charAt(this.#at))
      ? this.#source.charAt(this.#at++)
      : '';
    this.#items.push({ kind: 'single', matches, repeat: sign as '' | '*' });
  }

  #capture(next: string): void {
    const index = this.#captures++;
    this.#at += next === ')' ? 2 : 1;
    this.#items.push({ kind: next === ')' ? 'position' : 'open', index });
    if (next !== ')') this.#open.push(index);
  }

  #close(): void {
    const index = this.#open.pop();
    if (index === undefined) throw new PatternError(`invalid ')' at ${this.#at}`);
    this.#at++;
    this.#items.push({ kind: 'close', index });
  }

  #class(sets: boolean): Matches {
    const char = this.#source.charAt(this.#at++);
    if (char === '%') return this.#escaped();
    if (sets && char === '.') return () => true;
    if (sets && char === '[') return this.#set();
    const wanted = code(char);
    return (one) => one === wanted;
  }

  #escaped(): Matches {
    const letter = this.#source.charAt(this.#at++);
    const known = CLASSES[letter.toLowerCase()];
    if (!known) return (one) => one === code(letter);
    return letter === letter.toLowerCase() ? known : (one) => !known(one);
  }

  #set(): Matches {
    const not = this.#source.charAt(this.#at) === '^';
    if (not) this.#at++;
    const classes: Matches[] = [];
    let previous = '';
    for (;;) {
      if (this.#at >= this.#source.length)
        throw new PatternError(`unexpected EOS at ${this.#at - 1}`);
      const char = this.#source.charAt(this.#at);
      if (char === ']' && classes.length > 0) break;
      const last = this.#source.charAt(this.#at + 1) === ']';
      if (char === '-' && classes.length > 0 && !last) {
        this.#at++;
        const end = this.#source.charAt(this.#at);
        this.#class(false);
        classes.pop();
        classes.push(previous === '%' || end === '%' ? () => false : between(previous, end));
      } else {
        previous = char;
        classes.push(this.#class(false));
      }
    }
    this.#at++;
    const inside = any(...classes);
    return not ? (one) => !inside(one) : inside;
  }
}

/** Every match, from left to right; at most so many. */
export function findAll(
  pattern: Pattern,
  text: string,
  from: number,
  limit: number,
  meter: Meter,
): Match[] {
  const found: Match[] = [];
  for (let at = from; at <= text.length && found.length !== limit; ) {
    const match = new Matcher(pattern, text, meter).at(at);
    at = match ? Math.max(at + 1, match.to) : at + 1;
    if (match) found.push(match);
    if (pattern.fromStart) break;
  }
  return found;
}

/** What a try to match costs, measured in steps of the language. */
const MATCH_STEPS = 5;

class Matcher {
  readonly #pattern: Pattern;
  readonly #text: string;
  readonly #meter: Meter;
  readonly #begins: number[] = [];
  readonly #ends: (number | undefined)[] = [];

  constructor(pattern: Pattern, text: string, meter: Meter) {
    this.#pattern = pattern;
    this.#text = text;
    this.#meter = meter;
  }

  at(from: number): Match | undefined {
    const to = this.#match(0, from);
    if (to === undefined) return undefined;
    const captures = Array.from({ length: this.#pattern.captures }, (_, index) => {
      const [begin = 0, end] = [this.#begins[index], this.#ends[index]];
      return end === undefined ? begin + 1 : this.#text.slice(begin, end);
    });
    return { from, to, captures };
  }

  /** The end of the match of what is left of the pattern. */
  #match(item: number, at: number): number | undefined {
    this.#meter.step(MATCH_STEPS);
    const current = this.#pattern.items[item];
    if (!current) return this.#pattern.toEnd && at < this.#text.length ? undefined : at;
    switch (current.kind) {
      case 'single':
        return this.#single(current, item, at);
      case 'open':
      case 'position': {
        const before = this.#begins[current.index] ?? 0;
        this.#begins[current.index] = at;
        const end = this.#match(item + 1, at);
        if (end === undefined) this.#begins[current.index] = before;
        return end;
      }
      case 'close': {
        const before = this.#ends[current.index];
        this.#ends[current.index] = at;
        const end = this.#match(item + 1, at);
        if (end === undefined) this.#ends[current.index] = before;
        return end;
      }
      case 'same': {
        const end = this.#ends[current.index];
        if (end === undefined) throw new PatternError('invalid capture index');
        const caught = this.#text.slice(this.#begins[current.index], end);
        return this.#text.startsWith(caught, at)
          ? this.#match(item + 1, at + caught.length)
          : undefined;
      }
      case 'balanced': {
        const end = this.#balanced(current.begin, current.end, at);
        return end === undefined ? undefined : this.#match(item + 1, end);
      }
    }
  }

  #single(current: Item & { kind: 'single' }, item: number, at: number): number | undefined {
    const { matches, repeat } = current;
    const fits = (place: number) =>
      place < this.#text.length && matches(this.#text.charCodeAt(place));
    if (repeat === '') return fits(at) ? this.#match(item + 1, at + 1) : undefined;
    if (repeat === '-') {
      for (let place = at; ; place++) {
        const end = this.#match(item + 1, place);
        if (end !== undefined || !fits(place)) return end;
      }
    }
    let place = at;
    while (fits(place) && !(repeat === '?' && place > at)) {
      this.#meter.step();
      place++;
    }
    for (const least = repeat === '+' ? at + 1 : at; place >= least; place--) {
      const end = this.#match(item + 1, place);
      if (end !== undefined) return end;
    }
    return undefined;
  }

  #balanced(begin: number, end: number, at: number): number | undefined {
    if (this.#text.charCodeAt(at) !== begin) return undefined;
    let open = 1;
    for (let place = at + 1; place < this.#text.length; place++) {
      this.#meter.step();
      const one = this.#text.charCodeAt(place);
      if (one === end) open--;
      else if (one === begin) open++;
      if (open === 0) return place + 1;
    }
    return undefined;
  }
}
