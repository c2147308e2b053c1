// Text -> tokens, by the rules of Lua 5.1 and gopher-lua's `goto`.
import { coerced } from './number.ts';

export interface Token {
  /** A word or sign of the language as it is written; `name`, `number`, `string`, `end of script` for the others. */
  readonly type: string;
  readonly line: number;
  readonly text: string;
  readonly number?: number;
  /** The first on its line. */
  readonly first: boolean;
}

/** The script cannot be read. */
export class ScriptError extends Error {
  readonly line: number;

  constructor(line: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ScriptError';
    this.line = line;
  }
}

export const END = 'end of script';

const WORDS = new Set(
  'and break do else elseif end false for function goto if in local nil not or repeat return then true until while'.split(
    ' ',
  ),
);

const BLANK = /[ \t\r\n]+/y;
const COMMENT = /--(?!\[=*\[)[^\n]*/y;
const LONG = /(?:--)?\[(=*)\[/y;
const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;
const NUMBER = /0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;
const SIGN = /\.\.\.|\.\.|==|~=|<=|>=|::|[+\-*/%^#<>=(){}[\];:,.]/y;

export function tokensOf(script: string): Token[] {
  return new Lexer(script).all();
}

class Lexer {
  readonly #text: string;
  #at = 0;
  #line = 1;
  #first = true;
  readonly #tokens: Token[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  all(): Token[] {
    while (this.#at < this.#text.length) {
      if (!this.#blank() && !this.#comment()) this.#token();
    }
    this.#push(END, '');
    return this.#tokens;
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found) this.#at += found[0].length;
    return found;
  }

  #push(type: string, text: string, number?: number): void {
    const token = { type, text, line: this.#line, first: this.#first };
    this.#tokens.push(number === undefined ? token : { ...token, number });
    this.#first = false;
  }

  #newLines(text: string): void {
    const count = text.split('\n').length - 1;
    this.#line += count;
    if (count > 0) this.#first = true;
  }

  #blank(): boolean {
    const found = this.#match(BLANK);
    if (found) this.#newLines(found[0]);
    return found !== null;
  }

  #comment(): boolean {
    if (this.#match(COMMENT)) return true;
    if (!this.#text.startsWith('--', this.#at)) return false;
    this.#newLines(this.#long());
    return true;
  }

  #token(): void {
    const char = this.#text.charAt(this.#at);
    if (char === '"' || char === "'") this.#string(char);
    else if (/\[=*\[/y.test(this.#text.slice(this.#at, this.#at + 64))) this.#longString();
    else this.#plain(char);
  }

  #plain(char: string): void {
    const name = this.#match(NAME)?.[0];
    const number = name === undefined ? this.#match(NUMBER)?.[0] : undefined;
    const sign = name ?? number ?? this.#match(SIGN)?.[0];
    if (name !== undefined) this.#push(WORDS.has(name) ? name : 'name', name);
    else if (number !== undefined) this.#number(number);
    else if (sign !== undefined) this.#push(sign, sign);
    else throw new ScriptError(this.#line, `unexpected ${JSON.stringify(char)}`);
  }

  #longString(): void {
    const text = this.#long();
    this.#push('string', text.replace(/^\r?\n/, '').replaceAll('\r\n', '\n'));
    this.#newLines(text);
    this.#first = false;
  }

  #number(text: string): void {
    const value = coerced(text.replace(/^0(?=\d)/, ''));
    if (value === undefined) throw new ScriptError(this.#line, `${text} is not a number`);
    this.#push('number', text, value);
  }

  /** A text or comment between [==[ and ]==]. */
  #long(): string {
    const level = this.#match(LONG)?.[1] ?? '';
    const end = this.#text.indexOf(`]${level}]`, this.#at);
    if (end === -1) throw new ScriptError(this.#line, `[${level}[ is never closed`);
    const text = this.#text.slice(this.#at, end);
    this.#at = end + level.length + 2;
    return text;
  }

  #string(quote: string): void {
    const parts: string[] = [];
    const line = this.#line;
    for (this.#at++; ; ) {
      const char = this.#text.charAt(this.#at++);
      if (char === quote) break;
      if (char === '' || char === '\n') throw new ScriptError(line, 'a text is never closed');
      parts.push(char === '\\' ? this.#escape() : char);
    }
    this.#push('string', parts.join(''));
  }

  #escape(): string {
    const code = this.#match(/\d{1,3}/y)?.[0];
    if (code !== undefined) return String.fromCharCode(Number(code) & 255);
    const char = this.#text.charAt(this.#at++);
    if (char === '\n') this.#line++;
    return ESCAPES[char] ?? char;
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};
