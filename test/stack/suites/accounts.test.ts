// Three accounts in Argo CD, by the policy that bootstrap writes: each does its own work and no other, and a ServiceAccount that only looks
// gets nothing else done, in Kubernetes either.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { policyFor } from '../../../src/bootstrap/variables.ts';
import { ACCOUNTS, type AccountUse } from '../../../src/ports/argocd-accounts.ts';
import { ARGOCD_SERVER } from '../config.ts';
import { accountToken } from '../kit/account.ts';
import { heldApplications, QUICK } from '../kit/platform.ts';
import type { Scratch } from '../kit/scratch.ts';
import { test } from '../kit/test.ts';
import { Tiphys } from '../kit/tiphys.ts';
import { kubeconfigFor } from '../kit/user.ts';
import { allowRuns } from '../kit/workflow-runs.ts';
import { configMap } from '../kit/workloads.ts';
import { kubectl } from '../kubectl.ts';

/** Rights of the account in the shipped policy, for the scratch project. */
function rightsOf(use: AccountUse, { name }: Scratch): string[] {
  const lines = policyFor([name])
    .split('\n')
    .map((line) => line.split(', '));
  return lines
    .filter(([type, role]) => type === 'p' && role === `role:${ACCOUNTS[use].account}`)
    .map(([, , ...right]) => right.slice(0, -1).join(', '));
}

async function tokenOf(scratch: Scratch, use: AccountUse): Promise<string> {
  return await accountToken(scratch, rightsOf(use, scratch), `${scratch.name}-${use}`);
}

async function shop(scratch: Scratch): Promise<object> {
  await scratch.repository.commit({ 'one/app.yaml': configMap('one', {}) });
  await heldApplications(scratch, 'one');
  return { ...QUICK, stacks: [{ name: 's', applications: [{ name: `${scratch.name}-one` }] }] };
}

async function answer(token: string, method: string, path: string, body?: object): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const url = `http://${ARGOCD_SERVER}/api/v1${path}`;
  const response = await fetch(url, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  await response.text();
  return response.status;
}

test.concurrent('each account does its own work, and is told by name where it may not', async ({
  scratch,
}) => {
  const spec = await shop(scratch);
  const files: Partial<Record<AccountUse, NodeJS.ProcessEnv>> = {};
  const tokens: Partial<Record<AccountUse, string>> = {};
  for (const use of ['validate', 'deploy', 'teardown'] as const) {
    const file = join(scratch.repository.directory, '.git', `${use}.token`);
    const token = await tokenOf(scratch, use);
    await writeFile(file, token, { mode: 0o600 });
    tokens[use] = token;
    files[use] = { ARGOCD_TOKEN_FILE: file };
  }
  const tiphys = new Tiphys(scratch);
  await tiphys.platform(spec);
  const run = (use: AccountUse, ...args: string[]) => tiphys.start(args, files[use]).ended;

  const refused = await run('validate', 'deploy');
  expect(refused.stderr).toContain(`account "${scratch.name}-validate" cannot sync applications`);
  expect(refused.status).toBe(3);
  expect(await run('deploy', 'deploy')).toMatchObject({ status: 0 });
  expect(await run('validate', 'validate')).toMatchObject({ status: 0 });

  const app = `/applications/${scratch.name}-one`;
  const query = `?project=${scratch.name}&appNamespace=argocd`;
  expect(await answer(tokens.validate ?? '', 'GET', app + query)).toBe(200);
  const denied = [
    await answer(tokens.validate ?? '', 'POST', `${app}/sync`, { project: scratch.name }),
    await answer(tokens.validate ?? '', 'DELETE', app + query),
    await answer(tokens.validate ?? '', 'DELETE', `${app}/operation${query}`),
    await answer(tokens.deploy ?? '', 'DELETE', app + query),
  ];
  expect(denied).toEqual([403, 403, 403, 403]);

  const { hash } = await tiphys.inventory();
  const approved = ['teardown', '--confirm', scratch.name, '--expect', hash];
  const without = await run('deploy', ...approved);
  expect(without.stderr).toContain(`account "${scratch.name}-deploy" cannot delete applications`);
  expect(without.status).toBe(3);
  expect(await run('teardown', ...approved)).toMatchObject({ status: 0 });
});

/** The ServiceAccount as its pod: with its own token, and the tokens of Argo CD that it may read. */
async function asPod(scratch: Scratch, account: string): Promise<string> {
  const { stack, namespace } = scratch;
  const token = await stack.run('kubectl', '-n', namespace, 'create', 'token', account);
  return await kubeconfigFor(scratch, account, { token: token.trim() });
}

test.concurrent('a ServiceAccount that only looks validates, and gets nothing else done', async ({
  stack,
  scratch,
}) => {
  await allowRuns(scratch);
  const tiphys = new Tiphys(scratch, { ARGOCD_TOKEN_FILE: undefined });
  await tiphys.platform(await shop(scratch));
  const run = async (account: string, ...args: string[]) => {
    const KUBECONFIG = await asPod(scratch, account);
    return await tiphys.start(args, { KUBECONFIG }).ended;
  };
  expect(await run('tiphys-run', 'deploy')).toMatchObject({ status: 0 });
  expect(await run('tiphys-validate', 'validate')).toMatchObject({ status: 0 });

  const mark = await stack.audit.mark();
  const kubeconfig = await asPod(scratch, 'tiphys-validate');
  const refusal = async (args: readonly string[], input?: object) => {
    const given = [`--kubeconfig=${kubeconfig}`, ...args];
    return await kubectl(stack.config, given, input && JSON.stringify(input)).then(
      () => `done: ${args.join(' ')}`,
      (error: Error) => error.message,
    );
  };
  const app = `${scratch.name}-one`;
  const proxy = '/api/v1/namespaces/argocd/services/http:argocd-server:80/proxy/api/v1';
  const workflow = {
    ...{ apiVersion: 'argoproj.io/v1alpha1', kind: 'Workflow' },
    metadata: { generateName: 'planted-', namespace: scratch.namespace },
    spec: { serviceAccountName: 'tiphys-teardown', workflowTemplateRef: { name: 'any' } },
  };
  const project = `/apis/argoproj.io/v1alpha1/namespaces/argocd/appprojects/${scratch.name}`;
  const tried: readonly (readonly [readonly string[], object?])[] = [
    [['create', '--raw', `${proxy}/applications/${app}/sync`, '-f', '-'], {}],
    [['delete', '--raw', `${proxy}/applications/${app}`]],
    [['-n', 'argocd', 'delete', 'application', app, '--wait=false']],
    [['replace', '--raw', project, '-f', '-'], {}],
    [['create', '-f', '-'], workflow],
    [['-n', 'argocd', 'get', 'secret', ACCOUNTS.deploy.secret]],
    [['-n', 'argocd', 'get', 'secret', ACCOUNTS.teardown.secret]],
    [['-n', 'argocd', 'get', 'secret', 'argocd-secret']],
    [['-n', 'argocd', 'get', 'secrets']],
    [['-n', 'argocd', 'patch', 'secret', ACCOUNTS.validate.secret, '--patch', '{"data":{}}']],
  ];
  for (const [args, input] of tried)
    expect([args.join(' '), await refusal(args, input)]).toEqual([
      args.join(' '),
      expect.stringMatching(/Forbidden|forbidden/),
    ]);
  const user = `system:serviceaccount:${scratch.namespace}:tiphys-validate`;
  const writes = await stack.audit.since(mark, { user });
  // kubectl may send one again.
  const seen = new Set(writes.map(({ verb, resource, status }) => `${verb} ${resource} ${status}`));
  expect([...seen].sort()).toEqual([
    'create services/proxy 403',
    'create workflows.argoproj.io 403',
    'delete applications.argoproj.io 403',
    'delete services/proxy 403',
    'patch secrets 403',
    'update appprojects.argoproj.io 403',
  ]);
});
