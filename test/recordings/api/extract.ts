// Writes the table: fetches Argo CD's modules with Go, and takes of their API descriptions what is in use here. The
// descriptions themselves stay where they are.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { type Description, type Fields, namesOf, present } from './fields.ts';
import { type DescribedOperation, TABLE_FILE, type Version } from './table.ts';
import { KINDS, type Operation, operationsInUse } from './usage.ts';

const MODULE = 'github.com/argoproj/argo-cd/v3';

// Outside of the repository, so that no go.mod has a say.
const go = (...args: string[]) => execFileSync('go', args, { cwd: tmpdir(), encoding: 'utf8' });

/** The newest release of each minor. */
function releases(): string[] {
  const [, ...versions] = go('list', '-m', '-versions', MODULE).trim().split(' ');
  const newest = new Map<string, string>();
  for (const version of versions) {
    const [, minor] = /^(v\d+\.\d+)\.\d+$/.exec(version) ?? [];
    if (minor) newest.set(minor, version);
  }
  return [...newest.values()];
}

interface Swagger {
  readonly definitions: Readonly<Record<string, Description>>;
  readonly paths: Readonly<Record<string, Readonly<Record<string, SwaggerOperation>>>>;
}

interface SwaggerOperation {
  readonly parameters?: readonly { name: string; in: string; schema?: Description }[];
  readonly responses: Readonly<Record<string, { readonly schema?: Description }>>;
}

const words = (fields: Fields) => namesOf(fields).join(' ');

/** Swagger leaves out what Go embeds; in JSON its fields are those of the outer structure. */
const EMBEDDED: Readonly<Record<string, string>> = { v1alpha1ResourceNode: 'v1alpha1ResourceRef' };

function definition({ definitions }: Swagger, name: string): Description {
  const own = definitions[name] ?? {};
  const embedded = definitions[EMBEDDED[name] ?? ''];
  return embedded ? { ...own, properties: { ...embedded.properties, ...own.properties } } : own;
}

function describedOperation(swagger: Swagger, used: Operation): DescribedOperation | undefined {
  const operation = swagger.paths[used.path]?.[used.method];
  if (!operation) return undefined;
  const resolve = (reference: string) => definition(swagger, reference.split('/').at(-1) ?? '');
  const { parameters = [], responses } = operation;
  const query = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  const body = parameters.find((parameter) => parameter.in === 'body')?.schema ?? {};
  return {
    query: used.query.filter((name) => query.includes(name)).join(' '),
    body: words(present(used.body, body, resolve)),
    answer: words(present(used.answer, responses['200']?.schema ?? {}, resolve)),
  };
}

interface Definition {
  readonly spec: {
    readonly versions: readonly { readonly schema: { readonly openAPIV3Schema: Description } }[];
  };
}

function describedKind(directory: string, kind: string, fields: Fields): string {
  const file = join(directory, 'manifests', 'crds', `${kind}-crd.yaml`);
  const { spec } = load(readFileSync(file, 'utf8')) as Definition;
  return words(present(fields, spec.versions[0]?.schema.openAPIV3Schema ?? {}, () => ({})));
}

async function versionOf(directory: string): Promise<Version> {
  const text = readFileSync(join(directory, 'assets', 'swagger.json'), 'utf8');
  const swagger = JSON.parse(text) as Swagger;
  const operations = (await operationsInUse()).flatMap((used) => {
    const described = describedOperation(swagger, used);
    return described ? [[`${used.method} ${used.path}`, described]] : [];
  });
  const kinds = Object.entries(KINDS).map(([kind, fields]) => [
    kind,
    describedKind(directory, kind, fields),
  ]);
  return { operations: Object.fromEntries(operations), kinds: Object.fromEntries(kinds) };
}

const table: Record<string, Version> = {};
for (const version of releases()) {
  const { Dir } = JSON.parse(go('mod', 'download', '-json', `${MODULE}@${version}`)) as {
    Dir: string;
  };
  table[version.slice(1)] = await versionOf(Dir);
  console.log(version);
}
writeFileSync(TABLE_FILE, `${JSON.stringify(table, undefined, 2)}\n`);
