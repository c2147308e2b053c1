// The examples show every key that the files can have.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

interface Schema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

/** Where a group of settings stands does not matter: platform, stack, class and application share them. */
const PLACE = /^(?:spec|stacks|applications|classes\.\*)\./;
const withoutPlace = (path: string): string =>
  PLACE.test(path) ? withoutPlace(path.replace(PLACE, '')) : path;

function keysOf(schema: Schema, root: Schema, path = ''): string[] {
  const named = schema.$ref ? root.$defs?.[schema.$ref.split('/').at(-1) ?? ''] : undefined;
  if (named) return keysOf(named, root, path);
  const own = Object.entries(schema.properties ?? {}).flatMap(([key, value]) => [
    `${path}${key}`,
    ...keysOf(value, root, `${path}${key}.`),
  ]);
  const { items, additionalProperties: any, anyOf = [], oneOf = [] } = schema;
  const inside = [...anyOf, ...oneOf, ...(items ? [items] : [])];
  return [
    ...own,
    ...inside.flatMap((one) => keysOf(one, root, path)),
    ...(typeof any === 'object' ? keysOf(any, root, `${path}*.`) : []),
  ];
}

function keysIn(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => keysIn(one, path));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => {
    const name = path === 'spec.classes.' ? '*' : key;
    return [`${path}${name}`, ...keysIn(one, `${path}${name}.`)];
  });
}

const places = (keys: readonly string[]): string[] => [...new Set(keys.map(withoutPlace))].sort();

test.each([
  ['platform', ['reference/platform.yaml', 'teams/platform.yaml']],
  ['environment', ['teams/production.yaml']],
])('%s', (name, examples) => {
  const schema: Schema = JSON.parse(readFileSync(`schemas/${name}.schema.json`, 'utf8'));
  const used = examples.flatMap((file) => keysIn(parse(readFileSync(`examples/${file}`, 'utf8'))));
  const all = places(keysOf(schema, schema));
  expect(all.length).toBeGreaterThan(20);
  expect(all.filter((key) => !places(used).includes(key))).toEqual([]);
});
