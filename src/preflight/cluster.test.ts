// The cluster's rows, and what must not exist in it: each with a state that must turn it, and nothing else may turn.
import { expect, test } from 'vitest';
import { type Changes, look, node, object, turned } from '../../test/fakes/preflight-world.ts';
import type { NodeView } from './preflight-context.ts';

const ours = { labels: { 'app.kubernetes.io/managed-by': 'tiphys-bootstrap' } };
const tracked = (by: string) => ({
  annotations: { 'argocd.argoproj.io/tracking-id': `${by}:/Namespace:x/x` },
});
const namespaces = (...all: ReturnType<typeof object>[]) => ({ namespaces: async () => all });
const withoutVerb = (verb: string, resource: string) => ({
  cluster: {
    may: async (right: { verb: string; resource: string }) =>
      !(right.verb === verb && right.resource === resource),
  },
});

const little = (allocatable: Partial<NodeView['allocatable']>): Changes => ({
  cluster: {
    nodes: async () =>
      ['a', 'b', 'c'].map((name) => {
        const usual = node(name);
        return { ...usual, allocatable: { ...usual.allocatable, ...allocatable } };
      }),
  },
});

const CLUSTER: readonly (readonly [string, Changes, string, number])[] = [
  ['a right', withoutVerb('delete', 'secrets'), 'failure right:secrets: cannot delete', 3],
  ['the sight of all', withoutVerb('list', '*'), 'warning right:everything: cannot list', 0],
  [
    'the right to give rights',
    withoutVerb('escalate', 'clusterroles'),
    'failure right:cluster-admin: cannot escalate clusterroles',
    3,
  ],
  [
    'the right to bind',
    withoutVerb('bind', 'roles'),
    'failure right:cluster-admin: cannot bind roles',
    3,
  ],
  [
    'a right on a part of a resource',
    {
      cluster: {
        may: async ({ resource, subresource }) => !(resource === 'pods' && subresource === 'log'),
      },
    },
    'failure right:pods/log: cannot get',
    3,
  ],
  [
    'a Kubernetes that has no policies',
    {
      cluster: {
        version: async () => 'v1.29.4',
        serves: async (group, kind) =>
          group !== 'admissionregistration.k8s.io/v1' || kind !== 'ValidatingAdmissionPolicy',
      },
    },
    'failure cluster:admission-policies: not served by Kubernetes v1.29.4',
    1,
  ],
  [
    'no node is ready',
    {
      cluster: {
        nodes: async () =>
          [1, 2, 3].map((at) => node(`n${at}`, { ready: false, message: 'no runtime' })),
      },
    },
    'failure nodes:ready: 0 of 3 Ready; not: n1 (no runtime), n2 (no runtime), n3 (no runtime)',
    1,
  ],
  [
    'a node is not ready',
    { cluster: { nodes: async () => [node('a'), node('b'), node('c', { ready: false })] } },
    'warning nodes:ready: 2 of 3 Ready; not: c (not Ready)',
    0,
  ],
  [
    'all nodes are cordoned',
    { cluster: { nodes: async () => [1, 2, 3].map((at) => node(`n${at}`, { cordoned: true })) } },
    'failure nodes:schedulable: none: n1 (cordoned), n2 (cordoned), n3 (cordoned)',
    1,
  ],
  [
    'all nodes are tainted',
    {
      cluster: {
        nodes: async () => [1, 2, 3].map((at) => node(`n${at}`, { taints: ['gpu:NoSchedule'] })),
      },
    },
    'failure nodes:schedulable: none: n1 (gpu:NoSchedule), n2 (gpu:NoSchedule), n3 (gpu:NoSchedule)',
    1,
  ],
  [
    'few workers',
    { cluster: { nodes: async () => [node('a'), node('b'), node('c', { controlPlane: true })] } },
    'warning nodes:workers: 2: a, b',
    0,
  ],
  ['few cores', little({ cpu: 1 }), 'warning nodes:capacity: 3 cores, 24 GiB, 330 pods', 0],
  [
    'little memory',
    little({ memory: 2 ** 30 }),
    'warning nodes:capacity: 12 cores, 3 GiB, 330 pods',
    0,
  ],
  [
    'room for few pods',
    little({ pods: 19 }),
    'warning nodes:capacity: 12 cores, 24 GiB, 57 pods',
    0,
  ],
  ['no DNS', { cluster: { dnsPods: async () => [] } }, 'failure dns: no pod (k8s-app=kube-dns)', 1],
  [
    'DNS is not ready',
    { cluster: { dnsPods: async () => [{ name: 'x', ready: false }] } },
    'failure dns: 0 of 1 pods ready',
    1,
  ],
  [
    'no StorageClass',
    { cluster: { storageClasses: async () => [] } },
    'warning storage: the cluster has no StorageClass',
    0,
  ],
  [
    'no default',
    { cluster: { storageClasses: async () => [{ name: 'slow', isDefault: false }] } },
    'warning storage: none of slow is the default',
    0,
  ],
  [
    'a leftover namespace',
    { cluster: namespaces(object('argo-events')) },
    'failure absent:argo-events: the namespace argo-events exists, and bootstrap did not create it',
    1,
  ],
  [
    'one that is going',
    { cluster: namespaces(object('argocd', { ...ours, deleting: true })) },
    'failure absent:argocd: the namespace argocd is being deleted',
    1,
  ],
  [
    'it runs elsewhere',
    {
      cluster: {
        deployments: async (label) =>
          label.endsWith('=sealed-secrets') ? [object('x', { namespace: 'kube-system' })] : [],
      },
    },
    'failure absent:sealed-secrets: sealed-secrets runs in kube-system, and bootstrap did not install it',
    1,
  ],
  [
    'a sealing key',
    { cluster: { secrets: async () => [object('key1', { namespace: 'kube-system' })] } },
    'warning absent:sealing-keys: kube-system/key1',
    0,
  ],
  [
    'definitions',
    {
      cluster: {
        definitions: async () => [object('workflows.argoproj.io'), object('x.notargoproj.io')],
      },
    },
    'warning absent:definitions: 1: workflows.argoproj.io',
    0,
  ],
  [
    'a namespace of the platform, by its name',
    { cluster: namespaces(object('shop')) },
    'failure absent:platform: shop',
    1,
  ],
  [
    'a namespace of the platform, by who made it',
    { cluster: namespaces(object('data', tracked('db')), object('other', tracked('x'))) },
    'failure absent:platform: data',
    1,
  ],
];

test.each(CLUSTER)('the cluster: %s', async (_, changes, row, exitStatus) => {
  expect(await turned(changes)).toEqual({ exitStatus, rows: row ? [row] : [] });
});

test('a namespace of a primitive is not told again as one of the platform', async () => {
  const { rows } = await turned(
    { cluster: namespaces(object('sealed-secrets')) },
    { names: ['sealed-secrets'] },
  );
  expect(rows.map((row) => row.split(':').slice(0, 2).join(':'))).toEqual([
    'failure absent:sealed-secrets',
  ]);
});

test('an Argo CD that somebody else installed needs no bootstrap, and is not to be removed for one', async () => {
  const report = await look({
    cluster: {
      ...namespaces(object('argocd')),
      deployments: async () => [object('argocd-server', { namespace: 'argocd' })],
    },
  });
  const [row] = report.rows.filter(({ id }) => id === 'absent:argocd');
  expect(row?.remedy).toMatch(/^It is in use: bootstrap is not needed here\. Deploy with /);
});

test('what is to fix here decides the exit status', async () => {
  const { exitStatus, rows } = await turned({
    cluster: { dnsPods: async () => [], ...withoutVerb('delete', 'secrets').cluster },
  });
  expect(rows).toHaveLength(2);
  expect(exitStatus).toBe(3);
});

test('what an earlier bootstrap made is present and not left over', async () => {
  const made = ['argocd', 'argo', 'argo-events', 'sealed-secrets'];
  const report = await look({
    cluster: {
      ...namespaces(...made.map((name) => object(name, ours)), object('shop')),
      deployments: async (label) => [
        object('x', { namespace: label.includes('argocd') ? 'argocd' : 'argo' }),
      ],
      secrets: async () => [object('key1', { namespace: 'sealed-secrets' })],
      definitions: async () => [object('workflows.argoproj.io')],
    },
  });
  expect(report.exitStatus).toBe(0);
  const absent = report.rows.filter(({ id }) => id.startsWith('absent:'));
  expect(absent.map(({ verdict, seen }) => `${verdict} ${seen}`)).toEqual([
    'pass present: bootstrap created argocd',
    'pass present: bootstrap created argo',
    'pass present: bootstrap created argo-events',
    'pass present: bootstrap created sealed-secrets',
    'pass present: 1, in a namespace of bootstrap',
    'pass present: 1, together with what bootstrap installed',
    'pass present, with its Argo CD: shop',
  ]);
});

test('a primitive that the platform took over is present, too, but only under the Argo CD of bootstrap', async () => {
  const handed = object('x', { namespace: 'sealed-secrets', ...tracked('sealed-secrets') });
  const deployments = async (label: string) => (label.endsWith('=sealed-secrets') ? [handed] : []);
  const spaces = (argocd: object) => namespaces(object('argocd', argocd), object('sealed-secrets'));
  expect(await turned({ cluster: { ...spaces(ours), deployments } })).toMatchObject({ rows: [] });
  const { rows } = await turned({ cluster: { ...spaces({}), deployments } });
  expect(rows.map((row) => row.split(':')[1])).toEqual(['argocd', 'sealed-secrets']);
});

test.each([
  ['none', undefined, undefined],
  ['the oldest that was tried', 'v3.2.0', undefined],
  ['the newest that was tried', 'v3.5.1+abc', undefined],
  ['an older one', 'v3.1.9', 'warning'],
  ['a newer one', 'v3.6.0-rc1', 'warning'],
  ['another major version', 'v4.2.0', 'warning'],
])('an Argo CD that is there: %s', async (_, version, verdict) => {
  const asked: unknown[] = [];
  const argocdVersion = async (...given: unknown[]) => {
    asked.push(given);
    return version;
  };
  const { rows } = await look({ cluster: { argocdVersion } }, { argocdRootPath: '/cd' });
  const row = rows.find(({ id }) => id === 'argocd:version');
  expect(row).toMatchObject({ verdict: verdict ?? 'pass', seen: version ?? 'absent' });
  expect(asked).toEqual([['argocd', '/cd']]);
});
