// Tokens -> tree: statements. Expressions are in expressions.ts.
import { ExpressionParser } from './expressions.ts';
import { END, ScriptError, tokensOf } from './lexer.ts';
import type { Block, Cluster, FunctionBody, Statement, Variable } from './syntax.ts';

/** Throws a ScriptError. */
export function parseScript(script: string): FunctionBody {
  try {
    return new Parser(tokensOf(script)).script();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ScriptError(1, 'it is nested too deeply', { cause: error });
  }
}

const BLOCK_ENDS = new Set([END, 'end', 'else', 'elseif', 'until']);

class Parser extends ExpressionParser {
  script(): FunctionBody {
    return this.inFunction('main', true, () => {
      const block = this.statements();
      this.expect(END);
      return { parameters: [], block };
    });
  }

  protected functionBody(name: string, method: boolean): FunctionBody {
    this.expect('(');
    const names = method ? ['self'] : [];
    let variadic = false;
    while (!variadic && this.token.type !== ')') {
      variadic = this.accept('...');
      if (!variadic) names.push(this.name());
      if (!this.accept(',')) break;
    }
    this.expect(')');
    return this.inFunction(name, variadic, () => {
      const parameters = names.map((parameter) => this.scope.declare(parameter));
      const block = this.statements();
      this.expect('end');
      return { parameters, block };
    });
  }

  private statements(): Block {
    const statements: Statement[] = [];
    for (;;) {
      while (this.accept(';'));
      if (BLOCK_ENDS.has(this.token.type)) return statements;
      const statement = this.statement();
      statements.push(statement);
      if (statement.kind === 'return' || statement.kind === 'break') {
        this.accept(';');
        return statements;
      }
    }
  }

  private block(loop = false): Block {
    this.scope.open(loop);
    const block = this.statements();
    this.scope.close(block);
    return block;
  }

  private loopBlock(): Block {
    this.expect('do');
    const block = this.block(true);
    this.expect('end');
    return block;
  }

  private statement(): Statement {
    const { type, line } = this.token;
    const parse = STATEMENTS[type];
    if (!parse) return this.expressionStatement();
    this.advance();
    return parse(this, line);
  }

  ifStatement(): Statement {
    const clauses = [this.clause()];
    while (this.accept('elseif')) clauses.push(this.clause());
    const otherwise = this.accept('else') ? this.block() : [];
    this.expect('end');
    return { kind: 'if', clauses, otherwise };
  }

  private clause() {
    const condition = this.expression();
    this.expect('then');
    return { condition, block: this.block() };
  }

  whileStatement(): Statement {
    const condition = this.expression();
    return { kind: 'while', condition, block: this.loopBlock() };
  }

  doStatement(): Statement {
    const block = this.block();
    this.expect('end');
    return { kind: 'do', block };
  }

  /** The condition sees the variables of the block. */
  repeatStatement(): Statement {
    this.scope.open(true);
    const block = this.statements();
    this.expect('until');
    const condition = this.expression();
    this.scope.close(block);
    return { kind: 'repeat', block, condition };
  }

  forStatement(line: number): Statement {
    const names = [this.name()];
    if (this.accept('=')) return this.countStatement(names[0] ?? '', line);
    while (this.accept(',')) names.push(this.name());
    this.expect('in');
    const values = this.expressions();
    this.scope.open(true);
    const variables = names.map((name) => this.scope.declare(name));
    const block = this.loopBlock();
    this.scope.close([]);
    return { kind: 'each', variables, values, block, line };
  }

  private countStatement(name: string, line: number): Statement {
    const first = this.expression();
    this.expect(',');
    const last = this.expression();
    const step = this.accept(',') ? this.expression() : ({ kind: 'constant', value: 1 } as const);
    this.scope.open(true);
    const variable = this.scope.declare(name);
    const block = this.loopBlock();
    this.scope.close([]);
    return { kind: 'count', variable, range: [first, last, step], block, line };
  }

  functionStatement(line: number): Statement {
    let target: Cluster = this.scope.resolve(this.name(), line);
    let name = this.previous.text;
    let method = false;
    while (!method && (this.token.type === '.' || this.token.type === ':')) {
      method = this.advance().type === ':';
      name = this.name();
      target = { kind: 'index', object: target, key: { kind: 'constant', value: name }, line };
    }
    const body = this.functionBody(name, method);
    return { kind: 'assign', targets: [target], values: [{ kind: 'function', body }] };
  }

  localStatement(): Statement {
    if (this.accept('function')) {
      const name = this.name();
      const variable = this.scope.declare(name);
      return { kind: 'local function', variable, body: this.functionBody(name, false) };
    }
    const names = [this.name()];
    while (this.accept(',')) names.push(this.name());
    const values = this.accept('=') ? this.expressions() : [];
    const variables: Variable[] = names.map((name) => this.scope.declare(name));
    return { kind: 'local', variables, values };
  }

  returnStatement(): Statement {
    const none = BLOCK_ENDS.has(this.token.type) || this.token.type === ';';
    return { kind: 'return', values: none ? [] : this.expressions() };
  }

  breakStatement(line: number): Statement {
    if (!this.scope.inLoop) throw new ScriptError(line, 'break outside of a loop');
    return { kind: 'break' };
  }

  gotoStatement(line: number): Statement {
    const label = this.name();
    this.scope.jump(label, line);
    return { kind: 'goto', label, line };
  }

  labelStatement(line: number): Statement {
    const label = this.name();
    this.expect('::');
    return { kind: 'label', label, line };
  }

  private expressionStatement(): Statement {
    const { line } = this.token;
    const first = this.suffixed();
    if (this.token.type !== '=' && this.token.type !== ',') {
      if (first.kind === 'call' || first.kind === 'method')
        return { kind: 'expression', call: first };
      throw this.unexpected();
    }
    const targets = [this.target(first, line)];
    while (this.accept(',')) targets.push(this.target(this.suffixed(), line));
    this.expect('=');
    return { kind: 'assign', targets, values: this.expressions() };
  }
}

const STATEMENTS: Readonly<Record<string, (parser: Parser, line: number) => Statement>> = {
  if: (parser) => parser.ifStatement(),
  while: (parser) => parser.whileStatement(),
  do: (parser) => parser.doStatement(),
  for: (parser, line) => parser.forStatement(line),
  repeat: (parser) => parser.repeatStatement(),
  function: (parser, line) => parser.functionStatement(line),
  local: (parser) => parser.localStatement(),
  return: (parser) => parser.returnStatement(),
  break: (parser, line) => parser.breakStatement(line),
  goto: (parser, line) => parser.gotoStatement(line),
  '::': (parser, line) => parser.labelStatement(line),
};
