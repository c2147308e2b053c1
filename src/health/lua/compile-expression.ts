// Tree -> closures: expressions.
import type { Machine } from './machine.ts';
import type { Call, Capture, Cluster, Expression, FunctionBody, Variable } from './syntax.ts';
import { isTrue, LuaFunction, LuaTable, TailCall, type Value } from './value.ts';

/** A variable that functions share. */
interface Box {
  value: Value;
}

/** One call of a function: its variables, boxed where they are shared. */
export interface Frame {
  readonly slots: (Value | Box)[];
  readonly varargs: readonly Value[];
  readonly captures: readonly Box[];
}

export type Evaluate = (frame: Frame) => Value;
export type EvaluateAll = (frame: Frame) => readonly Value[];
export type Assign = (frame: Frame, value: Value) => void;
/** How a function's block is run; the statements are compiled elsewhere. */
export type Enter = (frame: Frame) => readonly Value[] | TailCall;

export class ExpressionCompiler {
  protected readonly machine: Machine;
  readonly #enter: (body: FunctionBody) => Enter;

  constructor(machine: Machine, enter: (body: FunctionBody) => Enter) {
    this.machine = machine;
    this.#enter = enter;
  }

  value(node: Expression): Evaluate {
    const { machine } = this;
    switch (node.kind) {
      case 'constant':
        return () => node.value;
      case 'varargs':
        return (frame) => frame.varargs[0];
      case 'group':
        return this.value(node.inner);
      case 'function':
        return this.closure(node.body);
      case 'call':
      case 'method': {
        const call = this.call(node);
        return (frame) => {
          const { callee, args, line } = call(frame);
          return machine.call(callee, args, line)[0];
        };
      }
      case 'and':
      case 'or':
        return this.#choice(node.kind, this.value(node.left), this.value(node.right));
      case 'concat': {
        const parts = node.parts.map((part) => this.value(part));
        return (frame) =>
          machine.concat(
            parts.map((part) => part(frame)),
            node.line,
          );
      }
      case 'binary':
        return this.#binary(
          node.operator,
          this.value(node.left),
          this.value(node.right),
          node.line,
        );
      case 'unary':
        return this.#unary(node.operator, this.value(node.operand), node.line);
      case 'table':
        return this.#table(node);
      default:
        return this.#read(node);
    }
  }

  /** The last of a list gives all that it has, the others one value each. */
  values(nodes: readonly Expression[]): EvaluateAll {
    const last = nodes.at(-1);
    const all = last && this.#all(last);
    const singles = (all ? nodes.slice(0, -1) : nodes).map((node) => this.value(node));
    if (!all) return (frame) => singles.map((single) => single(frame));
    if (singles.length === 0) return all;
    return (frame) => {
      const values = singles.map((single) => single(frame));
      return values.concat(all(frame));
    };
  }

  #all(node: Expression): EvaluateAll | undefined {
    if (node.kind === 'varargs') return (frame) => frame.varargs;
    if (node.kind !== 'call' && node.kind !== 'method') return undefined;
    const call = this.call(node);
    return (frame) => {
      const { callee, args, line } = call(frame);
      return this.machine.call(callee, args, line);
    };
  }

  call(node: Call): (frame: Frame) => TailCall {
    const args = this.values(node.args);
    const { line } = node;
    if (node.kind === 'call') {
      const callee = this.value(node.callee);
      return (frame) => new TailCall(callee(frame), args(frame), line);
    }
    const object = this.value(node.object);
    return (frame) => {
      const self = object(frame);
      const method = this.machine.index(self, node.name, line);
      return new TailCall(method, [self, ...args(frame)], line);
    };
  }

  #read(node: Cluster): Evaluate {
    const { machine } = this;
    switch (node.kind) {
      case 'local':
        return readLocal(node.variable);
      case 'captured':
        return (frame) => frame.captures[node.index]?.value;
      case 'global':
        return () => machine.index(machine.globals, node.name, node.line);
      case 'index': {
        const [object, key] = [this.value(node.object), this.value(node.key)];
        return (frame) => machine.index(object(frame), key(frame), node.line);
      }
    }
  }

  /** What stands left of the assignment is looked at before anything is assigned. */
  target(node: Cluster): (frame: Frame) => Assign {
    const { machine } = this;
    switch (node.kind) {
      case 'local': {
        const { variable } = node;
        return () => (frame, value) => setLocal(frame, variable, value);
      }
      case 'captured':
        return () => (frame, value) => {
          const box = frame.captures[node.index];
          if (box) box.value = value;
        };
      case 'global':
        return () => (_, value) => machine.setIndex(machine.globals, node.name, value, node.line);
      case 'index': {
        const [object, key] = [this.value(node.object), this.value(node.key)];
        return (frame) => {
          const [table, name] = [object(frame), key(frame)];
          return (_, value) => machine.setIndex(table, name, value, node.line);
        };
      }
    }
  }

  #choice(kind: 'and' | 'or', left: Evaluate, right: Evaluate): Evaluate {
    if (kind === 'and') {
      return (frame) => {
        const value = left(frame);
        return isTrue(value) ? right(frame) : value;
      };
    }
    return (frame) => {
      const value = left(frame);
      return isTrue(value) ? value : right(frame);
    };
  }

  #binary(operator: string, left: Evaluate, right: Evaluate, line: number): Evaluate {
    const { machine } = this;
    switch (operator) {
      case '==':
        return (frame) => machine.equal(left(frame), right(frame), line);
      case '~=':
        return (frame) => !machine.equal(left(frame), right(frame), line);
      case '<':
        return (frame) => machine.less(left(frame), right(frame), line);
      case '<=':
        return (frame) => machine.lessOrEqual(left(frame), right(frame), line);
      case '>':
      case '>=': {
        const holds = operator === '>' ? 'less' : 'lessOrEqual';
        return (frame) => {
          const first = left(frame);
          return machine[holds](right(frame), first, line);
        };
      }
      default:
        return (frame) => machine.arithmetic(operator, left(frame), right(frame), line);
    }
  }

  #unary(operator: string, operand: Evaluate, line: number): Evaluate {
    const { machine } = this;
    if (operator === 'not') return (frame) => !isTrue(operand(frame));
    if (operator === '-') return (frame) => machine.negative(operand(frame), line);
    return (frame) => machine.length(operand(frame), line);
  }

  #table(node: Expression & { kind: 'table' }): Evaluate {
    const { machine } = this;
    const items = this.values(node.items);
    const pairs = node.pairs.map(([key, value]) => [this.value(key), this.value(value)] as const);
    return (frame) => {
      const table = new LuaTable();
      machine.meter.take(64);
      for (const [key, value] of pairs) {
        machine.rawSet(table, key(frame), value(frame), node.line);
      }
      for (const [at, value] of items(frame).entries()) {
        machine.rawSet(table, at + 1, value, node.line);
      }
      return table;
    };
  }

  closure(body: FunctionBody): (frame: Frame) => LuaFunction {
    const { machine } = this;
    const enter = this.#enter(body);
    const { parameters, variadic, slots, name } = body;
    return (outer) => {
      machine.meter.take(64);
      const captures = body.captures.map((capture) => boxOf(outer, capture));
      return new LuaFunction(name, (args) => {
        const varargs = variadic ? args.slice(parameters.length) : [];
        const frame: Frame = { slots: new Array(slots), varargs, captures };
        for (const [at, parameter] of parameters.entries()) declare(frame, parameter, args[at]);
        return enter(frame);
      });
    };
  }
}

function readLocal({ slot, shared }: Variable): Evaluate {
  if (shared) return (frame) => (frame.slots[slot] as Box | undefined)?.value;
  return (frame) => frame.slots[slot] as Value;
}

function setLocal(frame: Frame, { slot, shared }: Variable, value: Value): void {
  if (shared) (frame.slots[slot] as Box).value = value;
  else frame.slots[slot] = value;
}

/** A new variable: a new box, if it needs one. */
export function declare(frame: Frame, { slot, shared }: Variable, value: Value): void {
  frame.slots[slot] = shared ? { value } : value;
}

function boxOf(frame: Frame, capture: Capture): Box {
  if (capture.from === 'frame') return frame.slots[capture.variable.slot] as Box;
  return frame.captures[capture.index] as Box;
}
