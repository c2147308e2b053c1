// The tree of a script. Names are resolved already: a local variable is itself, wherever it is used.

/** `shared`: a function inside uses it too, so it lives in a box of its own. */
export interface Variable {
  readonly slot: number;
  shared: boolean;
}

/** Where a new function finds the box of an outer variable: in the frame, or among the outer function's own. */
export type Capture =
  | { readonly from: 'frame'; readonly variable: Variable }
  | { readonly from: 'captures'; readonly index: number };

export interface FunctionBody {
  readonly name: string;
  readonly parameters: readonly Variable[];
  readonly variadic: boolean;
  readonly block: Block;
  readonly captures: readonly Capture[];
  readonly slots: number;
}

export type Block = readonly Statement[];

export type Cluster =
  | { readonly kind: 'local'; readonly variable: Variable }
  | { readonly kind: 'captured'; readonly index: number }
  | { readonly kind: 'global'; readonly name: string; readonly line: number }
  | {
      readonly kind: 'index';
      readonly object: Expression;
      readonly key: Expression;
      readonly line: number;
    };

export type Call =
  | {
      readonly kind: 'call';
      readonly callee: Expression;
      readonly args: readonly Expression[];
      readonly line: number;
    }
  | {
      readonly kind: 'method';
      readonly object: Expression;
      readonly name: string;
      readonly args: readonly Expression[];
      readonly line: number;
    };

export type Expression =
  | Cluster
  | Call
  | { readonly kind: 'constant'; readonly value: undefined | boolean | number | string }
  | { readonly kind: 'varargs' }
  | { readonly kind: 'function'; readonly body: FunctionBody }
  | { readonly kind: 'group'; readonly inner: Expression }
  | { readonly kind: 'and' | 'or'; readonly left: Expression; readonly right: Expression }
  | {
      readonly kind: 'binary';
      readonly operator: string;
      readonly left: Expression;
      readonly right: Expression;
      readonly line: number;
    }
  | {
      readonly kind: 'unary';
      readonly operator: string;
      readonly operand: Expression;
      readonly line: number;
    }
  | { readonly kind: 'concat'; readonly parts: readonly Expression[]; readonly line: number }
  | {
      readonly kind: 'table';
      readonly items: readonly Expression[];
      readonly pairs: readonly (readonly [Expression, Expression])[];
      readonly line: number;
    };

export type Statement =
  | {
      readonly kind: 'local';
      readonly variables: readonly Variable[];
      readonly values: readonly Expression[];
    }
  | { readonly kind: 'local function'; readonly variable: Variable; readonly body: FunctionBody }
  | {
      readonly kind: 'assign';
      readonly targets: readonly Cluster[];
      readonly values: readonly Expression[];
    }
  | { readonly kind: 'expression'; readonly call: Call }
  | { readonly kind: 'do'; readonly block: Block }
  | { readonly kind: 'while'; readonly condition: Expression; readonly block: Block }
  | { readonly kind: 'repeat'; readonly block: Block; readonly condition: Expression }
  | {
      readonly kind: 'if';
      readonly clauses: readonly { readonly condition: Expression; readonly block: Block }[];
      readonly otherwise: Block;
    }
  | {
      readonly kind: 'count';
      readonly variable: Variable;
      readonly range: readonly [Expression, Expression, Expression];
      readonly block: Block;
      readonly line: number;
    }
  | {
      readonly kind: 'each';
      readonly variables: readonly Variable[];
      readonly values: readonly Expression[];
      readonly block: Block;
      readonly line: number;
    }
  | { readonly kind: 'return'; readonly values: readonly Expression[] }
  | { readonly kind: 'break' }
  | { readonly kind: 'goto'; readonly label: string; readonly line: number }
  | { readonly kind: 'label'; readonly label: string; readonly line: number };
