// Text in, diagnostics as text out.
import { expect, test } from 'vitest';
import { TiphysError } from '../errors.ts';
import { parsePlatform } from './platform.ts';

const HEAD = 'apiVersion: tiphys.dev/v1alpha1\nkind: Platform\nmetadata: {name: p}\nspec:\n';

function errorsOf(text: string, environment?: string): string[] {
  try {
    parsePlatform(
      { file: 'p.yaml', text },
      environment === undefined ? undefined : { file: 'e.yaml', text: environment },
    );
    return [];
  } catch (error) {
    if (!(error instanceof TiphysError)) throw error;
    return error.diagnostics.map(
      ({ file, line, column, code, message, hint }) =>
        `${file}:${line}:${column} ${code}: ${message} | ${hint}`,
    );
  }
}

const stacks = (...lines: string[]) =>
  `${HEAD}  stacks:\n${lines.map((l) => `    ${l}\n`).join('')}`;

test('all errors of both files come at once, with their positions', () => {
  const text = `${HEAD}  concurency: 3\n  timeouts: {sync: 5 minutes}\n  stacks:\n    - nam: a\n`;
  expect(errorsOf(text, 'name: x\ndomain: 3\n')).toMatchInlineSnapshot(`
    [
      "p.yaml:5:3 key-unknown: spec has no key "concurency". | Did you mean "concurrency"?",
      "p.yaml:6:20 duration-invalid: spec.timeouts.sync is "5 minutes", which is not a valid duration. | Write whole hours, minutes and seconds: 90s, 5m, 1h30m.",
      "p.yaml:8:7 key-missing: spec.stacks[0] needs the key "name". | Add "name".",
      "p.yaml:8:7 key-missing: spec.stacks[0] needs the key "applications". | Add "applications".",
      "p.yaml:8:7 key-unknown: spec.stacks[0] has no key "nam". | Did you mean "name"?",
      "e.yaml:1:1 key-missing: The file needs the key "gitRepository". | Add "gitRepository".",
      "e.yaml:1:1 key-missing: The file needs the key "gitRevision". | Add "gitRevision".",
      "e.yaml:2:9 value-type: domain must be text, not 3. | Put it in quotes: "3".",
    ]
  `);
});

const inEnvironment = (repository: string) =>
  errorsOf(
    `${HEAD}  stacks: []\n`,
    `name: e\ndomain: d\ngitRevision: r\ngitRepository: '${repository}'\n`,
  );

test.each([
  'https://me:s3cret@git.example.com/x',
  'https://s3cret@git.example.com/x',
  'https://me:s3cret@rest@git.example.com/x',
  'ssh://git:s3cret@git.example.com/x',
  ' http://s3cret@git.example.com',
  'https://git.example.com/x?private_token=s3cret',
  'https://git.example.com/x?a=b&access_token=s3cret',
])('a repository with a credential in its address: %s', (repository) => {
  const found = inEnvironment(repository);
  expect(found).toEqual([
    'e.yaml:4:17 credential-in-file: gitRepository contains a password or token. | Remove it, and add it to Argo CD as a repository credential.',
  ]);
  expect(found.join()).not.toContain('s3cret');
});

test.each([
  'https://git.example.com:8443/x/y@z?a=b:c@d',
  'ssh://git@git.example.com:2222/x',
  'git+ssh://git@git.example.com/x',
  'git@git.example.com:x',
  'file:///srv/x:y@z',
])('a repository without one: %s', (repository) => {
  expect(inEnvironment(repository)).toEqual([]);
});

test.each([
  ['a stack that is not there', '- {name: a, dependsOn: [stack:bb], applications: []}'],
  ['a name of another kind', '- {name: a, applications: [{name: x, dependsOn: [a]}]}'],
  [
    "a stack's own Application",
    '- {name: a, application: own, applications: [{name: x, dependsOn: [own]}]}',
  ],
  ['itself', '- {name: a, applications: [{name: x, dependsOn: [x]}]}'],
  ['its own stack', '- {name: a, applications: [{name: x, dependsOn: [stack:a]}]}'],
  ['its own member', '- {name: a, dependsOn: [x], applications: [{name: x}]}'],
  ['the platform', '- {name: a, dependsOn: [platform], applications: []}'],
  ['a reserved name', '- {name: a, applications: [{name: constructor}]}'],
  ['a class that is not there', '- {name: a, applications: [{name: x, class: operater}]}'],
  ['a duplicate', '- {name: a, applications: [{name: x}, {name: x}]}'],
  ['a capital letter', '- {name: a, applications: [{name: X}]}'],
  ['a wrong type', '- {name: a, applications: [{name: 5}]}'],
  ['no time at all', '- {name: a, timeouts: {sync: 0s}, applications: []}'],
])('%s', (_, line) => {
  expect(errorsOf(stacks(line))).toMatchSnapshot();
});

test('an application in two stacks', () => {
  const text = stacks(
    '- {name: a, applications: [{name: x}]}',
    '- {name: b, applications: [{name: x}]}',
  );
  expect(errorsOf(text)).toMatchInlineSnapshot(`
    [
      "p.yaml:7:39 application-in-two-stacks: Application "x" is in stack "a" and in stack "b"; the first is in line 6. | Keep it in one of them.",
    ]
  `);
});

test('the nearest place that says something wins', () => {
  const text = `${HEAD}  timeouts: {sync: 4m}
  retries: {backoff: 4s}
  argocd: {namespace: of-platform}
  classes: {operator: {timeouts: {sync: 2m}}, mine: {gate: {dwell: 2s, allowEmpty: true}}}
  stacks:
    - name: a
      timeouts: {sync: 3m, health: 3m}
      argocd: {project: of-stack}
      applications:
        - {name: own, class: mine, timeouts: {sync: 1m}, argocd: {project: of-app}}
        - {name: by-class, class: operator}
        - {name: by-stack}
`;
  const environment =
    'name: e\ndomain: d\ngitRepository: g\ngitRevision: r\nargocdNamespace: of-environment\n' +
    'timeouts: {sync: 9m, health: 9m}\nretries: {maxAttempts: 9}\n';
  const platform = parsePlatform({ file: 'p', text }, { file: 'e', text: environment });
  const rows = platform.stacks[0]?.applications.map(({ name, address, settings }) =>
    [name, address.namespace, address.project, JSON.stringify(settings)].join(' '),
  );
  expect(rows).toMatchInlineSnapshot(`
    [
      "own of-platform of-app {"timeouts":{"sync":60,"health":180},"retries":{"maxAttempts":9,"backoff":4},"gate":{"dwell":2,"degradedGrace":60,"allowSuspended":false,"allowEmpty":true,"ignoreOutOfSync":[]},"expectedDuration":150}",
      "by-class of-platform of-stack {"timeouts":{"sync":120,"health":600},"retries":{"maxAttempts":9,"backoff":4},"gate":{"dwell":10,"degradedGrace":60,"allowSuspended":false,"allowEmpty":false,"ignoreOutOfSync":[]},"expectedDuration":180}",
      "by-stack of-platform of-stack {"timeouts":{"sync":180,"health":180},"retries":{"maxAttempts":9,"backoff":4},"gate":{"dwell":10,"degradedGrace":60,"allowSuspended":false,"allowEmpty":false,"ignoreOutOfSync":[]},"expectedDuration":150}",
    ]
  `);
  expect(platform.runTimeout).toBe(7200);
});

test('a file that does not fit the schema has its names and references checked all the same', () => {
  const text = stacks(
    '- {name: a, applications: [{name: x, dependsOn: [y, nowhere]}, {name: y, timeout: 5m}]}',
    '- {applications: [{name: x, class: nope}, 7]}',
  );
  expect(errorsOf(text).map((error) => error.split(' | ')[0])).toMatchInlineSnapshot(`
    [
      "p.yaml:6:57 reference-unknown: The platform has no application "nowhere".",
      "p.yaml:6:78 key-unknown: spec.stacks[0].applications[1] has no key "timeout".",
      "p.yaml:7:7 key-missing: spec.stacks[1] needs the key "name".",
      "p.yaml:7:30 application-in-two-stacks: Application "x" is in stack "a" and in stack "#2"; the first is in line 6.",
      "p.yaml:7:40 class-unknown: There is no class "nope".",
      "p.yaml:7:47 value-type: spec.stacks[1].applications[1] must be a mapping, not 7.",
    ]
  `);
});

test.each([
  ['retries: {backoff: 10}', 'Did you mean 10s?'],
  ['concurrency: "20"', 'Remove the quotes: 20.'],
  ['stacks: x', 'Write [x].'],
])('%s: %s', (line, hint) => {
  const errors = errorsOf(`${HEAD}  ${line}\n${line.startsWith('stacks') ? '' : '  stacks: []\n'}`);
  expect(errors).toHaveLength(1);
  expect(errors[0]).toContain(hint);
});

test('a bracket that is not closed shows only in the line after it', () => {
  const text = stacks('- name: s\n      applications:\n        - {name: a\n        - {name: b}');
  expect(errorsOf(text)).toMatchInlineSnapshot(`
    [
      "p.yaml:9:9 yaml-syntax: This is not valid YAML: deficient indentation. | Fix it here or in the line before: often a { or [ is not closed, or the indentation differs.",
    ]
  `);
});

const APPROVAL = 'gate: {approval: Unseal Vault}';

test("a stack's approval is its own, and no member's", () => {
  const text = stacks(
    `- {name: s, application: s-apps, gate: {approval: Look at it, dwell: 7s}, applications: [{name: a}, {name: b, ${APPROVAL}}]}`,
  );
  const [stack] = parsePlatform({ file: 'p.yaml', text }).stacks;
  const gates = [stack, ...(stack?.applications ?? [])].map((one) => one?.settings.gate);
  expect(gates.map((gate) => [gate?.approval, gate?.dwell])).toEqual([
    ['Look at it', 7],
    [undefined, 7],
    ['Unseal Vault', 7],
  ]);
});

test('an approval needs one Application, and one line', () => {
  const member = (approval: string) => `{name: a, gate: {approval: ${approval}}}`;
  const text = [
    `${HEAD}  ${APPROVAL}\n  classes: {c: {${APPROVAL}}}\n  stacks:\n`,
    `    - {name: s, ${APPROVAL}, applications: [${member('"a\\nb"')}]}\n`,
    `    - {name: t, applications: [${member(`"${'x'.repeat(201)}"`)}, ${member('""')}]}\n`,
  ];
  expect(errorsOf(text.join(''))).toMatchInlineSnapshot(`
    [
      "p.yaml:5:10 key-unknown: spec.gate has no key "approval". | An approval belongs to one Application: move it to \`gate\` of an application, or of a stack with \`application\`.",
      "p.yaml:6:24 key-unknown: spec.classes.c.gate has no key "approval". | An approval belongs to one Application: move it to \`gate\` of an application, or of a stack with \`application\`.",
      "p.yaml:8:34 approval-without-application: Stack "s" has no Application, so it has no gate to approve. | Give the stack \`application\`, or move the approval to its last application.",
      "p.yaml:8:92 value-unexpected: spec.stacks[0].applications[0].gate.approval must look like one line of text, for example Unseal Vault, not "a\\nb". | Run \`tiphys schema\` for every key of a platform file, or see docs/files.md.",
      "p.yaml:9:39 application-in-two-stacks: Application "a" is in stack "s" and in stack "t"; the first is in line 8. | Keep it in one of them.",
      "p.yaml:9:60 value-range: spec.stacks[1].applications[0].gate.approval must be at most 200 characters, not "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...". | Choose a value in that range.",
      "p.yaml:9:273 application-in-two-stacks: Application "a" is in stack "s" and in stack "t"; the first is in line 8. | Keep it in one of them.",
      "p.yaml:9:294 value-unexpected: spec.stacks[1].applications[1].gate.approval must look like one line of text, for example Unseal Vault, not "". | Run \`tiphys schema\` for every key of a platform file, or see docs/files.md.",
    ]
  `);
});

test.each([
  ["gate: {approval: ' Unseal'}", 'Remove the space at the beginning: "Unseal".'],
  [
    "gate: {approval: ''}",
    'Run `tiphys schema` for every key of a platform file, or see docs/files.md.',
  ],
  ['environments: []', 'Add an entry, or remove the key.'],
  ['dependsOn: ', 'Add an entry, or remove the key.'],
])('an application with %s: the hint says what to write', (line, hint) => {
  expect(hintsOf(stacks(`- {name: s, applications: [{name: a, ${line}}]}`))).toEqual([hint]);
});

test.each([
  ['{name:api}', ['Add "name".', 'Did you mean "name: api"?']],
  ['name:api', ['Did you mean "name: api"?']],
])('%s lacks a space', (entry, hints) => {
  expect(hintsOf(stacks(`- {name: s, applications: [${entry}]}`))).toEqual(hints);
});

test('of an apiVersion that is not known, the hint says what to write', () => {
  const text = stacks('- {name: s, applications: [{name: a}]}').replace(/v1alpha1/, 'v2');
  expect(hintsOf(text)).toEqual(['Write tiphys.dev/v1alpha1.']);
});

function hintsOf(text: string): unknown[] {
  try {
    parsePlatform({ file: 'platform.yaml', text });
    return [];
  } catch (error) {
    return (error as TiphysError).diagnostics.map(({ hint }) => hint);
  }
}
