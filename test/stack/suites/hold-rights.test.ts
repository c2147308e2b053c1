// What the ServiceAccounts of Workflows may write of an AppProject: the hold, and nothing else. The server only says what it would do,
// but for the patch that must pass.
import type { KubernetesObject } from '@kubernetes/client-node';
import { expect } from 'vitest';
import { HOLD_ANNOTATION, holdWindow } from '../../../src/run/hold.ts';
import type { Scratch } from '../kit/scratch.ts';
import { test } from '../kit/test.ts';
import { allowRuns } from '../kit/workflow-runs.ts';
import { kubectl } from '../kubectl.ts';
import { waitFor } from '../run.ts';

const ACCOUNTS = ['tiphys-run', 'tiphys-node', 'tiphys-teardown'];
const THEIRS = { kind: 'deny', schedule: '0 3 * * *', duration: '1h', applications: ['*'] };
const { given: _, ...OURS } = holdWindow(['a', 'b']);
const HOLD = {
  metadata: { annotations: { [HOLD_ANNOTATION]: 'shop/r1' } },
  spec: { syncWindows: [THEIRS, OURS] },
};

async function outcome(
  { stack, namespace }: Scratch,
  account: string,
  verb: readonly string[],
  object?: KubernetesObject,
): Promise<string> {
  const as = `--as=system:serviceaccount:${namespace}:${account}`;
  const args = [as, '-n', 'argocd', ...verb, '--dry-run=server', '-o', 'name'];
  const input = object && JSON.stringify(object);
  const done = kubectl(stack.config, object ? [...args, '-f', '-'] : args, input);
  return (await done.catch((error: Error) => error.message)).trim();
}

const patched = (scratch: Scratch, account: string, patch: object) =>
  outcome(scratch, account, [
    ...['patch', 'appproject', scratch.name, '--type=merge', '-p', JSON.stringify(patch)],
  ]);

/** As the AppProject of the scratch is, with somebody else's window, finalizer, label, role and status. */
async function furnish(scratch: Scratch): Promise<void> {
  const patch = {
    metadata: { labels: { team: 'a' }, annotations: { note: 'theirs' } },
    spec: {
      roles: [{ name: 'reader', policies: [] }],
      syncWindows: [THEIRS],
    },
    status: { jwtTokensByRole: { reader: { items: [{ iat: 1 }] } } },
  };
  const text = JSON.stringify(patch);
  await kubectl(scratch.stack.config, [
    ...['-n', 'argocd', 'patch', 'appproject', scratch.name, '--type=merge', '-p', text],
  ]);
}

const CHANGES: readonly (readonly [string, object, RegExp])[] = [
  ['destinations', { spec: { destinations: [{ server: '*', namespace: '*' }, {}] } }, /nothing of/],
  ['sourceRepos', { spec: { sourceRepos: ['https://evil.example'] } }, /nothing of/],
  [
    'a role',
    { spec: { roles: [{ name: 'x', policies: ['p, x, *, *, *, allow'] }] } },
    /nothing of/,
  ],
  ['no roles', { spec: { roles: null } }, /nothing of/],
  ['a new field', { spec: { sourceNamespaces: ['*'] } }, /nothing of/],
  ['tokens', { status: { jwtTokensByRole: { x: { items: [{ iat: 2 }] } } } }, /nothing of/],
  ['a label', { metadata: { labels: { team: 'b' } } }, /no metadata/],
  ['a finalizer', { metadata: { finalizers: ['x.example/y'] } }, /no metadata/],
  ['an annotation', { metadata: { annotations: { note: 'ours' } } }, /no metadata/],
  ['no annotation', { metadata: { annotations: { note: null } } }, /no metadata/],
  ['no window', { spec: { syncWindows: null } }, /windows of others/],
  ['only the hold', { spec: { syncWindows: [OURS] } }, /windows of others/],
  [
    'a window that is changed',
    { spec: { syncWindows: [{ ...THEIRS, duration: '2h' }, OURS] } },
    /windows of others/,
  ],
  [
    'another window',
    { spec: { syncWindows: [THEIRS, { ...THEIRS, kind: 'allow' }] } },
    /windows of others/,
  ],
  [
    'a hold that keeps requested syncs out',
    { spec: { syncWindows: [THEIRS, { ...OURS, manualSync: false }] } },
    /let requested syncs through/,
  ],
];

test('pods of a run write the hold of an AppProject, and nothing else of it', async ({
  scratch,
}) => {
  await allowRuns(scratch);
  await furnish(scratch);
  const { name } = scratch;
  await waitFor('the policy', async () =>
    /windows of others/.test(await patched(scratch, 'tiphys-run', { spec: { syncWindows: null } })),
  );
  for (const account of ACCOUNTS) {
    expect(await patched(scratch, account, HOLD)).toBe(`appproject.argoproj.io/${name}`);
    for (const [what, patch, refusal] of CHANGES) {
      const said = await patched(scratch, account, patch);
      expect([what, said]).toEqual([what, expect.stringMatching(refusal)]);
      expect([what, said]).toEqual([what, expect.stringContaining('tiphys-hold')]);
    }
  }
  expect(await patched(scratch, 'tiphys-validate', HOLD)).toMatch(/cannot patch resource/);
});

test('pods of a run neither create nor delete an AppProject, whatever a role allows', async ({
  scratch,
}) => {
  await allowRuns(scratch);
  const { name, namespace } = scratch;
  const metadata = { name: `${name}-too-much`, namespace: 'argocd' };
  const RBAC = 'rbac.authorization.k8s.io';
  await scratch.apply({
    ...{ apiVersion: `${RBAC}/v1`, kind: 'Role', metadata },
    rules: [
      { apiGroups: ['argoproj.io'], resources: ['appprojects'], verbs: ['create', 'delete'] },
    ],
  } as KubernetesObject);
  await scratch.apply({
    ...{ apiVersion: `${RBAC}/v1`, kind: 'RoleBinding', metadata },
    roleRef: { apiGroup: RBAC, kind: 'Role', name: metadata.name },
    subjects: [{ kind: 'ServiceAccount', name: 'tiphys-run', namespace }],
  } as KubernetesObject);
  const project = {
    ...{ apiVersion: 'argoproj.io/v1alpha1', kind: 'AppProject' },
    ...{ metadata: { name: `${name}-new`, namespace: 'argocd' }, spec: {} },
  };
  const REFUSED = /neither create nor delete/;
  await waitFor('the policy', async () =>
    REFUSED.test(await outcome(scratch, 'tiphys-run', ['create'], project)),
  );
  expect(await outcome(scratch, 'tiphys-run', ['delete', 'appproject', name])).toMatch(REFUSED);
});

test('a window of others that lacks a field keeps no pod from its hold', async ({ scratch }) => {
  await allowRuns(scratch);
  const { stack, name } = scratch;
  const bare = { kind: 'deny', applications: ['none'] };
  const text = JSON.stringify({ spec: { syncWindows: [bare] } });
  await kubectl(stack.config, [
    '-n',
    'argocd',
    'patch',
    'appproject',
    name,
    '--type=merge',
    '-p',
    text,
  ]);
  const held = (...others: object[]) =>
    patched(scratch, 'tiphys-run', { ...HOLD, spec: { syncWindows: [...others, OURS] } });
  await waitFor('the policy', async () => /windows of others/.test(await held()));
  expect(await held(bare)).toBe(`appproject.argoproj.io/${name}`);
});
