// What must not even begin: one clear error each, the exit status of the table, and nothing written.
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect } from 'vitest';
import { tokenFile } from '../config.ts';
import { isQuestion } from '../kit/audit.ts';
import { holdFromBefore, QUICK } from '../kit/platform.ts';
import type { Scratch } from '../kit/scratch.ts';
import { test as kit } from '../kit/test.ts';
import { type Ended, Tiphys } from '../kit/tiphys.ts';
import { changesSince, operationsOf } from '../kit/traces.ts';
import { kubeconfigFor, ownUser, type User } from '../kit/user.ts';
import { configMap } from '../kit/workloads.ts';
import { run } from '../run.ts';

interface Refused {
  readonly code: string;
  readonly exit: number;
  /** Part of the message. */
  readonly says: string;
  readonly args?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
}

/** The second one syncs by itself, after the first. */
const test = kit.extend<{ refuses: (wanted: Refused) => Promise<Ended>; user: User }>({
  user: async ({ scratch }, use) => use(await ownUser(scratch)),
  refuses: async ({ stack, scratch, user }, use) => {
    const tiphys = new Tiphys(scratch, { KUBECONFIG: user.kubeconfig });
    await tiphys.platform(platformOf(scratch));
    await use(async ({ code, exit, says, args = [], env = {} }) => {
      const mark = await stack.audit.mark();
      const ended = await tiphys.start(['deploy', '-o', 'json', ...args], env).ended;
      const { errors } = JSON.parse(ended.stderr);
      expect(new Set(errors.map((error: { code: string }) => error.code))).toEqual(new Set([code]));
      expect(errors[0]).toMatchObject({ message: expect.stringContaining(says) });
      expect(errors[0].hint).toBeTruthy();
      expect(ended.status).toBe(exit);
      expect(ended.stdout).toBe('');
      const sent = await stack.audit.since(mark, { user: user.name });
      expect(sent.filter((one) => !isQuestion(one))).toEqual([]);
      expect(await operationsOf(scratch, mark)).toEqual([]);
      expect(await changesSince(scratch, mark)).toEqual([]);
      return ended;
    });
  },
});

function platformOf(scratch: Scratch) {
  const [a, b] = ['a', 'b'].map((suffix) => `${scratch.name}-${suffix}`);
  const applications = [{ name: a }, { name: b, dependsOn: [a] }];
  return { ...QUICK, stacks: [{ name: 's', applications }] };
}

async function applications(scratch: Scratch): Promise<void> {
  await scratch.repository.commit({ 'a/map.yaml': configMap('a', {}) });
  for (const suffix of ['a', 'b']) {
    const name = await scratch.application(suffix, { path: 'a' });
    await scratch.stack.application(name, 'compared', ({ status }) => Boolean(status?.sync));
  }
}

/** A file that goes with the scratch repository. */
async function kept(scratch: Scratch, name: string, text: string): Promise<string> {
  const file = join(scratch.repository.directory, '.git', name);
  await writeFile(file, text, { mode: 0o600 });
  return file;
}

/** The kubeconfig of a user who may read everything, and write nothing to Kubernetes. */
async function reader(scratch: Scratch): Promise<string> {
  const { stack, name, namespace } = scratch;
  const apiGroup = 'rbac.authorization.k8s.io';
  const header = { apiVersion: `${apiGroup}/v1`, metadata: { name: `${name}-reader` } };
  const rules = [
    { apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list', 'watch'] },
    { apiGroups: [''], resources: ['services/proxy'], verbs: ['create'] },
  ];
  const role: object = { ...header, kind: 'ClusterRole', rules };
  const roleRef = { apiGroup, kind: 'ClusterRole', name: header.metadata.name };
  const subjects = [{ kind: 'ServiceAccount', name: 'default', namespace }];
  const binding: object = { ...header, kind: 'ClusterRoleBinding', roleRef, subjects };
  for (const object of [role, binding]) {
    await stack.apply(object);
    scratch.afterwards(() => stack.remove(object));
  }
  const token = await stack.run('kubectl', '-n', namespace, 'create', 'token', 'default');
  return await kubeconfigFor(scratch, 'reader', { token: token.trim() });
}

test.concurrent('a user without the right to patch the project', async ({ scratch, refuses }) => {
  await applications(scratch);
  // What would sync by itself is held, so that what is written is Tiphys' doing alone.
  await holdFromBefore(scratch, 'b');
  await makeAutomated(scratch, 'b');
  const says = `permission to patch the AppProject "${scratch.name}"`;
  const env = { KUBECONFIG: await reader(scratch) };
  await refuses({ code: 'cluster-forbidden', exit: 3, says, env });
});

describe.concurrent('a token', () => {
  test('without the right to sync', async ({ stack, scratch, refuses }) => {
    await scratch.repository.commit({ 'a/map.yaml': configMap('a', {}) });
    await scratch.application('a', { path: 'a' });
    await scratch.application('b', { path: 'a' });
    const env = { ARGOCD_TOKEN_FILE: tokenFile(stack.config, 'reader') };
    const says = `cannot sync applications "${scratch.name}/`;
    await refuses({ code: 'argocd-forbidden', exit: 3, says, env });
  });

  test('that has expired or was revoked', async ({ stack, scratch, refuses }) => {
    await applications(scratch);
    const path = 'account/tiphys/token';
    const make = (id: string, expiresIn: number) =>
      stack.argocd.request<{ token: string }>('POST', path, { name: 'tiphys', id, expiresIn });
    const [short, revoked] = [
      await make(`${scratch.name}-short`, 1),
      await make(`${scratch.name}-revoked`, 600),
    ];
    await stack.argocd.request('DELETE', `${path}/${scratch.name}-revoked`);
    await sleep(2_000);
    for (const { token } of [short, revoked]) {
      const env = { ARGOCD_TOKEN_FILE: await kept(scratch, 'token', token) };
      const { stderr } = await refuses({
        code: 'argocd-token-rejected',
        exit: 1,
        says: 'token',
        env,
      });
      expect(stderr).not.toContain(token);
    }
    await stack.argocd.request('DELETE', `${path}/${scratch.name}-short`);
  });
});

async function makeAutomated({ stack, name }: Scratch, suffix: string): Promise<void> {
  const patch = JSON.stringify({ spec: { syncPolicy: { automated: { selfHeal: true } } } });
  const target = ['--namespace=argocd', 'patch', 'applications.argoproj.io', `${name}-${suffix}`];
  await stack.run('kubectl', ...target, '--type=merge', '--patch', patch);
}

describe.concurrent('another certificate authority', () => {
  const other = async (scratch: Scratch) => {
    const key = join(scratch.repository.directory, '.git', 'key');
    const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
    const subject = ['-subj', '/CN=127.0.0.1', '-days', '1', '-keyout', key];
    const cert = await run('openssl', ['req', '-x509', ...kind, ...subject]);
    return { cert, key: await readFile(key, 'utf8') };
  };

  test('than that of the Kubernetes API', async ({ scratch, user, refuses }) => {
    await applications(scratch);
    const data = Buffer.from((await other(scratch)).cert).toString('base64');
    const cluster = { 'certificate-authority-data': data };
    const KUBECONFIG = await kubeconfigFor(scratch, 'other', { token: user.token }, cluster);
    await refuses({ code: 'cluster-tls', exit: 1, says: 'certificate', env: { KUBECONFIG } });
  });

  test('than that of Argo CD', async ({ scratch, refuses }) => {
    await applications(scratch);
    let asked = 0;
    const server = createServer(await other(scratch), (_, answer) => {
      asked++;
      answer.end('{}');
    }).listen(0, '127.0.0.1');
    scratch.afterwards(async () => void server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const args = ['--argocd-server', `https://127.0.0.1:${port}`];
    await refuses({ code: 'argocd-tls', exit: 1, says: 'certificate', args });
    // The token was shown to nobody.
    expect(asked).toBe(0);
  });
});

describe.concurrent('an Application', () => {
  test('that does not exist', async ({ scratch, refuses }) => {
    await scratch.repository.commit({ 'a/map.yaml': configMap('a', {}) });
    await scratch.application('a', { path: 'a' });
    const says = `no Application "${scratch.name}-b"`;
    await refuses({ code: 'application-missing', exit: 3, says });
  });

  test('of another project', async ({ scratch, refuses }) => {
    await scratch.repository.commit({ 'a/map.yaml': configMap('a', {}) });
    await scratch.application('a', { path: 'a' });
    const project = await scratch.project();
    await scratch.application('b', { path: 'a', project });
    const says = `"${scratch.name}-b" belongs to project "${project}"`;
    await refuses({ code: 'application-wrong-project', exit: 3, says });
  });
});

test.concurrent('a scope whose dependencies are not Healthy', async ({ scratch, refuses }) => {
  await applications(scratch);
  const args = ['--scope', `app:${scratch.name}-b`];
  const says = `depends on "${scratch.name}-a", which is not Healthy`;
  await refuses({ code: 'dependencies-not-healthy', exit: 1, says, args });
});
