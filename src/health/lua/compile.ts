// Tree -> closures: statements. What a statement gives back says whether the next one is run.
import {
  declare,
  type Enter,
  type Evaluate,
  ExpressionCompiler,
  type Frame,
} from './compile-expression.ts';
import type { Machine } from './machine.ts';
import type { Block, FunctionBody, Statement } from './syntax.ts';
import { isTrue, type LuaFunction, TailCall, type Value } from './value.ts';

/** Undefined: go on. */
type Signal = undefined | typeof BREAK | Jump | Returned | TailCall;
type Execute = (frame: Frame) => Signal;

const BREAK = Symbol('break');

class Jump {
  readonly label: string;

  constructor(label: string) {
    this.label = label;
  }
}

class Returned {
  readonly values: readonly Value[];

  constructor(values: readonly Value[]) {
    this.values = values;
  }
}

const NOTHING: readonly Value[] = [];

export function compileScript(machine: Machine, script: FunctionBody): LuaFunction {
  const compiler = new StatementCompiler(machine);
  return compiler.expressions.closure(script)({ slots: [], varargs: [], captures: [] });
}

class StatementCompiler {
  readonly #machine: Machine;
  readonly expressions: ExpressionCompiler;

  constructor(machine: Machine) {
    this.#machine = machine;
    this.expressions = new ExpressionCompiler(machine, (body) => this.#enter(body));
  }

  #enter(body: FunctionBody): Enter {
    const block = this.#block(body.block);
    return (frame) => {
      const signal = block(frame);
      if (signal instanceof TailCall) return signal;
      return signal instanceof Returned ? signal.values : NOTHING;
    };
  }

  #block(statements: Block): Execute {
    const { meter } = this.#machine;
    const steps = statements.map((statement) => this.#statement(statement));
    const labels = new Map(
      statements.flatMap((statement, at) =>
        statement.kind === 'label' ? [[statement.label, at] as const] : [],
      ),
    );
    return (frame) => {
      for (let at = 0; at < steps.length; at++) {
        meter.step();
        const signal = steps[at]?.(frame);
        if (signal === undefined) continue;
        const label = signal instanceof Jump ? labels.get(signal.label) : undefined;
        if (label === undefined) return signal;
        at = label;
      }
      return undefined;
    };
  }

  #statement(node: Statement): Execute {
    const { expressions } = this;
    switch (node.kind) {
      case 'local':
        return this.#local(node);
      case 'local function': {
        const closure = expressions.closure(node.body);
        return (frame) => {
          // Declared first: the function may call itself.
          declare(frame, node.variable, undefined);
          const made = closure(frame);
          const { slot, shared } = node.variable;
          if (shared) (frame.slots[slot] as { value: Value }).value = made;
          else frame.slots[slot] = made;
          return undefined;
        };
      }
      case 'assign':
        return this.#assign(node);
      case 'expression': {
        const call = expressions.call(node.call);
        return (frame) => {
          const { callee, args, line } = call(frame);
          this.#machine.call(callee, args, line);
          return undefined;
        };
      }
      case 'do':
        return this.#block(node.block);
      case 'if':
        return this.#if(node);
      case 'return':
        return this.#return(node);
      case 'break':
        return () => BREAK;
      case 'goto': {
        const jump = new Jump(node.label);
        return () => jump;
      }
      case 'label':
        return () => undefined;
      default:
        return this.#loop(node);
    }
  }

  #local({ variables, values }: Statement & { kind: 'local' }): Execute {
    const [variable] = variables;
    const [value] = values;
    if (variable && value && variables.length === 1 && values.length === 1) {
      const single = this.expressions.value(value);
      return (frame) => {
        declare(frame, variable, single(frame));
        return undefined;
      };
    }
    const all = this.expressions.values(values);
    return (frame) => {
      const given = all(frame);
      for (const [at, one] of variables.entries()) declare(frame, one, given[at]);
      return undefined;
    };
  }

  #assign(node: Statement & { kind: 'assign' }): Execute {
    const targets = node.targets.map((target) => this.expressions.target(target));
    const values = this.expressions.values(node.values);
    return (frame) => {
      const assigns = targets.map((target) => target(frame));
      const given = values(frame);
      for (const [at, assign] of assigns.entries()) assign(frame, given[at]);
      return undefined;
    };
  }

  #if(node: Statement & { kind: 'if' }): Execute {
    const clauses = node.clauses.map(({ condition, block }) => ({
      condition: this.expressions.value(condition),
      block: this.#block(block),
    }));
    const otherwise = this.#block(node.otherwise);
    return (frame) => {
      for (const { condition, block } of clauses) {
        if (isTrue(condition(frame))) return block(frame);
      }
      return otherwise(frame);
    };
  }

  #return({ values }: Statement & { kind: 'return' }): Execute {
    const [only] = values;
    if (values.length === 1 && only && (only.kind === 'call' || only.kind === 'method')) {
      return this.expressions.call(only);
    }
    const all = this.expressions.values(values);
    return (frame) => new Returned(all(frame));
  }

  #loop(node: Statement & { kind: 'while' | 'repeat' | 'count' | 'each' }): Execute {
    const block = this.#block(node.block);
    if (node.kind === 'count') return this.#count(node, block);
    if (node.kind === 'each') return this.#each(node, block);
    const condition = this.expressions.value(node.condition);
    return this.#while(condition, block, node.kind === 'repeat');
  }

  /** `repeat` runs its block first and ends when the condition is true. */
  #while(condition: Evaluate, block: Execute, repeat: boolean): Execute {
    const { meter } = this.#machine;
    return (frame) => {
      for (let first = repeat; first || isTrue(condition(frame)) !== repeat; first = false) {
        meter.step();
        const signal = block(frame);
        if (signal === BREAK) break;
        if (signal !== undefined) return signal;
      }
      return undefined;
    };
  }

  #count(node: Statement & { kind: 'count' }, block: Execute): Execute {
    const machine = this.#machine;
    const [first, last, step] = node.range.map((one) => this.expressions.value(one)) as [
      Evaluate,
      Evaluate,
      Evaluate,
    ];
    const number = (value: Value, name: string): number => {
      if (typeof value === 'number') return value;
      throw machine.error(`for statement ${name} must be a number`, node.line);
    };
    return (frame) => {
      const given = [first(frame), last(frame), step(frame)];
      const begin = number(given[0], 'init');
      const end = number(given[1], 'limit');
      const by = number(given[2], 'step');
      for (let at = begin; by > 0 ? at <= end : at >= end; at += by) {
        machine.meter.step();
        declare(frame, node.variable, at);
        const signal = block(frame);
        if (signal === BREAK) break;
        if (signal !== undefined) return signal;
      }
      return undefined;
    };
  }

  #each(node: Statement & { kind: 'each' }, block: Execute): Execute {
    const machine = this.#machine;
    const values = this.expressions.values(node.values);
    return (frame) => {
      const [iterator, state, start] = values(frame);
      let control = start;
      for (;;) {
        const given = machine.call(iterator, [state, control], node.line);
        control = given[0];
        if (control === undefined) return undefined;
        for (const [at, variable] of node.variables.entries()) declare(frame, variable, given[at]);
        const signal = block(frame);
        if (signal === BREAK) return undefined;
        if (signal !== undefined) return signal;
      }
    };
  }
}
