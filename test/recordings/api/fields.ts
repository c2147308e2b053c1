// Names of fields as a tree: of what a schema of ours takes, and of what a description of the API has of it.
import { z } from 'zod';

/** An empty object: the value is not looked into. */
export interface Fields {
  readonly [name: string]: Fields;
}

export function fieldsOf(schema: unknown): Fields {
  const inner = unwrap(schema);
  if (!(inner instanceof z.ZodObject)) return {};
  return Object.fromEntries(Object.entries(inner.shape).map(([key, of]) => [key, fieldsOf(of)]));
}

function unwrap(schema: unknown): unknown {
  if (schema instanceof z.ZodPipe) return unwrap(schema.in);
  if (schema instanceof z.ZodArray) return unwrap(schema.element);
  const wrapped =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodCatch;
  return wrapped ? unwrap(schema.unwrap()) : schema;
}

/** The same of a value that is sent. */
export function fieldsOfValue(value: unknown): Fields {
  const one: unknown = Array.isArray(value) ? value[0] : value;
  if (typeof one !== 'object' || one === null) return {};
  return Object.fromEntries(Object.entries(one).map(([key, of]) => [key, fieldsOfValue(of)]));
}

/** A schema of Swagger 2 or OpenAPI 3, as far as it matters. */
export interface Description {
  readonly $ref?: string;
  readonly items?: Description;
  readonly properties?: Readonly<Record<string, Description>>;
  readonly additionalProperties?: unknown;
}

type Resolve = (reference: string) => Description;

/** What of the fields the description has. */
export function present(fields: Fields, description: Description, resolve: Resolve): Fields {
  const { $ref, items, properties = {} } = description;
  if ($ref !== undefined) return present(fields, resolve($ref), resolve);
  if (items) return present(fields, items, resolve);
  const found = Object.entries(fields).flatMap(([key, below]) => {
    const property = properties[key];
    return property ? [[key, present(below, property, resolve)] as const] : [];
  });
  return Object.fromEntries(found);
}

/** Every field, as in status.sync.status. */
export function namesOf(fields: Fields): string[] {
  return Object.entries(fields).flatMap(([key, below]) => [
    key,
    ...namesOf(below).map((name) => `${key}.${name}`),
  ]);
}
