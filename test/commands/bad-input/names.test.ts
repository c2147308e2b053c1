import { describe } from 'vitest';
import { refuses } from './refuse.ts';
import { applications, spec } from './text.ts';

const quoted = (names: readonly string[]) => names.map((name) => `{ name: "${name}" }`);
const invalid = (names: readonly string[]) => names.map((_, at) => `${at + 8}:20 name-invalid`);

/** All of them look like an ordinary name, or like each other. */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  Vault: 'Vault',
  caf\u00e9: 'caf\\u{e9}',
  cafe\u0301: 'cafe\\u{301}',
  'va\u200bult': 'va\\u{200b}ult',
  '\u202evault': '\\u{202e}vault',
  'v\u0430ult': 'v\\u{430}ult',
  '\ufb01ne': '\\u{fb01}ne',
  'vault\u00a0': 'vault\\u{a0}',
  'vault ': 'vault ',
  '\u{1d42f}ault': '\\u{1d42f}ault',
};

/** Each would mean something to a template, a shell, a terminal or a path. */
const CODE: readonly string[] = [
  '{{workflow.name}}',
  "{{='a'}}",
  `$${'{HOME}'}`,
  '$(id)',
  '`id`',
  'a\\nb',
  'a\\0b',
  'a\\rb',
  '\\e[31mred',
  '\\u0085',
  '\\u2028',
  '../a',
  'a/b',
  '-a',
  'a;b',
  '<b>',
  'a\\\\',
  '\\"',
  '',
];

describe('E6: names', () => {
  refuses('E6: look-alikes, shown escaped', applications(quoted(Object.keys(LOOK_ALIKES))), {
    errors: invalid(Object.keys(LOOK_ALIKES)),
    says: Object.values(LOOK_ALIKES).map((shown) => `is "${shown}", which is not a valid name`),
  });
  refuses(
    'E6: references compare exactly',
    applications([
      '{ name: vault }',
      '{ name: a, dependsOn: [Vault, "va\u200bult", vaultt, stack:vault] }',
    ]),
    {
      errors: [
        '9:34 reference-invalid',
        '9:42 reference-invalid',
        '9:51 reference-unknown',
        '9:59 reference-unknown',
      ],
    },
  );
  refuses(
    'E6: dangling references, with the nearest',
    applications(['{ name: vault }', '{ name: a, dependsOn: [vualt, stack:vault, zzzzzz] }']),
    {
      errors: ['9:34', '9:41', '9:54'].map((at) => `${at} reference-unknown`),
      says: ['Did you mean "vault"?'],
    },
  );
  refuses(
    'E6: duplicate names',
    `${spec('  root: a')}
  stacks:
    - { name: s, application: x, applications: [{ name: a }, { name: b }, { name: b }] }
    - { name: t, applications: [{ name: b }, { name: x }] }
    - { name: s, applications: [] }
`,
    {
      errors: [
        '7:57 name-duplicate',
        '7:83 name-duplicate',
        '8:41 application-in-two-stacks',
        '8:54 name-duplicate',
        '9:15 name-duplicate',
      ],
    },
  );
  refuses('E6: names that are too long', applications([`name: ${'a'.repeat(254)}`]), {
    errors: ['8:17 value-range'],
  });
  refuses('E6: a null byte in the text', applications(['name: "a\u0000b"']), {
    errors: ['8:19 yaml-syntax'],
  });
});

describe('E8: names that are code elsewhere', () => {
  refuses('E8: in applications', applications(quoted(CODE)), { errors: invalid(CODE) });
  refuses(
    'E8: in stacks, classes, the platform and the root',
    `apiVersion: tiphys.dev/v1alpha1
kind: Platform
metadata: { name: "{{x}}" }
spec:
  root: "\${x}"
  argocd: { namespace: "a\\nb", project: "\`x\`" }
  stacks:
    - { name: "$(x)", application: "{{x}}", dependsOn: ["{{x}}"], applications: [] }
`,
    {
      errors: [
        '3:20 name-invalid',
        '5:10 name-invalid',
        '6:25 name-invalid',
        '6:42 name-invalid',
        '8:16 name-invalid',
        '8:37 name-invalid',
        '8:58 reference-invalid',
      ],
    },
  );
  refuses(
    'E8: in the name of a class',
    spec('  classes: { "\\e[31m\u202e": {} }\n  stacks: []\n'),
    {
      errors: ['5:15 name-invalid'],
    },
  );
  refuses('E8: in a tag', spec('  stacks: !\u202ex []\n'), { errors: ['5:14 yaml-syntax'] });
  refuses(
    'E8: in an unknown key',
    applications([String.raw`{ name: a, "\e[31m\u202e{{x}}": 1 }`]),
    { errors: ['8:23 key-unknown'], says: [String.raw`"\u001b[31m\u{202e}{{x}}"`] },
  );
});
