// Building blocks of schemas for what others wrote: absent and null are the same, a wrong type is an error.
import { z } from 'zod';

export const orElse = <S extends z.ZodType, T>(schema: S, otherwise: T) =>
  schema.nullish().transform((value) => value ?? otherwise);

export const optional = <S extends z.ZodType>(schema: S) => orElse(schema, undefined);

export const list = <S extends z.ZodType>(schema: S) =>
  orElse(z.array(schema), [] as z.output<S>[]);

export const text = orElse(z.string(), '');
export const flag = orElse(z.boolean(), false);
/** Labels, annotations and the like. */
export const texts = orElse(z.record(z.string(), z.string()), {}).transform(
  (value) => new Map<string, string>(Object.entries(value)),
);
/** As Argo CD writes times; whole seconds since 1970. */
export const seconds = z.iso.datetime().transform((value) => Math.floor(Date.parse(value) / 1000));

/** Compiling a schema takes as long as it saves in so many parses: most commands read fewer. */
const PARSES_BEFORE_COMPILING = 2_000;

/** What a schema makes of a value, faster from some time on. Throws as its `parse` does. */
export function parsedOften<S extends z.ZodType>(schema: S): (given: unknown) => z.output<S> {
  let parser = schema;
  let parses = 0;
  return (given) => {
    if (++parses === PARSES_BEFORE_COMPILING) parser = z.compile(schema);
    return parser.parse(given);
  };
}
