// What the documents say is compared with what is so.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { SETTABLE } from '../../../src/cli/commands/config.ts';
import type { Io } from '../../../src/cli/io.ts';
import { createProgram } from '../../../src/cli/program.ts';
import { CATALOGUE } from '../../../src/errors.ts';
import { jsonSchema } from '../../../src/model/json-schema.ts';
import { compile } from '../../../src/plan/compile.ts';

const read = (path: string) => readFileSync(path, 'utf8');
const tableRows = (text: string) =>
  [...text.matchAll(/^\| `([^`]+)` \| (.*) \|$/gm)].map(([, key = '', rest = '']) => [key, rest]);

test('docs/errors.md lists exactly the catalogue, with its exit statuses', () => {
  const documented = tableRows(read('docs/errors.md')).map(([code, rest]) => [
    code,
    Number(rest?.split(' | ')[0]),
  ]);
  expect(Object.fromEntries(documented)).toEqual({ ...CATALOGUE });
  expect(documented).toHaveLength(Object.keys(CATALOGUE).length);
});

test('each runtime dependency has its reason, and there are fewer than ten', () => {
  const section = read('ARCHITECTURE.md').split('## Dependencies')[1]?.split('\n## ')[0] ?? '';
  const { dependencies } = JSON.parse(read('package.json'));
  expect(tableRows(section).map(([name]) => name)).toEqual(Object.keys(dependencies).sort());
  expect(Object.keys(dependencies).length).toBeLessThan(10);
});

test.each(['platform', 'environment'] as const)('schemas/%s.schema.json is current', (file) => {
  expect(JSON.parse(read(`schemas/${file}.schema.json`))).toEqual(jsonSchema(file));
});

const DOCUMENTS = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'docs/decisions.md',
  'docs/files.md',
  'docs/rehearsal.md',
  'docs/health.md',
  'docs/executor.md',
  'docs/preflight.md',
  'docs/workflows.md',
  'docs/bootstrap.md',
  'docs/import.md',
  'docs/index.md',
  ...readdirSync('docs/guides').map((name) => `docs/guides/${name}`),
  'docs/diff.md',
];

test.each(DOCUMENTS)('every path that %s names is there', (document) => {
  const paths = [
    ...read(document).matchAll(
      /`((?:src|test|docs|schemas|examples|health|lua|workflows|bootstrap)\/[^`*\s]*)`/g,
    ),
  ];
  const links = [...read(document).matchAll(/\]\(([^):#]+)(?:#[^)]*)?\)/g)];
  const folder = dirname(document);
  const named = [
    ...paths.map(([, path = '']) => path),
    ...links.map(([, path = '']) => join(folder, path)),
  ];
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((path) => !existsSync(path))).toEqual([]);
});

test.each([
  ['README.md', 150],
  ['ARCHITECTURE.md', 150],
])('%s has at most %i lines', (document, most) => {
  expect(read(document).split('\n').length - 1).toBeLessThanOrEqual(most);
});

test('README.md names every command, and no other', () => {
  const io = { version: () => '' } as Io;
  const output = () => Promise.reject(new Error('no action runs'));
  const commands = createProgram({ io, finish: () => {}, output }).commands.map((one) =>
    one.name(),
  );
  const table = read('README.md')
    .split('\n')
    .filter((line) => line.startsWith('| `tiphys '));
  const named = table.flatMap((line) =>
    [...line.matchAll(/`tiphys (\w+)/g)].map(([, name]) => name),
  );
  expect([...new Set(named)].sort()).toEqual(commands.sort());
});

test.each(['platform', 'environment'] as const)(
  'docs/files.md names every key of %s.yaml',
  (file) => {
    const text = read('docs/files.md');
    const missing = [...keysOf(jsonSchema(file))].filter(
      (key) => !new RegExp(`[\`.\\s{]${key}[\`:.[]`).test(text),
    );
    expect(missing).toEqual([]);
  },
);

test('docs/files.md names every option that can be set, its key and its variable', () => {
  const text = read('docs/files.md');
  const names = SETTABLE.flatMap((one) => [one.attributeName(), one.variable]);
  const options = SETTABLE.map(({ short, long }) => short ?? long);
  expect([...names, ...options].filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
});

/** Every property name of a JSON Schema. */
function keysOf(schema: unknown, found = new Set<string>()): Set<string> {
  if (typeof schema !== 'object' || schema === null) return found;
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'properties') for (const name of Object.keys(value)) found.add(name);
    keysOf(value, found);
  }
  return found;
}

test('the platform file shown in docs/files.md passes the checks but for what it leaves out', () => {
  const [, text = ''] = /```yaml\n([\s\S]*?)```/.exec(read('docs/files.md')) ?? [];
  expect(() => compile({ file: 'files.md', text })).toThrow(/no stack "infrastructure"/);
});

describe('what README.md shows is what comes', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'tiphys-readme-'));
  afterAll(() => rmSync(scratch, { recursive: true }));
  const blocks = [...read('README.md').matchAll(/```console\n\$ tiphys (.*)\n([\s\S]*?)```/g)];

  test('there is something to compare', () => expect(blocks.length).toBeGreaterThanOrEqual(3));

  test.each(blocks.map(([, line = '', shown = '']) => [line, shown]))(
    'tiphys %s',
    (line, shown) => {
      const main = resolve('dist/main.js');
      const { stdout, stderr } = spawnSync(process.execPath, [main, ...line.split(' ')], {
        cwd: scratch,
        encoding: 'utf8',
      });
      expect(stdout + stderr).toBe(shown);
    },
  );

  test('the stacks shown are those of the template', () => {
    const [, yaml = ''] = /```yaml\n\s*stacks:\n([\s\S]*?)```/.exec(read('README.md')) ?? [];
    expect(read(join(scratch, 'platform.yaml'))).toContain(yaml);
  });
});
