import { load } from 'js-yaml';
import { expect, test } from 'vitest';
import { parsePlatform } from '../model/platform.ts';
import { policyFor, renderVariables, variablesOf } from './variables.ts';

const PLATFORM = `apiVersion: tiphys.dev/v1alpha1
kind: Platform
metadata: {name: shop}
spec:
  argocd: {project: shop}
  root: shop-root
  stacks:
    - name: data
      application: data-stack
      applications: [{name: db}, {name: cache, argocd: {project: caches}}]
`;

const environment = {
  ...{ name: 'production', domain: 'example.com' },
  ...{ gitRepository: 'https://git.example.com/shop.git', gitRevision: 'main' },
};

const made = (more: object = {}) =>
  variablesOf({
    platform: parsePlatform({ file: 'platform.yaml', text: PLATFORM }),
    environment,
    health: new Map([['resource.customizations.health.a_B', 'x = {{1}}\n']]),
    charts: undefined,
    rotateToken: false,
    git: undefined,
    files: { platform: PLATFORM, environment: 'name: production\n' },
    ...more,
  });

test('every project is made with all of its Applications held', () => {
  expect(made().tiphys_projects).toMatchObject([
    {
      name: 'shop',
      annotations: { 'tiphys.dev/hold': 'shop/bootstrap' },
      window: { kind: 'deny', manualSync: true, applications: ['data-stack', 'db', 'shop-root'] },
    },
    { name: 'caches', window: { applications: ['cache'] } },
  ]);
});

test('the root Application looks where the environment says', () => {
  expect(made().tiphys_root).toEqual({ name: 'shop-root', namespace: 'argocd', project: 'shop' });
  expect(made().tiphys_environment).toMatchObject({ gitPath: 'root' });
  const elsewhere = made({ environment: { ...environment, gitPath: 'apps/root' } });
  expect(elsewhere.tiphys_environment).toMatchObject({ gitPath: 'apps/root' });
});

test('of the credential of Git the place is told, and nothing else', () => {
  expect(made()).toMatchObject({ tiphys_git: null, tiphys_git_secret: 'tiphys-git-shop' });
  const git = { kind: 'git-token', file: '/secrets/git-token' };
  expect(made({ git }).tiphys_git).toEqual(git);
});

test('each account may do in the named projects what its work needs, and nothing elsewhere', () => {
  expect(policyFor(['shop']).split('\n')).toEqual([
    'p, role:tiphys-validate, applications, get, shop/*, allow',
    'g, tiphys-validate, role:tiphys-validate',
    'p, role:tiphys, applications, get, shop/*, allow',
    'p, role:tiphys, applications, sync, shop/*, allow',
    'g, tiphys, role:tiphys',
    'p, role:tiphys-teardown, applications, get, shop/*, allow',
    'p, role:tiphys-teardown, applications, sync, shop/*, allow',
    'p, role:tiphys-teardown, applications, delete, shop/*, allow',
    'g, tiphys-teardown, role:tiphys-teardown',
    '',
  ]);
});

test('Ansible is told to take every text as it is', () => {
  const text = renderVariables(made());
  expect(text).toContain('!unsafe "x = {{1}}\\n"');
  expect(text.replaceAll(/!unsafe "(?:[^"\\]|\\.)*"/g, '')).not.toContain('{{');
  // And it is the same YAML.
  expect(load(text.replaceAll('!unsafe ', ''))).toEqual(made());
});

const HEADER =
  "#jinja2: variable_start_string:'[[', variable_end_string:']]'\n[[ lookup('pipe','id') ]]";

test.each([
  ['a value of the environment file', { environment: { ...environment, gitPath: HEADER } }],
  ['a comment of the platform file', { files: { platform: HEADER, environment: '' } }],
  ['a health check', { health: new Map([['resource.customizations.health.a_B', HEADER]]) }],
])('a header that changes the delimiters of templates is not evaluated: %s', (_title, more) => {
  const image = 'registry.example.com/executor:1';
  const events = { environment: { ...environment, events: { image, call: true } } };
  const text = renderVariables(made({ ...events, ...more }));
  const header = JSON.stringify(HEADER);
  expect(text.split(header).length + text.split('#jinja2').length).toBeGreaterThan(2);
  expect(text.replaceAll(/!unsafe "(?:[^"\\]|\\.)*"/g, '')).not.toContain('jinja2');
});

test('a text that looks like a number stays a text', () => {
  const revision = { environment: { ...environment, gitRevision: '12000' } };
  expect(renderVariables(made(revision))).toContain('"gitRevision": "12000"');
});
