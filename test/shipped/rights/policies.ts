// ValidatingAdmissionPolicies as Kubernetes judges by them. What they say in CEL means the same in JavaScript, with a few words of
// CEL's own.
import { type Context, createContext, runInContext } from 'node:vm';

export interface Policy {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly paramKind?: object;
    readonly matchConditions?: readonly Expression[];
    readonly variables?: readonly (Expression & { readonly name: string })[];
    readonly validations?: readonly Validation[];
    readonly auditAnnotations?: readonly {
      readonly key: string;
      readonly valueExpression: string;
    }[];
    readonly matchConstraints?: {
      readonly resourceRules: readonly {
        readonly resources: readonly string[];
        readonly operations: readonly string[];
      }[];
    };
  };
}

interface Expression {
  readonly expression: string;
}

interface Validation extends Expression {
  readonly messageExpression?: string;
}

export interface Attempt {
  readonly user: string;
  readonly groups?: readonly string[];
  readonly operation?: 'CREATE' | 'UPDATE' | 'DELETE';
  readonly resource: string;
  readonly object: object;
  /** As it was before; the same where it is not given, null where there was none. */
  readonly oldObject?: object | null;
  /** What policies with parameters are given. Without it none of them applies. */
  readonly params?: object;
}

interface Judgement {
  readonly policy: string;
  /** Of the validations that failed. */
  readonly messages: readonly string[];
  /** KEY: VALUE */
  readonly audited: readonly string[];
}

const WORDS = `
  // What is equal is the same here, so that == means what it means in CEL.
  const known = new Map();
  // A field that is not there is an error, and only has() may ask for it.
  const strict = (value) => new Proxy(value, {
    get: (all, name) => {
      if (!(name in all) && name !== 'toJSON') throw new Error('no such key: ' + String(name));
      return all[name];
    },
  });
  const intern = (value) => {
    if (typeof value !== 'object' || value === null) return value;
    const isList = Array.isArray(value);
    const entries = Object.entries(value).map(([key, one]) => [key, intern(one)]);
    const same = isList ? entries : entries.sort(([a], [b]) => (a < b ? -1 : 1));
    const made = isList ? same.map(([, one]) => one) : Object.fromEntries(same);
    const key = JSON.stringify(made);
    if (!known.has(key)) known.set(key, isList ? made : strict(made));
    return known.get(key);
  };
  const given = intern(JSON.parse(text));
  const { object, oldObject, request, params } = given;
  const variables = {};
  const has = (ask) => {
    try { return ask() !== undefined; } catch { return false; }
  };
  const size = (value) => Object.keys(value).length;
  const add = (type, name, value) => Object.defineProperty(type.prototype, name, { value });
  add(String, 'matches', function (pattern) { return new RegExp(pattern).test(this); });
  add(Object, 'all', function (holds) { return Object.keys(this).every((key) => holds(key)); });
  add(Array, 'all', Array.prototype.every);
  add(Array, 'exists', Array.prototype.some);
  const { filter } = Array.prototype;
  add(Array, 'filter', function (holds) { return intern(filter.call(this, holds)); });
`;

/** `x.all(one, one.y)` takes a function here, and variables are evaluated when they are asked for. */
const inJavaScript = ({ expression }: Expression) =>
  expression
    .replaceAll(/\.(all|exists|filter)\((\w+), /g, '.$1(($2) => ')
    .replaceAll(/\bhas\(([\w.]+)\)/g, 'has(() => $1)');

/** The policies that refuse it. An expression that cannot be evaluated refuses, too. */
export function refusing(all: readonly Policy[], attempt: Attempt): string[] {
  const refused = judged(all, attempt).filter(({ messages }) => messages.length > 0);
  return refused.map(({ policy }) => policy);
}

/** What each policy says that applies. */
export function judged(all: readonly Policy[], attempt: Attempt): Judgement[] {
  const context = contextOf(attempt);
  const evaluate = (expression: string): unknown => {
    try {
      return runInContext(inJavaScript({ expression }), context);
    } catch (error) {
      return error;
    }
  };
  const holds = ({ expression }: Expression) => evaluate(expression) === true;
  const isAbout = ({ kind, spec }: Policy) =>
    kind === 'ValidatingAdmissionPolicy' &&
    (spec.paramKind === undefined || attempt.params !== undefined) &&
    spec.matchConstraints?.resourceRules.some(
      ({ resources, operations }) =>
        resources.includes(attempt.resource) && operations.includes(attempt.operation ?? 'CREATE'),
    );
  return all.filter(isAbout).flatMap(({ metadata, spec }): Judgement[] => {
    const conditions = (spec.matchConditions ?? []).map(({ expression }) => evaluate(expression));
    if (conditions.includes(false)) return [];
    declare(spec.variables ?? [], context);
    // A condition that cannot be evaluated refuses.
    const broken = conditions.filter((one) => one !== true).map(String);
    const failed = (spec.validations ?? []).filter((one) => !holds(one));
    const messages = failed.map(({ messageExpression = "''" }) =>
      String(evaluate(messageExpression)),
    );
    const audited = (spec.auditAnnotations ?? [])
      .map(({ key, valueExpression }) => [key, evaluate(valueExpression)])
      .filter(([, value]) => value !== '')
      .map(([key, value]) => `${key}: ${value}`);
    return [{ policy: metadata.name, messages: [...broken, ...messages], audited }];
  });
}

function contextOf(attempt: Attempt): Context {
  const { user: username, groups = [], operation = 'CREATE', object, params = {} } = attempt;
  const userInfo = { username, groups: Object.fromEntries(groups.map((one) => [one, true])) };
  const { oldObject = object } = attempt;
  const text = JSON.stringify({ object, oldObject, request: { operation, userInfo }, params });
  const context = createContext({ text });
  runInContext(WORDS, context);
  return context;
}

function declare(variables: NonNullable<Policy['spec']['variables']>, context: Context): void {
  for (const { name, expression } of variables)
    runInContext(
      `Object.defineProperty(variables, '${name}', { get: () => intern(${inJavaScript({ expression })}), configurable: true })`,
      context,
    );
}
