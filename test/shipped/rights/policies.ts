// ValidatingAdmissionPolicies as Kubernetes judges by them. What they say in CEL means the same in JavaScript, with a few words of
// CEL's own.
import { createContext, runInContext } from 'node:vm';

export interface Policy {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly matchConditions?: readonly Expression[];
    readonly variables?: readonly (Expression & { readonly name: string })[];
    readonly validations?: readonly Expression[];
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

export interface Attempt {
  readonly user: string;
  readonly groups?: readonly string[];
  readonly operation?: 'CREATE' | 'UPDATE' | 'DELETE';
  readonly resource: string;
  readonly object: object;
  /** As it was before; the same where it is not given. */
  readonly oldObject?: object;
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
  const { object, oldObject, request } = given;
  const variables = {};
  const has = (ask) => {
    try { return ask() !== undefined; } catch { return false; }
  };
  const size = (value) => value.length;
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
  const { user: username, groups = [], operation = 'CREATE', resource, object } = attempt;
  const userInfo = { username, groups: Object.fromEntries(groups.map((one) => [one, true])) };
  const { oldObject = object } = attempt;
  const text = JSON.stringify({ object, oldObject, request: { operation, userInfo } });
  const context = createContext({ text });
  runInContext(WORDS, context);
  const declare = ({ spec }: Policy) => {
    for (const { name, expression } of spec.variables ?? [])
      runInContext(
        `Object.defineProperty(variables, '${name}', { get: () => intern(${inJavaScript({ expression })}), configurable: true })`,
        context,
      );
  };
  const holds = (one: Expression): boolean => {
    try {
      return runInContext(inJavaScript(one), context) === true;
    } catch {
      return false;
    }
  };
  const isAbout = ({ kind, spec }: Policy) =>
    kind === 'ValidatingAdmissionPolicy' &&
    spec.matchConstraints?.resourceRules.some(
      ({ resources, operations }) => resources.includes(resource) && operations.includes(operation),
    );
  return all
    .filter((one) => isAbout(one) && (one.spec.matchConditions ?? []).every(holds))
    .filter((one) => {
      declare(one);
      return !one.spec.validations?.every(holds);
    })
    .map(({ metadata }) => metadata.name);
}
