import { describe, expect, it } from 'vitest';
import { compile } from '../../../src/plan/compile.ts';
import { refuses } from './refuse.ts';
import { applications, spec } from './text.ts';

describe('E7: keys', () => {
  refuses(
    'E7: duplicate keys, all of them',
    'kind: a\nkind: b\nspec: {x: 1, x: 2, "x": 3}\nlist:\n  - {y: 1}\n  - {y: 1, y: 2}\n',
    {
      errors: [
        '2:1 yaml-duplicate-key',
        '3:14 yaml-duplicate-key',
        '3:21 yaml-duplicate-key',
        '6:12 yaml-duplicate-key',
      ],
    },
  );
  refuses(
    'E7: __proto__ as a key, wherever it stands and however it is spelled',
    applications([
      '{ name: a, __proto__: { polluted: true } }',
      '{ name: b, gate: { "__proto__": { polluted: true } } }',
      String.raw`{ name: c, "\x5f_proto__": { polluted: true } }`,
      String.raw`{ name: d, timeouts: { "__pr\u006fto__": { polluted: true } } }`,
    ]),
    {
      errors: [
        '8:22 key-reserved',
        '9:31 key-reserved',
        '10:23 key-reserved',
        '11:35 key-reserved',
      ],
    },
  );
  refuses(
    'E7: __proto__ at the top and as the name of a class',
    `__proto__: { polluted: true }\n${spec('  classes: { __proto__: {} }\n  stacks: []\n')}`,
    { errors: ['1:1 key-reserved', '6:14 key-reserved'] },
  );
  refuses(
    'E7: __proto__ as a name',
    applications(['{ name: __proto__, class: __proto__, dependsOn: [__proto__] }']),
    { errors: ['8:19 name-invalid', '8:37 name-invalid', '8:60 reference-invalid'] },
  );
  refuses(
    'E7: constructor as a name',
    `apiVersion: tiphys.dev/v1alpha1
kind: Platform
metadata: { name: constructor }
spec:
  root: constructor
  classes: { constructor: {} }
  stacks:
    - name: constructor
      application: x
      applications: [{ name: y, class: constructor }]
`,
    { errors: ['3:19', '5:9', '6:14', '8:13'].map((at) => `${at} name-reserved`) },
  );
  refuses(
    'E7: names of what every object has, as keys and references',
    applications([
      '{ name: a, constructor: 1, toString: 1, hasOwnProperty: 1 }',
      '{ name: b, class: valueOf }',
    ]),
    {
      errors: ['8:22 key-unknown', '8:38 key-unknown', '8:51 key-unknown', '9:29 name-invalid'],
    },
  );
  refuses(
    'E7: an unknown class or application with such a name',
    applications(['{ name: a, class: constructor, dependsOn: [constructor] }']),
    { errors: ['8:29 class-unknown', '8:54 reference-unknown'] },
  );

  it('E7: no object is polluted', () => {
    const text = applications(['{ name: a, __proto__: { polluted: true } }']);
    expect(() => compile({ file: 'platform.yaml', text })).toThrow();
    expect({}).not.toHaveProperty('polluted');
    expect([]).not.toHaveProperty('polluted');
  });
});
