// bootstrap/ is what the RFC asks for: six phases a role, and nothing of what it forbids. Every rule bites.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { PHASES, ROLES } from '../../../src/bootstrap/roles.ts';
import { forbidden, unpinned } from './forbidden.ts';

const FOLDER = 'bootstrap';
const read = (path: string) => readFileSync(join(FOLDER, path), 'utf8');
const roleFolder = (role: string) => role.replaceAll('-', '_');

const FILES = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.ya?ml$/.test(path))
  .sort();

test('nothing forbidden is done', () => {
  expect(FILES.length).toBeGreaterThan(30);
  expect(FILES.flatMap((path) => forbidden(path, read(path)))).toEqual([]);
});

const task = (lines: string) => `- name: It\n  block:\n    - name: Bad\n      ${lines}\n`;

test.each([
  ['a shell', task('ansible.builtin.shell: helm list'), 'is a command: shell'],
  ['a command', task('command: kubectl get pods'), 'is a command: command'],
  ['a command in a pod', task('kubernetes.core.k8s_exec: {pod: p}'), 'is a command: k8s_exec'],
  ['a pause', task('ansible.builtin.pause: {seconds: 5}'), 'is a sleep: pause'],
  ['a wait by the clock', task('wait_for: {timeout: 5}'), 'is a sleep: wait_for'],
  ['ignored errors', task('ignore_errors: true'), 'has ignore_errors'],
  ['a task that never fails', task('failed_when: false'), 'never fails'],
  [
    'a chart of any version',
    task('kubernetes.core.helm: {release_name: a, atomic: true, wait: true, timeout: 5m}'),
    'installs without chart_version',
  ],
  [
    'a release that stays half done',
    task('kubernetes.core.helm: {chart_version: 1.2.3, wait: true, timeout: 5m}'),
    'installs without atomic',
  ],
  ['a Secret that is shown', task('kubernetes.core.k8s_info: {kind: Secret}'), 'without no_log'],
  [
    'a Secret that is written in sight',
    task('kubernetes.core.k8s: {definition: {kind: Secret}}'),
    'without no_log',
  ],
  ['other delimiters', 'x: "#jinja2: variable_start_string: \'[[\'"\n', 'changes the delimiters'],
  ['a password', 'admin_password: hunter22\n', 'has a secret in plain text'],
  ['a token', 'x: eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.abc\n', 'has a token'],
  ['a key', 'x: |\n  -----BEGIN RSA PRIVATE KEY-----\n', 'has a private key'],
])('planted: %s is found', (_title, text, what) => {
  expect(forbidden('planted.yml', text).join()).toContain(what);
});

const pins = {
  variables: read('inventory/group_vars/all.yml'),
  packages: read('requirements.txt'),
  collections: read('requirements.yml'),
};

test('charts, packages and collections are pinned', () => {
  expect(unpinned(pins)).toEqual([]);
});

test.each([
  ['a chart', { variables: 'tiphys_releases: {argocd: {version: ^9.3.7}}' }, 'chart of argocd'],
  ['a package', { packages: 'ansible>=12\n' }, 'package ansible>=12'],
  ['a hash of a package', { packages: 'ansible==12.3.0\n' }, 'package ansible==12.3.0'],
  ['a collection', { collections: 'collections: [{name: a.b}]' }, 'collection a.b'],
])('planted: %s without a pin is found', (_title, planted, what) => {
  expect(unpinned({ ...pins, ...planted })).toEqual([what]);
});

test('the packages that are asked for are among those with hashes', () => {
  const wanted = read('requirements.in').match(/^[^#\n]+$/gm) ?? [];
  expect(wanted.length).toBeGreaterThan(4);
  const locked = pins.packages.toLowerCase();
  expect(wanted.filter((one) => !locked.includes(`\n${one.toLowerCase()} \\\n`))).toEqual([]);
});

describe.each(ROLES)('the role %s', (role) => {
  const tasks = join('roles', roleFolder(role), 'tasks');

  test('has a file for each phase', () => {
    const missing = PHASES.filter(
      (phase) => !existsSync(join(FOLDER, tasks, `${roleFolder(phase)}.yml`)),
    );
    expect(missing).toEqual([]);
  });

  test('goes through the phases in the one way', () => {
    const [first, ...rest] = load(read(join(tasks, 'main.yml'))) as Record<string, unknown>[];
    expect(rest).toEqual([]);
    expect(first).toMatchObject({
      'ansible.builtin.include_role': { name: 'six_phases' },
      vars: { six_phases_role: roleFolder(role) },
    });
  });

  test('tells its result as the fact ROLE_status', () => {
    expect(read(join(tasks, 'result.yml'))).toContain(`${roleFolder(role)}_status:`);
  });

  test('has its own playbook, whose name says it', () => {
    const [play] = load(read(`playbooks/${roleFolder(role)}.yml`)) as { name: string }[];
    expect(play?.name).toBe(`Role ${roleFolder(role)}`);
  });
});

test('site.yml has the roles in their order, and there are no others', () => {
  const plays = load(read('site.yml')) as Record<string, string>[];
  const imported = plays.map((play) => play['ansible.builtin.import_playbook']);
  expect(imported).toEqual(ROLES.map((role) => `playbooks/${roleFolder(role)}.yml`));
  expect(readdirSync(join(FOLDER, 'playbooks')).length).toBe(ROLES.length);
});

test('progress knows the phases by the names of their tasks', () => {
  const named = [
    ...read('plugins/callback/tiphys_progress.py').matchAll(/^ {4}"([^"]+)": "([^"]+)",$/gm),
  ];
  expect(named.map(([, , phase]) => phase)).toEqual([...PHASES]);
  const flow = read('roles/six_phases/tasks/main.yml');
  expect(named.filter(([, name]) => !flow.includes(`- name: ${name}\n`))).toEqual([]);
});

test('a root Application is not made where only another platform holds its project', () => {
  const tasks = (phase: string) =>
    load(read(`roles/gitops_handoff/tasks/${phase}.yml`)) as Record<string, unknown>[];
  const checks = tasks('pre_check').map(({ name }) => name);
  const check = tasks('pre_check').at(-1);
  expect(checks.indexOf('Note what is there')).toBe(checks.length - 2);
  expect(check).toMatchObject({
    'ansible.builtin.assert': { that: 'gitops_handoff_others | length == 0' },
    when: 'tiphys_root is not none and not gitops_handoff_has_root',
  });
  // By the annotation that keeps the hold from being put up.
  expect(check?.vars).toEqual({
    gitops_handoff_hold: expect.stringContaining('tiphys_projects[0].annotations'),
    gitops_handoff_others: expect.stringContaining(
      "selectattr('key', 'equalto', gitops_handoff_hold.key)",
    ),
  });
  expect(check?.vars).toMatchObject({
    gitops_handoff_others: expect.stringContaining(
      "reject('match', gitops_handoff_hold.value.split('/')[0] ~ '/')",
    ),
  });
  const putUp = 'Put the hold on projects that were there';
  const skipped = tasks('apply').find(({ name }) => name === putUp)?.when;
  expect(skipped).toContain(
    'item.resources[0].metadata.annotations[item.item.annotations.keys() | first] is not defined',
  );
});

test('Kubernetes checks the pods of every namespace that bootstrap makes', () => {
  const LEVELS = ['baseline', 'restricted'];
  const { tiphys_releases: releases } = load(read('inventory/group_vars/all.yml')) as {
    tiphys_releases: Record<string, { pod_security?: string }>;
  };
  const levels = Object.values(releases).map((one) => one.pod_security ?? '');
  expect(levels.filter((level) => !LEVELS.includes(level))).toEqual([]);
  const restricted = Object.keys(releases).filter(
    (name) => releases[name]?.pod_security === 'restricted',
  );
  expect(restricted).toEqual(['argocd', 'sealed-secrets']);
  // What is not restricted has its reason above it.
  const lines = read('inventory/group_vars/all.yml').split('\n');
  const bare = lines.filter(
    (line, at) => line.endsWith('pod_security: baseline') && !lines[at - 1]?.startsWith('    # '),
  );
  expect(bare).toEqual([]);
  const makers = FILES.filter((path) =>
    /state: present[\s\S]{0,80}kind: Namespace/.test(read(path)),
  );
  expect(makers).toEqual(['roles/helm_release/tasks/install.yml']);
  const label = 'pod-security.kubernetes.io';
  for (const wanted of [
    'enforce: "{{ helm_release_pin.pod_security }}"',
    'warn: restricted',
    'audit: restricted',
  ]) {
    expect(read(makers[0] ?? '')).toContain(`${label}/${wanted}`);
  }
});

interface Task {
  readonly name: string;
  readonly when?: unknown;
  readonly [module: string]: unknown;
}

test('the project default has no rights, unless somebody uses or has changed it', () => {
  const tasks = (phase: string) => load(read(`roles/gitops_handoff/tasks/${phase}.yml`)) as Task[];
  const found = (phase: string, name: string) => tasks(phase).find((one) => one.name === name);
  const when = 'gitops_handoff_narrows_default';
  const spec = { sourceRepos: [], destinations: [], clusterResourceWhitelist: [] };
  const patch = (definition: unknown) => ({
    when,
    'kubernetes.core.k8s': { state: 'patched', kind: 'AppProject', name: 'default', definition },
  });
  const narrowed = found('apply', 'Leave the project default without rights');
  expect(narrowed).toMatchObject(patch({ spec }));
  expect(narrowed).toMatchObject({ 'kubernetes.core.k8s': { definition: { spec } } });
  const restored = found('rollback', 'Give the project default the rights that it had');
  expect(restored).toMatchObject(patch({ spec: '{{ gitops_handoff_default_spec }}' }));
  const noted = found('pre_check', 'Note what is there')?.['ansible.builtin.set_fact'];
  const conditions = [
    'gitops_handoff_default_is_wide and gitops_handoff_default_users | length == 0',
    "and 'default' not in tiphys_projects | map(attribute='name')",
  ];
  expect(noted).toMatchObject({ [when]: `{{ ${conditions.join(' ')} }}` });
  const users = found('pre_check', 'Look at what may be in that project');
  // In all namespaces.
  expect(users).toMatchObject({ loop: ['Application', 'ApplicationSet'] });
  expect(users?.['kubernetes.core.k8s_info']).not.toHaveProperty('namespace');
});

test('rights of Workflows are given after the policies that restrict them, and removed before them', () => {
  const tasks = (phase: string) =>
    load(read(`roles/argo_workflows/tasks/${phase}.yml`)) as Record<string, unknown>[];
  const definitions = (phase: string) =>
    tasks(phase).flatMap((one) => {
      const { definition } = (one['kubernetes.core.k8s'] ?? {}) as { definition?: string };
      return definition?.includes('argo_workflows_rights') ? [definition] : [];
    });
  const policies = "attr('kind', 'in', argo_workflows_policies)";
  expect(definitions('apply')).toEqual([
    expect.stringContaining(`argo_workflows_rights | select${policies}`),
    expect.stringContaining(`argo_workflows_rights | reject${policies}`),
  ]);
  for (const phase of ['rollback', 'remove'])
    expect(definitions(phase)).toEqual([
      expect.stringContaining('argo_workflows_rights | reverse | list'),
    ]);
  expect(tasks('pre_check').at(-1)).toMatchObject({
    'ansible.builtin.assert': { that: 'argo_workflows_policy.api_found' },
  });
});

test('a rollback removes the tokens of accounts that go with it, and leaves the others', () => {
  const tasks = load(read('roles/argocd/tasks/rollback.yml')) as Record<string, unknown>[];
  const [before, removal] = tasks;
  expect(before?.['ansible.builtin.include_role']).toMatchObject({ tasks_from: 'roll_back' });
  expect(removal).toMatchObject({
    'kubernetes.core.k8s': { state: 'absent', kind: 'Secret', name: '{{ item.secret }}' },
    loop: "{{ tiphys_accounts | rejectattr('name', 'in', argocd_accounts_before) | list }}",
  });
  // Whatever the release was before: an upgrade from one account to three is rolled back as well.
  expect(removal).not.toHaveProperty('when');
  const { argocd_accounts_before: accounts } = load(read('roles/argocd/vars/main.yml')) as {
    argocd_accounts_before: string;
  };
  expect(accounts).toContain("helm_release_before.get('values', {}).configs.cm | default({})");
});
