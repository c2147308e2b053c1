// What the ServiceAccounts of Workflows may do in the namespace of Argo CD, asked in their names. Nothing is written: the
// server only says what it would do.
import {
  AuthorizationV1Api,
  type KubernetesObject,
  type V1ResourceAttributes,
} from '@kubernetes/client-node';
import { expect } from 'vitest';
import type { Scratch } from '../kit/scratch.ts';
import { test } from '../kit/test.ts';
import { allowEvents, allowRuns } from '../kit/workflow-runs.ts';
import { kubectl } from '../kubectl.ts';
import { waitFor } from '../run.ts';

const ACCOUNTS = ['tiphys-run', 'tiphys-node', 'tiphys-teardown'];
const NODE = 'tiphys-node';
const POLICY = /whose names begin with tiphys-/;

async function asked(
  { stack, namespace }: Scratch,
  account: string,
  verb: string[],
  object?: KubernetesObject,
): Promise<string> {
  const as = `--as=system:serviceaccount:${namespace}:${account}`;
  const file = object ? ['-f', '-'] : [];
  const args = [as, '-n', 'argocd', ...verb, '--dry-run=server', '-o', 'name', ...file];
  try {
    return (await kubectl(stack.config, args, object && JSON.stringify(object))).trim();
  } catch (error) {
    return (error as Error).message;
  }
}

const configMap = (name: string) => ({
  ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'argocd' } },
  data: { 'policy.csv': 'g, anybody, role:admin' },
});
const lease = (name: string) => ({
  ...{ apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' },
  metadata: { name, namespace: 'argocd' },
});

test('the pods of a run write objects of Tiphys, and not the settings of Argo CD', async ({
  scratch,
}) => {
  await allowRuns(scratch);
  const own = `tiphys-${scratch.name}`;
  await scratch.apply({ ...configMap(own), data: {} } as KubernetesObject);
  // Kubernetes takes up a new policy within a second or two.
  await waitFor('the policy', async () =>
    POLICY.test(await asked(scratch, 'tiphys-run', ['create'], configMap('other'))),
  );
  for (const account of ACCOUNTS) {
    expect(await asked(scratch, account, ['replace'], configMap(own))).toBe(`configmap/${own}`);
    for (const name of ['argocd-rbac-cm', 'argocd-cm'])
      expect(await asked(scratch, account, ['replace'], configMap(name))).toMatch(POLICY);
    expect(await asked(scratch, account, ['create'], configMap('other'))).toMatch(POLICY);
  }
  for (const account of ['tiphys-run', 'tiphys-teardown']) {
    expect(await asked(scratch, account, ['delete', 'configmap', 'argocd-cm'])).toMatch(POLICY);
    expect(await asked(scratch, account, ['delete', 'configmap', own])).toBe(`configmap/${own}`);
    expect(await asked(scratch, account, ['create'], lease('other'))).toMatch(POLICY);
    expect(await asked(scratch, account, ['create'], lease(own))).toBe(
      `lease.coordination.k8s.io/${own}`,
    );
  }
});

/** A part of a record that holds the first of these bytes. */
const record = (name: string, length: number, part: { immutable?: true; exit?: string } = {}) => ({
  ...{ apiVersion: 'v1', kind: 'ConfigMap' },
  metadata: {
    ...{ name, namespace: 'argocd', labels: { 'tiphys.dev/run': 'r1' } },
    annotations: { 'tiphys.dev/chunk': '0', 'tiphys.dev/exit-status': part.exit ?? '1' },
  },
  binaryData: { events: Buffer.from(BYTES.subarray(0, length)).toString('base64') },
  ...(part.immutable && { immutable: true }),
});
// As large as the largest.
const BYTES = Buffer.alloc(256 * 1024, 'record');

test('the record of a run grows, nothing in it is changed, and one that is closed stays as it is', async ({
  scratch,
}) => {
  await allowRuns(scratch);
  const open = `tiphys-run-${scratch.name}-r1`;
  const closed = `tiphys-run-${scratch.name}-r2`;
  await scratch.apply(record(open, BYTES.length - 100) as KubernetesObject);
  await scratch.apply(record(closed, 1000, { immutable: true }) as KubernetesObject);
  const replaced = (account: string, object: object) =>
    asked(scratch, account, ['replace'], object as KubernetesObject);
  const GROWS = /change nothing that it has/;
  await waitFor('the policy', async () => GROWS.test(await replaced(NODE, record(open, 10))));
  for (const account of ACCOUNTS) {
    for (const length of [BYTES.length - 100, BYTES.length - 49, BYTES.length])
      expect(await replaced(account, record(open, length))).toBe(`configmap/${open}`);
    expect(await replaced(account, record(open, BYTES.length - 200))).toMatch(GROWS);
    const other = Buffer.from(BYTES).fill('x', 0, 1).toString('base64');
    const forged = { ...record(open, 1), binaryData: { events: other } };
    expect(await replaced(account, forged)).toMatch(GROWS);
    const { immutable, ...thawed } = record(closed, 1000, { immutable: true });
    expect(immutable).toBe(true);
    expect(await replaced(account, record(closed, 1000, { immutable: true }))).toBe(
      `configmap/${closed}`,
    );
    expect(await replaced(account, thawed)).toMatch(/immutable/);
    expect(await replaced(account, record(closed, 1200, { immutable: true }))).toMatch(/immutable/);
    const success = record(closed, 1000, { immutable: true, exit: '0' });
    expect(await replaced(account, success)).toMatch(/nothing of a record that is closed/);
  }
  // Old records go.
  for (const name of [open, closed])
    expect(await asked(scratch, 'tiphys-run', ['delete', 'configmap', name])).toBe(
      `configmap/${name}`,
    );
  expect(await asked(scratch, NODE, ['delete', 'configmap', closed])).toMatch(/cannot delete/);
});

test('only argocd-server is called through the proxy, and who only looks writes nothing', async ({
  stack,
  scratch,
}) => {
  await allowRuns(scratch);
  const may = async (account: string, ...question: string[]) => {
    const as = `--as=system:serviceaccount:${scratch.namespace}:${account}`;
    const args = ['auth', 'can-i', as, '-n', 'argocd', ...question];
    return (await kubectl(stack.config, args).catch(() => 'no')).trim();
  };
  const proxy = ['--subresource=proxy'];
  expect(await may('tiphys-run', 'create', 'services/http:argocd-server:80', ...proxy)).toBe('yes');
  expect(await may('tiphys-run', 'create', 'services/http:other:80', ...proxy)).toBe('no');
  expect(await may('tiphys-validate', 'get', 'services/http:argocd-server:80', ...proxy)).toBe(
    'yes',
  );
  for (const question of [
    ['create', 'services/http:argocd-server:80', ...proxy],
    ['update', 'leases'],
    ['create', 'configmaps'],
    ['update', 'configmaps'],
  ])
    expect([question, await may('tiphys-validate', ...question)]).toEqual([question, 'no']);
});

/** Whether the account may do it; in all namespaces, or in one. */
async function mayDo(
  { stack, namespace }: Scratch,
  account: string,
  right: V1ResourceAttributes,
): Promise<boolean> {
  const user = `system:serviceaccount:${namespace}:${account}`;
  const groups = ['system:serviceaccounts', 'system:authenticated'];
  const body = { spec: { user, groups, resourceAttributes: right } };
  const api = stack.kubeConfig.makeApiClient(AuthorizationV1Api);
  return (await api.createSubjectAccessReview({ body })).status?.allowed ?? false;
}

/** Kinds whose objects can be listed and deleted, of Kubernetes and of Argo: others are of other tests. */
async function ownKinds({ stack }: Scratch): Promise<V1ResourceAttributes[]> {
  const served = await stack.run('kubectl', 'api-resources', '--verbs=list,delete', '-o', 'name');
  const kinds = served.trim().split('\n');
  return kinds.flatMap((kind) => {
    const [resource = '', ...group] = kind.split('.');
    const isOwn = group.length < 2 || /(^|\.)(k8s|argoproj)\.io$/.test(group.join('.'));
    return isOwn && group[0] !== 'snapshot' ? [{ resource, group: group.join('.') }] : [];
  });
}

test('a teardown lists every kind of Kubernetes but Secrets, and reaches into nothing', async ({
  scratch,
}) => {
  await allowRuns(scratch);
  const may = (right: V1ResourceAttributes) => mayDo(scratch, 'tiphys-teardown', right);
  const kinds = await ownKinds(scratch);
  expect(kinds.length).toBeGreaterThan(40);
  const unlisted: string[] = [];
  for (const kind of kinds)
    if (!(await may({ ...kind, verb: 'list' }))) unlisted.push(`${kind.group}/${kind.resource}`);
  expect(unlisted).toEqual(['/secrets']);
  const core = (verb: string, resource: string, subresource?: string, namespace?: string) =>
    may({
      verb,
      group: '',
      resource,
      ...(subresource && { subresource }),
      ...(namespace && { namespace }),
    });
  expect([
    await core('get', 'pods', 'exec'),
    await core('create', 'pods', 'exec'),
    await core('get', 'pods', 'log'),
    await core('get', 'nodes', 'proxy'),
    await core('get', 'services', 'proxy', 'kube-system'),
    await core('get', 'secrets', undefined, 'kube-system'),
    await core('list', 'secrets', undefined, 'argocd'),
    await core('create', 'pods'),
    await core('create', 'serviceaccounts', 'token', 'kube-system'),
  ]).toEqual(Array.from({ length: 9 }, () => false));
});

const approval = (name: string, by: string) => ({
  ...{ apiVersion: 'v1', kind: 'ConfigMap' },
  metadata: { name, namespace: 'argocd', annotations: { 'tiphys.dev/by': by } },
});

test('people approve in their own name, approvers write nothing else, and pods do not approve', async ({
  stack,
  scratch,
}) => {
  await allowRuns(scratch);
  const name = `tiphys-approval-${scratch.name}`;
  const account = (one: string) => `system:serviceaccount:${scratch.namespace}:${one}`;
  await scratch.apply({
    ...{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'RoleBinding' },
    metadata: { name: `${scratch.name}-approvers`, namespace: 'argocd' },
    roleRef: {
      ...{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Role' },
      name: `${scratch.name}-tiphys-approve`,
    },
    subjects: [{ kind: 'Group', name: 'tiphys-approvers', apiGroup: 'rbac.authorization.k8s.io' }],
  } as KubernetesObject);
  const as = async (who: string[], object: KubernetesObject) => {
    const args = [...who, '-n', 'argocd', 'create', '--dry-run=server', '-o', 'name', '-f', '-'];
    const input = JSON.stringify(object);
    return (await kubectl(stack.config, args, input).catch((error: Error) => error.message)).trim();
  };
  const jane = ['--as=jane', '--as-group=tiphys-approvers', '--as-group=system:authenticated'];
  await waitFor('the policies', async () =>
    /must name the user/.test(await as(jane, approval(name, 'joe'))),
  );
  expect(await as(jane, approval(name, 'jane'))).toBe(`configmap/${name}`);
  expect(await as(jane, configMap('other'))).toMatch(/begin with tiphys-approval-/);
  const unnamed = { ...configMap('x'), metadata: { generateName: 'x-', namespace: 'argocd' } };
  expect(await as([], unnamed)).toMatch(/^configmap\/x-/);
  for (const one of ACCOUNTS)
    expect(await as([`--as=${account(one)}`], approval(name, account(one)))).toMatch(
      /do not approve anything/,
    );
});

test('the Sensor creates runs of events, and no Workflow of its own', async ({ scratch }) => {
  await allowEvents(scratch);
  const { namespace } = scratch;
  const values = {
    ...{ action: 'deploy', scope: 'app:web', event: 'deploy-0123456789ab', trigger: 'push' },
  };
  const workflow = (spec: object, more: Partial<typeof values> = {}) => ({
    ...{ apiVersion: 'argoproj.io/v1alpha1', kind: 'Workflow' },
    metadata: { generateName: 'tiphys-event-', namespace },
    spec: {
      workflowTemplateRef: { name: 'tiphys-event' },
      arguments: {
        parameters: Object.entries({ ...values, ...more }).map(([name, value]) => ({
          name,
          value,
        })),
      },
      ...spec,
    },
  });
  const created = (object: KubernetesObject) =>
    asked(scratch, 'tiphys-sensor', ['create', '-n', namespace], object);
  const REFUSED = /The Sensor of Tiphys/;
  const theft = workflow({ serviceAccountName: 'tiphys-teardown' });
  await waitFor('the policy', async () => REFUSED.test(await created(theft)));
  expect(await created(workflow({}))).toMatch(/^workflow\.argoproj\.io\/tiphys-event-/);
  const templates = [{ name: 'main', container: { image: 'any' } }];
  for (const refused of [
    { ...theft, spec: { entrypoint: 'main', templates } },
    workflow({ podSpecPatch: '{}' }),
    {
      ...workflow({}),
      status: { storedWorkflowTemplateSpec: { entrypoint: 'main', templates } },
    },
    workflow({ workflowTemplateRef: { name: 'other' } }),
    workflow({}, { action: 'teardown' }),
    workflow({}, { scope: 'app:{{workflow.name}}' }),
    workflow({}, { event: 'x,tiphys.dev/event!=x' }),
    workflow({}, { trigger: '{{workflow.name}}' }),
  ])
    expect(await created(refused)).toMatch(REFUSED);
});
