// Every admission policy that the project ships refuses: it is bound, its binding denies, and one that cannot be evaluated refuses, too.
import { readdirSync, readFileSync } from 'node:fs';
import { loadAll } from 'js-yaml';
import { expect, test } from 'vitest';

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec?: {
    readonly failurePolicy?: string;
    readonly policyName?: string;
    readonly validationActions?: readonly string[];
  };
}

const KIND = 'ValidatingAdmissionPolicy';

function notInForce(text: string): string[] {
  const all = loadAll(text) as Manifest[];
  const denied = all
    .filter(
      ({ kind, spec }) => kind === `${KIND}Binding` && spec?.validationActions?.includes('Deny'),
    )
    .map(({ spec }) => spec?.policyName);
  return all
    .filter(({ kind }) => kind === KIND)
    .flatMap(({ metadata: { name }, spec }) => [
      ...(spec?.failurePolicy === 'Fail' ? [] : [`${name} lets through what it cannot judge`]),
      ...(denied.includes(name) ? [] : [`${name} is not bound with Deny`]),
    ]);
}

const FILES = readdirSync('workflows').filter((name) => name.endsWith('.yaml'));
const read = (name: string) => readFileSync(`workflows/${name}`, 'utf8');

test('in the files of workflows/', () => {
  const policies = FILES.flatMap((name) => read(name).match(/^kind: ValidatingAdmissionPolicy$/gm));
  expect(policies.filter(Boolean).length).toBeGreaterThanOrEqual(8);
  expect(FILES.flatMap((name) => notInForce(read(name)))).toEqual([]);
});

const policy = (failure: string) =>
  `kind: ${KIND}\nmetadata: {name: p}\nspec: {failurePolicy: ${failure}}\n---\n`;
const binding = (action: string, to = 'p') =>
  `kind: ${KIND}Binding\nmetadata: {name: b}\nspec: {policyName: ${to}, validationActions: [${action}]}\n`;

test.each([
  ['one that lets through what it cannot judge', policy('Ignore') + binding('Deny'), 'judge'],
  ['one that only warns', policy('Fail') + binding('Warn, Audit'), 'not bound'],
  ['one that nothing binds', policy('Fail') + binding('Deny', 'other'), 'not bound'],
])('planted: %s', (_, text, what) => {
  expect(notInForce(text)).toEqual([expect.stringContaining(what)]);
});
