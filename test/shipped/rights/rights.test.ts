// No role, binding or policy that the project ships grants more than it may. Every rule bites.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { policyFor } from '../../../src/bootstrap/variables.ts';
import { grantsIn, policyGrants } from './forbidden-grants.ts';

const filesOf = (...folders: string[]) =>
  folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.ya?ml$/.test(path))
      .map((path) => join(folder, path)),
  );
const granted = (paths: readonly string[]) =>
  paths.flatMap((path) => grantsIn(path, readFileSync(path, 'utf8')));
const FILES = filesOf('workflows', 'bootstrap');

test('nothing forbidden is granted', () => {
  expect(FILES).toContain('workflows/teardown-rights.yaml');
  expect(FILES.length).toBeGreaterThan(30);
  expect(granted(FILES)).toEqual([]);
  expect(policyGrants('bootstrap', policyFor(['platform', 'shop']))).toEqual([]);
});

/** Vault makes the Secret of its unseal keys, labels its pods, and asks who its clients are. */
const IN_EXAMPLES = [
  'manifests/vault/rights.yaml: Role vault: secrets without names',
  'manifests/vault/rights.yaml: Role vault: update,patch pods',
  'manifests/vault/rights.yaml: ClusterRoleBinding vault-token-review: the role system:auth-delegator',
].map((one) => `examples/reference/${one}`);

/** Suites make projects of their own, and somebody beside Tiphys looks at all of them. */
const ON_TEST_STACK = [
  ...['role:reader: get applications */*', 'role:reader: get projects *'],
  ...['get', 'sync', 'delete'].map((verb) => `role:tiphys: ${verb} applications */*`),
  ...['role:tiphys: get projects *', 'role:reader to reader'],
]
  .map((one) => `argocd-config.yaml: Argo CD: ${one}`)
  .concat('storage.yaml: ClusterRole provisioner: create,delete persistentvolumes')
  .map((one) => `test/stack/manifests/${one}`);

test('what examples and the test stack grant beyond that is known', () => {
  expect(granted(filesOf('examples'))).toEqual(IN_EXAMPLES);
  expect(granted(filesOf('test/stack')).sort()).toEqual(ON_TEST_STACK.sort());
});

const role = (rule: string, kind = 'ClusterRole') =>
  `{kind: ${kind}, metadata: {name: r}, rules: [{${rule}}]}`;
const core = (resources: string, verbs: string, more = '') =>
  role(`apiGroups: [''], resources: [${resources}], verbs: [${verbs}]${more}`);
const binding = (name: string, subject: string) =>
  `{kind: RoleBinding, metadata: {name: b}, roleRef: {name: ${name}}, subjects: [${subject}]}`;

describe('planted', () => {
  test.each([
    ['all verbs', core('pods', "'*'"), 'all verbs'],
    ['all resources', core("'*'", 'list'), 'all resources: *'],
    ['a subresource of all', core("'*/scale'", 'get'), 'all resources: */scale'],
    ['all groups', role("apiGroups: ['*'], resources: [pods], verbs: [list]"), 'all API groups'],
    ['all paths', role("nonResourceURLs: ['/*'], verbs: [get]"), '/*'],
    ['escalation', core('configmaps', 'escalate'), 'escalate'],
    ['bindings of any role', core('configmaps', 'bind'), 'bind'],
    ['being others', core('users', 'impersonate'), 'impersonate'],
    ['Secrets', core('configmaps, secrets', 'list'), 'secrets without names'],
    ['new Secrets', core('secrets', 'create'), 'secrets without names'],
    [
      'Secrets of all names',
      core('secrets', 'get', ", resourceNames: ['*']"),
      'secrets without names',
    ],
    ['a shell', core('pods/exec', 'get'), 'pods/exec'],
    ['nodes', core('nodes/proxy', 'get'), 'nodes/proxy'],
    ['tokens of others', core('serviceaccounts/token', 'create'), 'serviceaccounts/token'],
    ['any Service', core('services/proxy', 'get'), 'services/proxy without names'],
    ['pods', core('pods', 'create'), 'create pods'],
    ['pods by a Job', role('apiGroups: [batch], resources: [jobs], verbs: [patch]'), 'patch jobs'],
    ['roles', core('roles', 'update'), 'update roles'],
    ['policies', core('validatingadmissionpolicies', 'delete'), 'delete validating'],
    ['Applications', core('applications', 'patch'), 'patch applications'],
    ['AppProjects', core('appprojects', 'patch, update'), 'patch,update appprojects'],
    ['new AppProjects', core('appprojects', 'create'), 'create appprojects'],
    ['what others add', '{kind: ClusterRole, metadata: {name: r}, aggregationRule: {a: b}}', 'add'],
    ['a role of Kubernetes', binding('cluster-admin', ''), 'the role cluster-admin'],
    [
      'everybody',
      binding('tiphys-run', '{kind: Group, name: system:authenticated}'),
      'to system:authenticated',
    ],
    ['a role inside of variables', `x: {y: [${core('secrets', 'get')}]}`, 'secrets without names'],
    ['administrators of Argo CD', 'x: {policy.csv: "g, tiphys, role:admin"}', 'role:admin'],
  ])('%s', (_, text, what) => {
    expect(grantsIn('planted.yaml', text).join()).toContain(what);
  });

  test.each([
    'applications, *, shop/*',
    'applications, sync, */*',
    'applications, override, shop/*',
    'applications, action/apps/Deployment/restart, shop/*',
    'projects, create, shop',
    'projects, update, *',
    'projects, update, shop',
    'clusters, get, shop',
    'exec, create, shop/*',
    'accounts, update, tiphys-teardown',
    '*, get, shop',
  ])('in Argo CD, for every account: %s', (right) => {
    for (const role of ['role:tiphys', 'role:tiphys-validate', 'role:tiphys-teardown'])
      expect(policyGrants('planted', `p, ${role}, ${right}, allow\n`)).toHaveLength(1);
  });

  test.each([
    ['who only reads would sync', 'p, role:tiphys-validate, applications, sync, shop/*, allow'],
    ['who only reads would delete', 'p, role:tiphys-validate, applications, delete, shop/*, allow'],
    ['who only reads would hold', 'p, role:tiphys-validate, projects, update, shop, allow'],
    ['a deployment would delete', 'p, role:tiphys, applications, delete, shop/*, allow'],
    ['a teardown would create', 'p, role:tiphys-teardown, applications, create, shop/*, allow'],
    ['a teardown would change', 'p, role:tiphys-teardown, applications, update, shop/*, allow'],
    ['somebody else has a right', 'p, role:tiphys-other, applications, get, shop/*, allow'],
    ['an account has a right without a role', 'p, tiphys, applications, get, shop/*, allow'],
    ['who only reads has the role of another', 'g, tiphys-validate, role:tiphys-teardown'],
    ['a deployment has the role of a teardown', 'g, tiphys, role:tiphys-teardown'],
    ['a person has the role of an account', 'g, jane, role:tiphys'],
  ])('in Argo CD: %s', (_, line) => {
    expect(policyGrants('planted', `${line}\n`)).toHaveLength(1);
  });
});

test('what is needed is not forbidden', () => {
  const named = core('secrets', 'get', ', resourceNames: [tiphys-argocd-token]');
  expect(grantsIn('x', named)).toEqual([]);
  expect(grantsIn('x', core('pods, nodes', 'list'))).toEqual([]);
  const account = '{kind: ServiceAccount, name: tiphys-run, namespace: argo}';
  expect(grantsIn('x', binding('tiphys-run', account))).toEqual([]);
  const own = `{rules: [], kind: Role, metadata: {name: ingress}}\n---\n${binding('ingress', account)}`;
  expect(grantsIn('x', own)).toEqual([]);
});

describe('Jobs where a pod has nothing to take', () => {
  const label = 'pod-security.kubernetes.io/enforce';
  const parts = {
    namespace: `{kind: Namespace, metadata: {name: n, labels: {${label}: restricted}}}`,
    quota: "{kind: ResourceQuota, metadata: {namespace: n}, spec: {hard: {secrets: '0'}}}",
    role: '{kind: Role, metadata: {name: r, namespace: n}, rules: [{apiGroups: [batch], resources: [jobs], verbs: [create]}]}',
  };
  const found = (given: object) => grantsIn('x', Object.values(given).join('\n---\n'));

  test('may be made', () => expect(found(parts)).toEqual([]));

  test.each([
    ['pods are not restricted', { ...parts, namespace: parts.namespace.replace(label, 'x') }],
    ['there may be Secrets', { ...parts, quota: parts.quota.replace("'0'", "'1'") }],
    ['nobody limits the Secrets', { ...parts, quota: '' }],
    ['the role is of another namespace', { ...parts, role: parts.role.replace('e: n', 'e: m') }],
    [
      'the role is of all namespaces',
      { ...parts, role: parts.role.replace('Role', 'ClusterRole') },
    ],
    ['they may be changed', { ...parts, role: parts.role.replace('create', 'create, patch') }],
    [
      'there is an account',
      { ...parts, account: '{kind: ServiceAccount, metadata: {namespace: n}}' },
    ],
  ])('may not be made where %s', (_, given) => {
    expect(found(given).join()).toContain('jobs');
  });
});
