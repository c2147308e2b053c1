// Checks a value against a schema: returns the parsed value, or every issue.
import { z } from 'zod';

export type Issue = z.core.$ZodIssue;

export interface Result<T> {
  readonly data?: T;
  readonly issues: readonly Issue[];
}

export function check<S extends z.ZodType>(schema: S, value: unknown): Result<z.output<S>> {
  try {
    const result = schema.safeParse(value);
    return result.success ? { data: result.data, issues: [] } : { issues: result.error.issues };
  } catch (error) {
    // Zod passes the issues of a list as arguments of one call, and about 100,000 of them overflow the stack.
    if (error instanceof RangeError) return { issues: issuesByMember(schema, value) };
    throw error;
  }
}

interface Part {
  readonly schema: unknown;
  readonly value: unknown;
  readonly path: readonly PropertyKey[];
}

/** The same issues, with each member of a list of mappings checked separately. */
function issuesByMember(schema: z.ZodType, value: unknown): Issue[] {
  const found: Issue[] = [];
  const parts: Part[] = [{ schema, value, path: [] }];
  for (const part of parts) {
    const result = (part.schema as z.ZodType).safeParse(withoutMembers(part, parts));
    for (const issue of result.error?.issues ?? []) {
      found.push({ ...issue, path: [...part.path, ...issue.path] });
    }
  }
  return found;
}

/** A copy in which the lists of mappings are empty; their members are added to the parts. */
function withoutMembers({ schema, value, path }: Part, parts: Part[]): unknown {
  const bare = unwrap(schema);
  if (!(bare instanceof z.ZodObject) || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value;
  const entries = Object.entries(value).map(([key, child]): [string, unknown] => {
    const inner = Object.hasOwn(bare.shape, key) ? unwrap(bare.shape[key]) : undefined;
    const at = [...path, key];
    if (!(inner instanceof z.ZodArray) || !Array.isArray(child)) {
      return [key, withoutMembers({ schema: inner, value: child, path: at }, parts)];
    }
    if (!(unwrap(inner.element) instanceof z.ZodObject)) return [key, child];
    for (const [index, member] of child.entries()) {
      parts.push({ schema: inner.element, value: member, path: [...at, index] });
    }
    return [key, []];
  });
  return Object.fromEntries(entries);
}

export function unwrap(schema: unknown): unknown {
  return schema instanceof z.ZodOptional ? unwrap(schema.unwrap()) : schema;
}
