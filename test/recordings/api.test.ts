// What is used of Argo CD's API is in the description of every minor that is supported.
import { describe, expect, test } from 'vitest';
import { type Fields, namesOf } from './api/fields.ts';
import { readTable } from './api/table.ts';
import { KINDS, operationsInUse } from './api/usage.ts';

const table = Object.entries(readTable());
const used = await operationsInUse();
const ENABLED = 'spec.syncPolicy.automated.enabled';

const HYDRATED_TO = 'spec.sourceHydrator.syncSource.repoURL';

/**
 * The one came with 3.1, whose swagger forgot it: where it is absent, automated means enabled. The other came with 3.5: where
 * it is absent, a hydrator writes to the repository that it reads.
 */
const LACKING: Readonly<Record<string, { readonly swagger: string[]; readonly kinds: string[] }>> =
  {
    '3.0': { swagger: [HYDRATED_TO, ENABLED], kinds: [HYDRATED_TO, ENABLED] },
    '3.1': { swagger: [HYDRATED_TO, ENABLED], kinds: [HYDRATED_TO] },
    ...Object.fromEntries(
      ['3.2', '3.3', '3.4'].map((one) => [one, { swagger: [HYDRATED_TO], kinds: [HYDRATED_TO] }]),
    ),
  };

const minorOf = (version: string) => version.split('.').slice(0, 2).join('.');

function missing(fields: Fields, described: string | undefined): string[] {
  const known = new Set(described?.split(' '));
  return namesOf(fields).filter((name) => !known.has(name));
}

test('every minor from 3.0 to 3.5 is in the table', () => {
  expect(table.map(([version]) => minorOf(version))).toEqual([
    '3.0',
    '3.1',
    '3.2',
    '3.3',
    '3.4',
    '3.5',
  ]);
});

describe.each(table)('Argo CD %s', (version, { operations, kinds }) => {
  const lacking = LACKING[minorOf(version)] ?? { swagger: [], kinds: [] };

  test.each(used)('has $method $path', ({ method, path, query, body, answer }) => {
    const described = operations[`${method} ${path}`];
    expect(described).toBeDefined();
    expect(described?.query).toBe(query.join(' '));
    expect(missing(body, described?.body)).toEqual([]);
    const isApplication = path === '/api/v1/applications/{name}' && method === 'get';
    expect(missing(answer, described?.answer)).toEqual(isApplication ? lacking.swagger : []);
  });

  test.each(Object.entries(KINDS))('has what is read of the kind %s', (kind, fields) => {
    expect(missing(fields, kinds[kind])).toEqual(kind === 'application' ? lacking.kinds : []);
  });
});

test('bites on a field that no description has', () => {
  expect(missing({ a: { b: {}, c: {} } }, 'a a.b')).toEqual(['a.c']);
});

test('looks at the fields that decide', () => {
  const names = namesOf(KINDS.application ?? {});
  for (const name of [
    'status.sync.comparedTo.source',
    'status.conditions.type',
    'operation.info.value',
  ]) {
    expect(names).toContain(name);
  }
});
