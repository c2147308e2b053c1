// Templates of ApplicationSets: parameters in {{ }}. Only plain ones are filled in; the others are reported.
import { isFields } from './documents.ts';

/** Nested as in the file; what an ApplicationSet knows by a path of names. */
export type Parameters = Readonly<Record<string, unknown>>;

export interface Filled<T> {
  readonly value: T;
  /** Expressions that could not be filled in. */
  readonly left: readonly string[];
}

/** No brace stands inside an expression, so that each begins and ends once. */
const EXPRESSION = /\{\{([^{}]*)\}\}/g;

export function fill<T>(template: T, parameters: Parameters, isGo: boolean): Filled<T> {
  const left: string[] = [];
  const replace = (text: string) =>
    text.replace(EXPRESSION, (whole, inner: string) => {
      const found = lookUp(inner.replace(/^-|-$/g, '').trim(), parameters, isGo);
      if (found === undefined) left.push(whole);
      return found ?? whole;
    });
  return { value: filled(template, replace) as T, left };
}

function filled(value: unknown, replace: (text: string) => string): unknown {
  if (typeof value === 'string') return replace(value);
  if (Array.isArray(value)) return value.map((one) => filled(one, replace));
  if (!isFields(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [replace(key), filled(member, replace)]),
  );
}

/** At most 300 characters. */
const SEGMENT = /^index \.path\.segments (\d{1,3})$/;
const INDEXED = /^path\[(\d{1,3})\]$/;
const LONGEST = 300;

function lookUp(expression: string, parameters: Parameters, isGo: boolean): string | undefined {
  if (expression.length > LONGEST) return undefined;
  const [, at] = (isGo ? SEGMENT : INDEXED).exec(expression) ?? [];
  if (at !== undefined) return textOf(pathParts(parameters)?.[Number(at)]);
  if (isGo && !expression.startsWith('.')) return undefined;
  const path = isGo ? expression.slice(1) : expression;
  const found = valueAt(parameters, path);
  // Without Go templates, `path` alone is the whole path.
  return textOf(!isGo && path === 'path' && isFields(found) ? found.path : found);
}

function pathParts({ path }: Parameters): readonly unknown[] | undefined {
  return isFields(path) && Array.isArray(path.segments) ? path.segments : undefined;
}

/** Names may have dots themselves (labels): the longest one that fits counts. */
function valueAt(value: unknown, path: string): unknown {
  if (!isFields(value)) return undefined;
  if (Object.hasOwn(value, path)) return value[path];
  const parts = path.split('.');
  for (let count = parts.length - 1; count > 0; count--) {
    const name = parts.slice(0, count).join('.');
    if (Object.hasOwn(value, name)) return valueAt(value[name], parts.slice(count).join('.'));
  }
  return undefined;
}

function textOf(value: unknown): string | undefined {
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : undefined;
}
