// Tokens -> tree: expressions.
import { ScriptError, type Token } from './lexer.ts';
import { FunctionScope } from './scope.ts';
import type { Block, Cluster, Expression, FunctionBody, Variable } from './syntax.ts';

/** How strongly an operator holds its left and its right side. */
const BINARY: Readonly<Record<string, readonly [number, number]>> = {
  or: [1, 1],
  and: [2, 2],
  '<': [3, 3],
  '>': [3, 3],
  '<=': [3, 3],
  '>=': [3, 3],
  '~=': [3, 3],
  '==': [3, 3],
  '..': [5, 4],
  '+': [6, 6],
  '-': [6, 6],
  '*': [7, 7],
  '/': [7, 7],
  '%': [7, 7],
  '^': [10, 9],
};
const UNARY = 8;

const CONSTANTS: Readonly<Record<string, undefined | boolean>> = {
  nil: undefined,
  true: true,
  false: false,
};

export abstract class ExpressionParser {
  readonly #tokens: readonly Token[];
  #at = 0;
  protected scope = new FunctionScope(undefined, true);

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  protected abstract functionBody(name: string, method: boolean): FunctionBody;

  protected get token(): Token {
    return this.#tokens[this.#at] as Token;
  }

  protected get previous(): Token {
    return this.#tokens[this.#at - 1] as Token;
  }

  protected advance(): Token {
    return this.#tokens[this.#at++] as Token;
  }

  protected accept(type: string): boolean {
    if (this.token.type !== type) return false;
    this.#at++;
    return true;
  }

  protected expect(type: string): void {
    if (!this.accept(type)) throw this.unexpected(`"${type}" was expected`);
  }

  protected name(): string {
    if (this.token.type !== 'name') throw this.unexpected('a name was expected');
    return this.advance().text;
  }

  protected unexpected(wanted?: string): ScriptError {
    const { line, text, type } = this.token;
    const found = `unexpected ${text === '' ? type : JSON.stringify(text)}`;
    return new ScriptError(line, wanted ? `${found}: ${wanted}` : found);
  }

  protected inFunction(
    name: string,
    variadic: boolean,
    read: () => { parameters: readonly Variable[]; block: Block },
  ): FunctionBody {
    const outer = this.scope;
    const scope = new FunctionScope(name === 'main' ? undefined : outer, variadic);
    this.scope = scope;
    scope.open();
    const { parameters, block } = read();
    scope.close(block);
    this.scope = outer;
    return scope.body(name, parameters, block);
  }

  protected expressions(): Expression[] {
    const list = [this.expression()];
    while (this.accept(',')) list.push(this.expression());
    return list;
  }

  protected expression(above = 0): Expression {
    let left = this.#operand();
    for (;;) {
      const { type: operator, line } = this.token;
      const [leftHold, rightHold] = BINARY[operator] ?? [0, 0];
      if (leftHold <= above) return left;
      this.advance();
      const right = this.expression(rightHold);
      left = combined(operator, left, right, line);
    }
  }

  #operand(): Expression {
    const { type: operator, line } = this.token;
    if (operator !== 'not' && operator !== '-' && operator !== '#') return this.#simple();
    this.advance();
    return { kind: 'unary', operator, operand: this.expression(UNARY), line };
  }

  #simple(): Expression {
    const { type, text, number, line } = this.token;
    if (type === '{') return this.#table();
    if (type === 'name' || type === '(') return this.suffixed();
    if (!['number', 'string', 'nil', 'true', 'false', '...', 'function'].includes(type)) {
      throw this.unexpected();
    }
    this.advance();
    if (type === 'number') return { kind: 'constant', value: number };
    if (type === 'string') return { kind: 'constant', value: text };
    if (type === 'function') {
      return { kind: 'function', body: this.functionBody('anonymous', false) };
    }
    if (type !== '...') return { kind: 'constant', value: CONSTANTS[type] };
    if (!this.scope.variadic) throw new ScriptError(line, 'this function takes no "..."');
    return { kind: 'varargs' };
  }

  /** A name or something in parentheses, with all that is indexed and called after it. */
  protected suffixed(): Expression {
    let expression = this.#primary();
    for (;;) {
      const next = this.#suffix(expression);
      if (!next) return expression;
      expression = next;
    }
  }

  #primary(): Expression {
    const { line } = this.token;
    if (!this.accept('(')) return this.scope.resolve(this.name(), line);
    const inner = this.expression();
    this.expect(')');
    return { kind: 'group', inner };
  }

  #suffix(object: Expression): Expression | undefined {
    const { type, line } = this.token;
    if (type === '.') {
      this.advance();
      return { kind: 'index', object, key: { kind: 'constant', value: this.name() }, line };
    }
    if (type === '[') {
      this.advance();
      const key = this.expression();
      this.expect(']');
      return { kind: 'index', object, key, line };
    }
    if (type === ':') {
      this.advance();
      const name = this.name();
      return { kind: 'method', object, name, args: this.#args(), line };
    }
    if (type !== '(' && type !== 'string' && type !== '{') return undefined;
    return { kind: 'call', callee: object, args: this.#args(), line };
  }

  #args(): Expression[] {
    const { type, text, first } = this.token;
    if (type === 'string') {
      this.advance();
      return [{ kind: 'constant', value: text }];
    }
    if (type === '{') return [this.#table()];
    if (first && this.previous.type === ')') {
      throw this.unexpected('it could be a call or a new statement, write ";" between them');
    }
    this.expect('(');
    const args = this.token.type === ')' ? [] : this.expressions();
    this.expect(')');
    return args;
  }

  #table(): Expression {
    const { line } = this.token;
    this.expect('{');
    const items: Expression[] = [];
    const pairs: [Expression, Expression][] = [];
    while (this.token.type !== '}') {
      const pair = this.#pair();
      if (pair) pairs.push(pair);
      else items.push(this.expression());
      if (!this.accept(',') && !this.accept(';')) break;
    }
    this.expect('}');
    return { kind: 'table', items, pairs, line };
  }

  #pair(): [Expression, Expression] | undefined {
    const named = this.token.type === 'name' && this.#tokens[this.#at + 1]?.type === '=';
    if (!named && this.token.type !== '[') return undefined;
    const { text, type } = this.advance();
    const key: Expression = type === '[' ? this.expression() : { kind: 'constant', value: text };
    if (type === '[') this.expect(']');
    this.expect('=');
    return [key, this.expression()];
  }

  protected target(expression: Expression, line: number): Cluster {
    switch (expression.kind) {
      case 'local':
      case 'captured':
      case 'global':
      case 'index':
        return expression;
      default:
        throw new ScriptError(line, 'nothing can be assigned to this');
    }
  }
}

function combined(operator: string, left: Expression, right: Expression, line: number): Expression {
  if (operator === 'and' || operator === 'or') return { kind: operator, left, right };
  if (operator !== '..') return { kind: 'binary', operator, left, right, line };
  const parts = right.kind === 'concat' ? right.parts : [right];
  return { kind: 'concat', parts: [left, ...parts], line };
}
