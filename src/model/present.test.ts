// Files of a platform and an environment in, what the environment has of it out.
import { describe, expect, test } from 'vitest';
import { TiphysError } from '../errors.ts';
import { buildPlan } from '../plan/build-plan.ts';
import { compile } from '../plan/compile.ts';
import { renderReference } from './names.ts';
import { parsePlatform } from './platform.ts';

const HEAD =
  'apiVersion: tiphys.dev/v1alpha1\nkind: Platform\nmetadata: {name: p}\nspec:\n  stacks:\n';
const platformOf = (...lines: string[]) => ({
  file: 'p.yaml',
  text: HEAD + lines.map((line) => `    ${line}\n`).join(''),
});
const named = (name: string) => ({
  file: 'e.yaml',
  text: `name: ${name}\ndomain: d.example\ngitRepository: https://git.example/p\ngitRevision: main\n`,
});

function errorsOf(attempt: () => unknown): string[] {
  try {
    attempt();
    return [];
  } catch (error) {
    if (!(error instanceof TiphysError)) throw error;
    return error.diagnostics.map(
      ({ file, line, column, code, message, details, hint }) =>
        `${file}:${line}:${column} ${code}: ${message}${details ? ` [${details.join('; ')}]` : ''} | ${hint}`,
    );
  }
}

const only = (names: string) => (names === '' ? '' : `environments: [${names}], `);

test.each([
  ['', '', 'b', ['stack:s', 'app:x']],
  ['a', '', 'a', ['stack:s', 'app:x']],
  ['a', '', 'b', []],
  ['', 'a', 'a', ['stack:s', 'app:x']],
  ['', 'a', 'b', ['stack:s']],
  ['a, b', 'b', 'b', ['stack:s', 'app:x']],
  ['a, b', 'b', 'a', ['stack:s']],
  // A member is not where its stack is not, whatever it says of itself.
  ['a', 'b', 'b', []],
])('stack in [%s], application in [%s], environment %s: %j', (stack, member, name, expected) => {
  const file = platformOf(
    `- {name: s, ${only(stack)}application: own, applications: [{name: x, ${only(member)}class: simple}]}`,
    '- {name: everywhere, applications: [{name: always}]}',
  );
  const { stacks, absent, environment } = parsePlatform(file, named(name));
  const present = stacks
    .slice(0, -1)
    .flatMap((one) => [
      `stack:${one.name}`,
      ...one.applications.map((application) => `app:${application.name}`),
    ]);
  expect(present).toEqual(expected);
  const all = ['stack:s', 'app:x'];
  expect(absent.map(({ reference }) => renderReference(reference))).toEqual(
    all.filter((reference) => !expected.includes(reference)),
  );
  expect(environment).toBe(name);
});

describe('a dependency', () => {
  const file = (written: string) =>
    platformOf(
      '- {name: s, environments: [a], applications: [{name: x}]}',
      `- {name: t, applications: [{name: y, dependsOn: [${written}, z]}, {name: z}]}`,
    );
  const dependenciesIn = (written: string, name: string) =>
    parsePlatform(file(written), named(name))
      .stacks.at(-1)
      ?.applications[0]?.dependsOn.map(renderReference);

  test.each(['x', 'app:x', 'stack:s'])(
    'on %s that may be missing is one where it is there',
    (what) => {
      const reference = what === 'x' ? 'app:x' : what;
      expect(dependenciesIn(`{name: ${what}, optional: true}`, 'a')).toEqual([reference, 'app:z']);
      expect(dependenciesIn(`{name: ${what}, optional: true}`, 'b')).toEqual(['app:z']);
    },
  );

  test('on something that is missing there, and must not be', () => {
    expect(dependenciesIn('x', 'a')).toEqual(['app:x', 'app:z']);
    expect(errorsOf(() => dependenciesIn('x', 'b'))).toEqual([
      'p.yaml:7:54 reference-absent: Environment "b" does not have "x", so it cannot be a dependency there. | Write {name: x, optional: true} if it can be absent, or give both the same environments.',
    ]);
  });

  test('of something that is missing itself needs nothing', () => {
    const both = platformOf(
      '- {name: s, environments: [a], applications: [{name: x}]}',
      '- {name: t, environments: [a], dependsOn: [x], applications: []}',
      '- {name: u, applications: [{name: y, environments: [a], dependsOn: [stack:s]}, {name: z}]}',
    );
    expect(errorsOf(() => parsePlatform(both, named('b')))).toEqual([]);
  });

  test('that may be missing in some environment must be in the file', () => {
    expect(errorsOf(() => dependenciesIn('{name: xx, optional: true}', 'a'))).toEqual([
      expect.stringContaining(
        'p.yaml:7:54 reference-unknown: The platform has no application "xx".',
      ),
    ]);
  });

  test('all that are missing are reported at once', () => {
    const many = platformOf(
      '- {name: s, environments: [a], applications: [{name: x}]}',
      '- {name: t, dependsOn: [stack:s, x], applications: [{name: y, dependsOn: [x]}]}',
    );
    const places = errorsOf(() => parsePlatform(many, named('b'))).map((error) =>
      error.split(':').slice(1, 3).join(':'),
    );
    expect(places).toEqual(
      ['7:29', '7:38', '7:79'].map((place) => expect.stringMatching(`^${place} `)),
    );
  });
});

test.each([
  ['- {name: s, environments: [production, test], applications: [{name: x}]}'],
  ['- {name: s, applications: [{name: x, environments: [test, production]}]}'],
])('an environment that has nothing of it is a mistake: %s', (stack) => {
  expect(errorsOf(() => parsePlatform(platformOf(stack), named('prodution')))).toEqual([
    'p.yaml:6:5 environment-empty: Environment "prodution" has none of the applications of this platform. | Correct the name in the environment file; this file uses "production", "test".',
  ]);
  expect(errorsOf(() => parsePlatform(platformOf(stack), named('test')))).toEqual([]);
});

test('a parent without members is something', () => {
  const file = platformOf(
    '- {name: s, application: own, applications: [{name: x, environments: [a]}]}',
  );
  expect(errorsOf(() => parsePlatform(file, named('b')))).toEqual([]);
});

test('nobody guesses the environment', () => {
  const file = platformOf(
    '- {name: s, applications: [{name: x}, {name: y, environments: [a]}]}',
    '- {name: t, environments: [b], applications: []}',
  );
  expect(errorsOf(() => parsePlatform(file))).toEqual([
    'p.yaml:6:67 environment-unknown: This entry belongs to some environments only, and no environment is given. | Pass the environment file with -e.',
  ]);
});

test('a file that does not fit the schema says so in the same go', () => {
  const file = platformOf('- {name: s, environments: [a], applications: [{name: x, clas: y}]}');
  expect(errorsOf(() => parsePlatform(file)).map((error) => error.split(' ')[1])).toEqual([
    'environment-unknown:',
    'key-unknown:',
  ]);
});

test('a broken environment file is all that is wrong', () => {
  const file = platformOf('- {name: s, environments: [a], applications: [{name: x}]}');
  const broken = { file: 'e.yaml', text: `${named('a').text}domian: x\n` };
  expect(errorsOf(() => compile(file, broken))).toEqual([
    expect.stringContaining('e.yaml:5:1 key-unknown'),
  ]);
});

test('a cycle is shown beside a broken environment file', () => {
  const file = platformOf(
    '- {name: s, applications: [{name: x, dependsOn: [y]}, {name: y, dependsOn: [x]}]}',
  );
  const broken = { file: 'e.yaml', text: `${named('a').text}domian: x\n` };
  expect(errorsOf(() => compile(file, broken)).map((error) => error.split(' ')[1])).toEqual([
    'graph-cycle:',
    'key-unknown:',
  ]);
});

test('a cycle is named by the lines of the file, whatever is left out before it', () => {
  const file = platformOf(
    '- {name: s, environments: [a], applications: [{name: w}]}',
    '- {name: t, applications:',
    '    [{name: v, environments: [a]}, {name: x, dependsOn: [{name: w, optional: true}, y]},',
    '     {name: y, dependsOn: [{name: x, optional: true}]}]}',
  );
  expect(errorsOf(() => compile(file, named('b')))).toEqual([
    'p.yaml:8:89 graph-cycle: These depend on each other: x -> y -> x. [line 8: x dependsOn y; line 9: y dependsOn x] | Remove one of these dependencies.',
  ]);
});

test('a cycle that only another environment has is none', () => {
  const file = platformOf(
    '- name: s',
    '  applications:',
    '    - {name: x, environments: [a], dependsOn: [y]}',
    '    - {name: y, dependsOn: [{name: x, optional: true}]}',
  );
  expect(errorsOf(() => compile(file, named('b')))).toEqual([]);
  expect(errorsOf(() => compile(file, named('a')))).toEqual([
    expect.stringContaining('graph-cycle'),
  ]);
});

test('a scope that the environment does not have', () => {
  const file = platformOf(
    '- {name: s, environments: [a], applications: [{name: x}]}',
    '- {name: t, applications: [{name: y}]}',
  );
  const scoped = (scope: string) =>
    errorsOf(() => buildPlan(compile(file, named('b')), { action: 'deploy', scope: [scope] }));
  expect(scoped('x')).toEqual([
    'undefined:undefined:undefined reference-absent: Environment "b" does not have "app:x". | Pass another environment file with -e, or add the environment to its `environments`.',
  ]);
  expect(scoped('stack:s')).toEqual([expect.stringContaining('does not have "stack:s"')]);
  expect(scoped('xx')).toEqual([expect.stringContaining('reference-unknown')]);
});

test.each([
  [
    '{name: z}',
    'key-missing: spec.stacks[0].applications[0].dependsOn[0] needs the key "optional".',
  ],
  [
    '{optional: true}',
    'key-missing: spec.stacks[0].applications[0].dependsOn[0] needs the key "name".',
  ],
  [
    '{name: z, optional: false}',
    'value-unexpected: spec.stacks[0].applications[0].dependsOn[0].optional must be true, not false.',
  ],
  [
    '{name: Z, optional: true}',
    'reference-invalid: spec.stacks[0].applications[0].dependsOn[0].name is "Z", which is not a valid reference.',
  ],
  [
    '{name: z, optional: true, soft: 1}',
    'key-unknown: spec.stacks[0].applications[0].dependsOn[0] has no key "soft".',
  ],
  ['{name: z, opional: true}', 'Did you mean "optional"?'],
  ['5', 'value-type: spec.stacks[0].applications[0].dependsOn[0] must be text, not 5.'],
  ['[z]', 'value-type: spec.stacks[0].applications[0].dependsOn[0] must be text, not a list of 1.'],
  [
    'Z',
    'reference-invalid: spec.stacks[0].applications[0].dependsOn[0] is "Z", which is not a valid reference.',
  ],
])('a dependency that is written as %s', (written, expected) => {
  const file = platformOf(
    `- {name: s, applications: [{name: y, dependsOn: [${written}]}, {name: z}]}`,
  );
  expect(errorsOf(() => parsePlatform(file)).join('\n')).toContain(expected);
});

test.each([
  ['[]', 'must not be an empty list'],
  ['a', 'must be a list'],
  ['[A]', 'name-invalid'],
])('environments that are %s', (written, expected) => {
  const file = platformOf(`- {name: s, environments: ${written}, applications: []}`);
  expect(errorsOf(() => parsePlatform(file, named('a'))).join('\n')).toContain(expected);
});
