// The manifests for Argo Workflows fit the compiler and the executor's contract.
import { readFileSync } from 'node:fs';
import { loadAll } from 'js-yaml';
import { expect, test } from 'vitest';
import { leafTemplates } from '../../src/engines/argo-workflows/leaf.ts';
import { refusing } from './rights/policies.ts';

interface Manifest {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly roleRef?: { readonly name: string };
  readonly subjects?: readonly { readonly name: string; readonly namespace: string }[];
  readonly rules?: readonly {
    readonly resources: readonly string[];
    readonly resourceNames?: readonly string[];
    readonly verbs: readonly string[];
  }[];
  readonly spec: {
    readonly templates: readonly Step[];
    readonly validationActions?: readonly string[];
    readonly matchConditions?: readonly { readonly expression: string }[];
    readonly validations?: readonly { readonly expression: string }[];
    readonly policyName?: string;
    readonly matchConstraints?: {
      readonly resourceRules: readonly {
        readonly resources: readonly string[];
        readonly operations: readonly string[];
      }[];
    };
  };
}

interface Step {
  readonly name: string;
  readonly serviceAccountName: string;
  readonly inputs: { readonly parameters: readonly { name: string; default?: string }[] };
  readonly container: {
    readonly image: string;
    readonly command: readonly string[];
    readonly env: readonly { name: string; value: string }[];
    readonly securityContext: { readonly readOnlyRootFilesystem: boolean };
  };
}

const manifests = (file: string) =>
  loadAll(readFileSync(`workflows/${file}`, 'utf8')) as unknown as Manifest[];
const accounts = [...manifests('rights.yaml'), ...manifests('teardown-rights.yaml')]
  .filter(({ kind }) => kind === 'ServiceAccount')
  .map(({ metadata }) => metadata.name);
const templates = manifests('templates.yaml');

test('there is a template for each action of the executor', () => {
  expect(templates.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
    'ClusterWorkflowTemplate tiphys-sync-and-wait',
    'ClusterWorkflowTemplate tiphys-validate',
    'ClusterWorkflowTemplate tiphys-teardown',
  ]);
});

test.each(templates.map(({ metadata, spec }) => [metadata.name, spec.templates[0]]))(
  '%s calls the executor by its contract',
  (_, step) => {
    const { container, inputs, serviceAccountName } = step as Step;
    expect(accounts).toContain(serviceAccountName);
    expect(container.command.slice(0, 2)).toEqual(['/usr/bin/node', '/app/bin/executor']);
    expect(['deploy', 'validate', 'teardown']).toContain(container.command[2]);
    expect(container.securityContext.readOnlyRootFilesystem).toBe(true);
    const documented = readFileSync('docs/executor.md', 'utf8');
    expect(container.env.filter(({ name }) => !documented.includes(`| \`${name}\` |`))).toEqual([]);
    const given = new Set(inputs.parameters.map(({ name }) => name));
    const used = [...JSON.stringify(step).matchAll(/\{\{inputs\.parameters\.([-\w]+)\}\}/g)];
    expect(new Set(used.map(([, name]) => name))).toEqual(given);
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    const image = inputs.parameters.find(({ name }) => name === 'image');
    expect(image?.default).toBe(`tiphys-executor:${version}`);
  },
);

test('the accounts of a compiled Workflow are those that have rights', () => {
  const options = {
    ...{ image: 'x', planHash: 'y', arguments: [], layered: false, keepHold: false },
    ...{ runTimeout: 1, concurrency: 1 },
  };
  const used = (['deploy', 'teardown'] as const).flatMap((action) =>
    leafTemplates({ ...options, action }).flatMap(({ serviceAccountName: one }) => one ?? []),
  );
  const steps = templates.map(({ spec }) => spec.templates[0]?.serviceAccountName ?? '');
  expect(accounts).toEqual(expect.arrayContaining(used));
  expect([...new Set([...used, ...steps])].sort()).toEqual([...accounts].sort());
});

/** Rights in the namespace of Argo CD that reach further than Tiphys' own objects. */
function tooWide(all: readonly Manifest[]): string[] {
  const ofPods = all.filter(
    ({ kind, spec }) =>
      kind === 'ValidatingAdmissionPolicy' &&
      spec.matchConditions?.[0]?.expression.includes('tiphys-(run'),
  );
  const policy = ofPods[0]?.spec;
  const isBound = all.some(
    ({ kind, spec }) =>
      kind === 'ValidatingAdmissionPolicyBinding' && spec.validationActions?.includes('Deny'),
  );
  const [, who = '(?!)'] =
    /matches\('(.*)'\)/.exec(policy?.matchConditions?.[0]?.expression ?? '') ?? [];
  const guarded = ofPods
    .flatMap(({ spec }) => spec.matchConstraints?.resourceRules ?? [])
    .filter(({ operations }) =>
      ['CREATE', 'UPDATE', 'DELETE'].every((one) => operations.includes(one)),
    )
    .flatMap(({ resources }) => resources);
  const roles = all.filter(
    ({ kind, metadata }) => kind === 'Role' && metadata.namespace === 'argocd',
  );
  return roles.flatMap(({ metadata, rules = [] }) => {
    const bound = all
      .filter(({ kind, roleRef }) => kind === 'RoleBinding' && roleRef?.name === metadata.name)
      .flatMap(({ subjects = [] }) => subjects);
    const isGuarded = bound.every(({ name, namespace }) =>
      new RegExp(who).test(`system:serviceaccount:${namespace}:${name}`),
    );
    const wide = rules.filter(({ resources, resourceNames, verbs }) => {
      const isRead = verbs.every((verb) => ['get', 'list', 'watch'].includes(verb));
      const isNamed = resourceNames !== undefined;
      if (resources.includes('services/proxy')) return !isNamed;
      if (isRead || isNamed || metadata.name === 'tiphys-teardown') return false;
      return !isBound || !isGuarded || !resources.every((one) => guarded.includes(one));
    });
    return wide.map(({ resources }) => `${metadata.name}: ${resources}`);
  });
}

test('what is written in the namespace of Argo CD are objects of Tiphys, and nothing else', () => {
  const all = [...manifests('rights.yaml'), ...manifests('teardown-rights.yaml')];
  expect(tooWide(all)).toEqual([]);
  const unguarded = [
    'tiphys-node: appprojects',
    'tiphys-node: leases',
    'tiphys-node: configmaps',
    'tiphys-run: leases',
  ];
  for (const kind of ['ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding'])
    expect(tooWide(all.filter((one) => one.kind !== kind))).toEqual([
      ...[...unguarded, 'tiphys-run: configmaps', 'tiphys-approve: configmaps'],
    ]);
  const other = [{ kind: 'ServiceAccount', name: 'other', namespace: 'argo' }];
  const stranger = all.map((one) =>
    one.roleRef?.name === 'tiphys-run' ? { ...one, subjects: other } : one,
  );
  expect(tooWide(stranger)).toEqual(['tiphys-run: leases', 'tiphys-run: configmaps']);
});

interface Write {
  readonly user: string;
  readonly groups?: readonly string[];
  readonly operation?: 'CREATE' | 'UPDATE' | 'DELETE';
  readonly name?: string;
  readonly generateName?: string;
  readonly by?: string;
}

/** The policies that refuse it. */
function refusingWrite(all: readonly Manifest[], { user, groups = [], by, ...write }: Write) {
  const { operation = 'CREATE', ...named } = write;
  const annotations = by === undefined ? undefined : { 'tiphys.dev/by': by };
  const object = { metadata: { ...named, ...(annotations && { annotations }) } };
  return refusing(all, { user, groups, operation, resource: 'configmaps', object });
}

const NODE_POD = 'system:serviceaccount:argo:tiphys-node';
const TEARDOWN_POD = 'system:serviceaccount:argo:tiphys-teardown';
const APPROVAL = 'tiphys-approval-0123456789abcdef';
const APPROVERS = ['tiphys-approvers'];

test.each<[string, Write, string[]]>([
  ['a pod writes its record', { user: NODE_POD, name: 'tiphys-run-x' }, []],
  ['a pod does not approve', { user: NODE_POD, name: APPROVAL, by: NODE_POD }, ['own-names']],
  [
    'nor in the name of others',
    { user: NODE_POD, name: APPROVAL, by: 'jane' },
    ['own-names', 'approvals'],
  ],
  ['nor does a teardown', { user: TEARDOWN_POD, name: APPROVAL, by: TEARDOWN_POD }, ['own-names']],
  ['nor takes it back', { user: NODE_POD, name: APPROVAL, operation: 'DELETE' }, ['own-names']],
  ['somebody approves', { user: 'jane', name: APPROVAL, by: 'jane', groups: APPROVERS }, []],
  ['again', { user: 'jane', name: APPROVAL, by: 'jane', operation: 'UPDATE' }, []],
  ['in the name of others', { user: 'joe', name: APPROVAL, by: 'jane' }, ['approvals']],
  ['in the name of nobody', { user: 'joe', name: APPROVAL }, ['approvals']],
  [
    'an approver changes settings',
    { user: 'jane', name: 'argocd-cm', groups: APPROVERS },
    ['approvers'],
  ],
  [
    'or deletes them',
    { user: 'jane', name: 'argocd-cm', groups: APPROVERS, operation: 'DELETE' },
    ['approvers'],
  ],
  ['or writes a record', { user: 'jane', name: 'tiphys-run-x', groups: APPROVERS }, ['approvers']],
  ['a name that is made up, of others', { user: 'admin', generateName: 'game-' }, []],
  ['of an approval', { user: 'joe', generateName: 'tiphys-approval-' }, ['approvals']],
  ['somebody else changes settings', { user: 'admin', name: 'argocd-cm', groups: ['other'] }, []],
])('policies: %s', (_, write, expected) => {
  const names = expected.map((name) => `tiphys-${name}`);
  expect(refusingWrite(manifests('rights.yaml'), write)).toEqual(names);
});

test('every policy is in force, and those about approvals where Argo CD is', () => {
  const all = manifests('rights.yaml');
  const names = (wanted: string) =>
    all.filter(({ kind }) => kind === wanted).map(({ metadata, spec }) => [metadata.name, spec]);
  const bound = names('ValidatingAdmissionPolicyBinding');
  const policies = names('ValidatingAdmissionPolicy').map(([name]) => name);
  expect(bound).toEqual(
    policies.map((name) => [name, { policyName: name, validationActions: ['Deny'] }]),
  );
  for (const name of ['tiphys-approvers', 'tiphys-approvals']) {
    const policy = all.find(({ metadata }) => metadata.name === name);
    expect(policy?.spec.matchConstraints).toMatchObject({
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'argocd' } },
    });
  }
  const vars = readFileSync('bootstrap/roles/argo_workflows/vars/main.yml', 'utf8');
  expect(vars).toContain("replace('metadata.name: argocd}'");
});

test('who approves cannot read the token of the runs', () => {
  const role = manifests('rights.yaml').find(
    ({ kind, metadata }) => kind === 'Role' && metadata.name === 'tiphys-approve',
  );
  expect(role?.rules?.flatMap(({ resources }) => resources)).not.toContain('secrets');
});

test('who only looks has no right to write', () => {
  const all = manifests('rights.yaml');
  const isTheirs = ({ subjects = [] }: Manifest) =>
    subjects.some(({ name }) => name === 'tiphys-validate');
  const names = all.filter(isTheirs).map(({ roleRef }) => roleRef?.name);
  const verbs = all
    .filter(({ kind, metadata }) => kind === 'Role' && names.includes(metadata.name))
    .filter(({ metadata }) => metadata.name !== 'tiphys-results')
    .flatMap(({ rules = [] }) => rules.flatMap((rule) => rule.verbs));
  expect([...new Set(verbs)].sort()).toEqual(['get', 'list', 'watch']);
});

test('what probes have: a namespace that restricts pods and has no Secrets, and Jobs alone', () => {
  const all = manifests('rights.yaml');
  const [namespace, quota, network, role, binding] = all.filter(
    ({ metadata }) => metadata.name === 'tiphys-probes',
  );
  const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' };
  expect(namespace).toMatchObject({ kind: 'Namespace', metadata: { labels } });
  expect(quota?.spec).toMatchObject({ hard: { secrets: '0', pods: expect.any(String) } });
  // Nobody calls them: for all pods, and with no rule that would let something in.
  expect(network).toMatchObject({ kind: 'NetworkPolicy' });
  expect(network?.spec).toEqual({ podSelector: {}, policyTypes: ['Ingress'] });
  expect(role?.rules?.map(({ resources, verbs }) => [resources, verbs])).toEqual([
    [['jobs'], ['get', 'create']],
    [['pods'], ['list']],
  ]);
  expect(binding?.subjects?.map(({ name }) => name)).toEqual(['tiphys-run', 'tiphys-node']);
  const others = all.filter(
    ({ kind, metadata, rules = [] }) =>
      kind === 'Role' &&
      metadata.namespace !== 'tiphys-probes' &&
      rules.some(({ resources }) => resources.includes('jobs')),
  );
  expect(others).toEqual([]);
});

test('who may be an agent has the Secret that Argo Workflows asks for, with nothing in it', () => {
  const all = [...manifests('rights.yaml'), ...manifests('teardown-rights.yaml')];
  const [secret, ...others] = all.filter(({ kind }) => kind === 'Secret');
  expect([others, Object.keys(secret ?? {})]).toEqual([
    [],
    ['apiVersion', 'kind', 'metadata', 'type'],
  ]);
  const named = all.flatMap(({ kind, metadata }) => {
    const name = metadata.annotations?.['workflows.argoproj.io/service-account-token.name'];
    return kind === 'ServiceAccount' && name ? [[metadata.name, name]] : [];
  });
  expect(named).toEqual(
    ['tiphys-run', 'tiphys-teardown'].map((account) => [account, secret?.metadata.name]),
  );
});

test('namespaces are written so that bootstrap, which replaces text, finds each', () => {
  for (const file of ['rights.yaml', 'teardown-rights.yaml']) {
    const text = readFileSync(`workflows/${file}`, 'utf8').replace(/#.*/g, '');
    const all = text.match(/namespace:/g) ?? [];
    // That of probes is not replaced: it is the same everywhere.
    expect(text.match(/namespace: (argo(cd)?|tiphys-probes)\}/g), file).toHaveLength(all.length);
    expect(all.length, file).toBeGreaterThan(5);
  }
});
