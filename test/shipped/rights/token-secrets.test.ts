// Each account of Tiphys in Argo CD has a Secret with its token, and each ServiceAccount reads those that its work needs.
import { readFileSync } from 'node:fs';
import { load, loadAll } from 'js-yaml';
import { expect, test } from 'vitest';
import { ACCOUNTS } from '../../../src/ports/argocd-accounts.ts';

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly roleRef?: { readonly name: string };
  readonly subjects?: readonly { readonly name: string }[];
  readonly rules?: readonly {
    readonly resources: readonly string[];
    readonly resourceNames?: readonly string[];
    readonly verbs: readonly string[];
  }[];
}

const SHIPPED = ['rights.yaml', 'teardown-rights.yaml', 'event-rights.yaml'].flatMap(
  (file) => loadAll(readFileSync(`workflows/${file}`, 'utf8')) as Manifest[],
);

/** RESOURCE NAME: VERBS, of what each account of the files has in the namespace of Argo CD. */
function rightsOn(resource: string, all: readonly Manifest[]): Record<string, string[]> {
  const roles = all.filter(({ kind }) => kind === 'Role' || kind === 'ClusterRole');
  const granted = all
    .filter(({ kind }) => kind.endsWith('Binding'))
    .flatMap(({ roleRef, subjects = [] }) =>
      subjects.flatMap(({ name: subject }) =>
        roles
          .filter(({ metadata }) => metadata.name === roleRef?.name)
          .flatMap(({ rules = [] }) => rules.filter((one) => one.resources.includes(resource)))
          .flatMap(({ verbs, resourceNames = ['*'] }) =>
            resourceNames.flatMap((name) =>
              verbs.map((verb) => ({ subject, right: `${verb} ${name}` })),
            ),
          ),
      ),
    );
  const subjects = [...new Set(granted.map(({ subject }) => subject))].sort();
  return Object.fromEntries(
    subjects.map((one) => [
      one,
      [
        ...new Set(granted.filter(({ subject }) => subject === one).map(({ right }) => right)),
      ].sort(),
    ]),
  );
}

const [VALIDATE, DEPLOY, TEARDOWN] = [
  ...[ACCOUNTS.validate.secret, ACCOUNTS.deploy.secret, ACCOUNTS.teardown.secret],
];
const SECRETS = {
  'tiphys-node': [`get ${DEPLOY}`],
  'tiphys-run': [
    ...[`get ${DEPLOY}`, `get ${VALIDATE}`],
    // It renews both.
    ...[`update ${DEPLOY}`, `update ${VALIDATE}`],
  ],
  'tiphys-teardown': [`get ${TEARDOWN}`, `update ${TEARDOWN}`],
  'tiphys-validate': [`get ${VALIDATE}`],
};

test('each ServiceAccount has the token of its work, and nobody else has any', () => {
  expect(rightsOn('secrets', SHIPPED)).toEqual(SECRETS);
});

const binding = (role: string, account: string): Manifest => ({
  ...{ kind: 'RoleBinding', metadata: { name: 'planted', namespace: 'argocd' } },
  ...{ roleRef: { name: role }, subjects: [{ name: account }] },
});

test.each([
  ['who only reads would sync', binding('tiphys-token-deploy', 'tiphys-validate')],
  ['who only reads would delete', binding('tiphys-token-teardown', 'tiphys-validate')],
  ['who only reads would write its token', binding('tiphys-token-renewal', 'tiphys-validate')],
  ['a deployment would delete', binding('tiphys-token-teardown', 'tiphys-run')],
  ['a node would delete', binding('tiphys-token-teardown', 'tiphys-node')],
  [
    'a teardown would have the token of deployments',
    binding('tiphys-token-deploy', 'tiphys-teardown'),
  ],
  ['the Sensor would have one', binding('tiphys-token-validate', 'tiphys-sensor')],
])('planted: %s', (_, planted) => {
  expect(rightsOn('secrets', [...SHIPPED, planted])).not.toEqual(SECRETS);
});

test('who only reads sends nothing but GET through the proxy of argocd-server', () => {
  const proxied = rightsOn('services/proxy', SHIPPED);
  expect(proxied['tiphys-validate']).toEqual([
    ...['get http:argocd-server:80', 'get https:argocd-server:443'],
  ]);
  const planted = [...SHIPPED, binding('tiphys-node', 'tiphys-validate')];
  expect(rightsOn('services/proxy', planted)['tiphys-validate']).toContain(
    'create http:argocd-server:80',
  );
});

test('bootstrap makes these accounts and Secrets', () => {
  const all = load(readFileSync('bootstrap/inventory/group_vars/all.yml', 'utf8'));
  expect((all as { tiphys_accounts: unknown }).tiphys_accounts).toEqual(
    Object.values(ACCOUNTS).map(({ account: name, secret }) => ({ name, secret })),
  );
});
