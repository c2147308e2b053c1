// No secret in any output: planted wherever one can come from, and searched for in everything that is printed or kept.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect } from 'vitest';
import { tokenFile } from '../config.ts';
import { QUICK } from '../kit/platform.ts';
import type { Scratch } from '../kit/scratch.ts';
import { test } from '../kit/test.ts';
import { Tiphys } from '../kit/tiphys.ts';
import { kubeconfigFor, ownUser } from '../kit/user.ts';
import { configMap } from '../kit/workloads.ts';

const PLANTED = 'pl4nt3d-s3cr3t';
const withPassword = (url: string) => url.replace('://', `://deployer:${PLANTED}@`);

/** Everything that the platform left in the cluster, as text. */
async function kept({ stack, name }: Scratch): Promise<string> {
  const argocd = ['--namespace=argocd', 'get', '--output=json'];
  const lease = await stack.run('kubectl', ...argocd, 'lease', `tiphys-${name}`);
  const project = await stack.run('kubectl', ...argocd, 'appproject', name);
  const selector = `tiphys.dev/platform=${name}`;
  const maps = await stack.run('kubectl', ...argocd, 'configmap', '--selector', selector);
  const chunks: string[] = JSON.parse(maps).items.flatMap(
    ({ binaryData = {} }: { binaryData?: Record<string, string> }) => Object.values(binaryData),
  );
  expect(chunks.length).toBeGreaterThan(0);
  const events = chunks.map((chunk) => gunzipSync(Buffer.from(chunk, 'base64')).toString());
  return [lease, project, maps, ...events].join('\n');
}

function expectWithout(text: string, ...secrets: string[]): void {
  for (const secret of secrets) {
    for (const form of [secret, encodeURIComponent(secret), btoa(secret).replace(/=+$/, '')]) {
      const at = text.indexOf(form);
      expect(at < 0 ? '' : text.slice(Math.max(0, at - 200), at + form.length + 50)).toBe('');
    }
  }
}

/** A file that goes with the scratch repository. */
async function file(scratch: Scratch, name: string, text: string, mode = 0o600): Promise<string> {
  const path = join(scratch.repository.directory, '.git', name);
  await writeFile(path, text, { mode });
  return path;
}

/** One Application for each way in which Argo CD speaks of a URL with a password; nothing but `old` and `new` works. */
async function talkative(scratch: Scratch): Promise<string[]> {
  const { repository } = scratch;
  const local = withPassword(repository.url.replace('file://', 'file://localhost'));
  const before = await repository.commit({
    'a/map.yaml': configMap('a', {}),
    'bad/map.yaml': {
      ...configMap('bad', {}),
      metadata: { name: 'bad', labels: { from: withPassword('https://git.invalid/x') } },
    },
  });
  await repository.commit({ 'b/map.yaml': configMap('b', {}) });
  const sourceRepos = ['*', '!https://**forbidden**'];
  await merge(scratch, 'appproject', scratch.name, { sourceRepos });
  const sources = {
    old: { repoURL: local, path: 'a', targetRevision: before },
    new: { repoURL: local, path: 'b', targetRevision: 'main' },
    bad: { repoURL: local, path: 'bad', targetRevision: 'main' },
    unreachable: { repoURL: withPassword('https://127.0.0.1:1/x.git'), path: 'a' },
    forbidden: { repoURL: withPassword('https://forbidden.invalid/x.git'), path: 'a' },
  };
  for (const [suffix, source] of Object.entries(sources)) {
    const annotations = { 'example.com/password': PLANTED };
    const name = await scratch.application(suffix, { path: 'a', annotations });
    await merge(scratch, 'applications.argoproj.io', name, { source });
  }
  return Object.keys(sources).map((suffix) => `${scratch.name}-${suffix}`);
}

async function merge({ stack }: Scratch, kind: string, name: string, spec: object): Promise<void> {
  const patch = ['--type=merge', '--patch', JSON.stringify({ spec })];
  await stack.run('kubectl', '--namespace=argocd', 'patch', kind, name, ...patch);
}

test('passwords in the URLs of Git repositories and in what Argo CD says of them', async ({
  stack,
  scratch,
}) => {
  const names = await talkative(scratch);
  const tiphys = new Tiphys(scratch);
  const timeouts = { sync: '8s', health: '8s' };
  const isBad = (name: string) => /-(bad|forbidden|unreachable)$/.test(name);
  const applications = names.map((name) => ({ name, ...(isBad(name) ? { timeouts } : {}) }));
  await tiphys.platform({ ...QUICK, stacks: [{ name: 's', applications }] });
  // Argo CD itself does say it: without that, this test would prove nothing.
  const forbidden = `${scratch.name}-forbidden`;
  await stack.reminded(forbidden, 'Argo CD speaks of the password', async () => {
    const { status } = await stack.argocd.application(forbidden);
    return JSON.stringify(status?.conditions ?? []).includes(PLANTED);
  });
  const run = await tiphys.deploy();
  expect(run.outcomes).toMatchObject({
    [`app:${scratch.name}-old`]: 'healthy',
    [`app:${scratch.name}-new`]: 'healthy',
    [`app:${scratch.name}-bad`]: 'failed',
    [`app:${scratch.name}-forbidden`]: 'failed',
  });
  expect(run.report.warnings.join()).toContain('2 revisions');
  expectWithout(run.stdout + run.stderr, PLANTED);
  const id = run.report.run;
  const commands = [
    ['deploy', '--dry-run', '-o', 'json'],
    ['validate'],
    ['validate', '-o', 'json'],
    ['status', '-o', 'json'],
    ['explain', 'stack:s'],
    ...['bad', 'forbidden'].map((suffix) => ['explain', `${scratch.name}-${suffix}`, '-o', 'json']),
    ['runs', id],
    ['runs', id, '-o', 'json'],
  ];
  const ended = await Promise.all(commands.map((args) => tiphys.run(...args)));
  for (const { stdout, stderr } of [...ended, await tiphys.run('deploy')]) {
    expect(stdout, stderr).not.toBe('');
    expectWithout(stdout + stderr, PLANTED);
  }
  expectWithout(await kept(scratch), PLANTED);
});

describe('credentials', () => {
  test('that work: token file, Secret, token of a kubeconfig, exec plugin', async ({
    stack,
    scratch,
  }) => {
    await scratch.repository.commit({ 'a/map.yaml': configMap('a', {}) });
    const name = await scratch.application('a', { path: 'a' });
    const { token, kubeconfig } = await ownUser(scratch);
    const argocd = (await readFile(tokenFile(stack.config), 'utf8')).trim();
    await scratch.apply({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'tiphys-argocd-token', namespace: 'argocd' },
      stringData: { token: argocd },
    } as never);
    const credential = JSON.stringify({
      apiVersion: 'client.authentication.k8s.io/v1',
      kind: 'ExecCredential',
      status: { token },
    });
    const exec = {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: 'sh',
      args: ['-c', `echo '${credential}'`],
      interactiveMode: 'Never',
    };
    const plugin = await kubeconfigFor(scratch, 'exec', { exec });
    const tiphys = new Tiphys(scratch, { ARGOCD_TOKEN_FILE: undefined, KUBECONFIG: plugin });
    await tiphys.platform({ ...QUICK, stacks: [{ name: 's', applications: [{ name }] }] });
    const all = [
      await tiphys.deploy(),
      await tiphys.start(['deploy'], { KUBECONFIG: kubeconfig }).ended,
      await tiphys.start(['deploy'], { ARGOCD_TOKEN_FILE: tokenFile(stack.config) }).ended,
    ];
    expect(all.map(({ status }) => status)).toEqual([0, 0, 0]);
    const text = all.map(({ stdout, stderr }) => stdout + stderr).join('\n');
    const signature = (jwt: string) => jwt.split('.')[2] ?? '';
    expectWithout(text + (await kept(scratch)), signature(token), signature(argocd));
  });

  test('that do not work, or cannot even be read', async ({ scratch }) => {
    const tiphys = new Tiphys(scratch);
    await tiphys.platform({ ...QUICK, stacks: [] });
    const exec = (script: string) => ({
      exec: {
        apiVersion: 'client.authentication.k8s.io/v1',
        command: 'sh',
        args: ['-c', script],
        interactiveMode: 'Never',
      },
    });
    const kubeconfigs = {
      token: await kubeconfigFor(scratch, '1', { token: PLANTED }),
      lines: await kubeconfigFor(scratch, '2', { token: `${PLANTED}\n${PLANTED}` }),
      password: await kubeconfigFor(scratch, '3', { username: 'u', password: PLANTED }),
      garbage: await kubeconfigFor(scratch, '4', exec(`echo 'token: ${PLANTED}'`)),
      fails: await kubeconfigFor(scratch, '5', exec(`echo '{"token":"${PLANTED}"}'; exit 1`)),
      server: await kubeconfigFor(
        scratch,
        '6',
        {},
        { server: withPassword('https://127.0.0.1:1') },
      ),
      broken: await file(scratch, '7', `users: [{user: {token: ${PLANTED}: [}}]\n`),
    };
    const runs = Object.values(kubeconfigs).map((KUBECONFIG) => ({ KUBECONFIG, args: [] }));
    const tokens = [PLANTED, `a.${PLANTED}.b`, `${PLANTED}\n${PLANTED}`, `${PLANTED}\u00e4`];
    const more = await Promise.all(
      tokens.map(async (text, at) => ({
        ARGOCD_TOKEN_FILE: await file(scratch, `token-${at}`, text),
        args: [],
      })),
    );
    const server = { args: ['--argocd-server', withPassword('http://127.0.0.1:1')] };
    const ended = await Promise.all(
      [...runs, ...more, server].map(
        ({ args, ...env }) => tiphys.start(['validate', ...args], env).ended,
      ),
    );
    for (const { status, stdout, stderr } of ended) {
      expect(status, stderr).not.toBe(0);
      expect(stderr).toContain('error[');
      expect(stderr).not.toContain('error[bug]');
      expectWithout(stdout + stderr, PLANTED);
    }
  });
});
