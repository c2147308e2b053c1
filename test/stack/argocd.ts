// Argo CD: its objects from the manifests of its own version, its processes, its API server as a pod, and tokens.

import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { moduleDirectory } from './build.ts';
import { ARGOCD_SERVER, type Config, tokenFile } from './config.ts';
import {
  applyArguments,
  applyDefinitions,
  applyManifest,
  kubectl,
  makeNamespace,
  rolledOut,
} from './kubectl.ts';
import { answers } from './probe.ts';
import { start, untilReady } from './processes.ts';
import * as programs from './programs/argo.ts';
import { progress } from './progress.ts';
import { waitFor } from './run.ts';

export const ACCOUNTS = ['tiphys', 'reader'] as const;
export type Account = (typeof ACCOUNTS)[number];

const manifests = (config: Config) => join(moduleDirectory(config, 'argo-cd'), 'manifests');

export async function argocdObjects(config: Config): Promise<void> {
  const files = manifests(config);
  await makeNamespace(config, 'argocd');
  await applyDefinitions(config, join(files, 'crds'));
  await kubectl(config, [...applyArguments, '-n', 'argocd', '-k', join(files, 'base', 'config')]);
  await applyManifest(config, 'argocd-config.yaml');
  const server = ['sa', 'role', 'rolebinding'].map(
    (kind) => `base/server/argocd-server-${kind}.yaml`,
  );
  const rights = ['clusterrole', 'clusterrolebinding'].map(
    (kind) => `cluster-rbac/server/argocd-server-${kind}.yaml`,
  );
  const all = [...server, ...rights].flatMap((file) => ['-f', join(files, file)]);
  await kubectl(config, [...applyArguments, '-n', 'argocd', ...all]);
  await applyManifest(config, 'argocd-server.yaml');
}

export async function startArgocd(config: Config): Promise<void> {
  const all = [
    programs.redis(config),
    programs.repoServer(config),
    programs.applicationController(config),
    programs.applicationSetController(config),
  ];
  for (const program of all) await start(config, program);
  await untilReady(config, all);
}

/** The Deployment is ready, and kube-proxy has followed, which takes it a second. */
export async function argocdAnswers(config: Config): Promise<void> {
  await rolledOut(config, 'argocd', 'argocd-server');
  await waitFor(`argocd-server to answer at ${ARGOCD_SERVER}`, () =>
    answers(`http://${ARGOCD_SERVER}/healthz`),
  );
  progress('Argo CD answers');
}

/** A token for each account, as a file that only root may read. */
export async function makeTokens(config: Config): Promise<void> {
  const wanted = ACCOUNTS.filter((account) => !existsSync(tokenFile(config, account)));
  if (wanted.length === 0) return;
  const admin = await adminToken(config);
  await mkdir(dirname(tokenFile(config)), { recursive: true, mode: 0o700 });
  for (const account of wanted) {
    const token = await waitFor(`account '${account}'`, () =>
      post(`account/${account}/token`, { name: account }, admin),
    );
    await writeFile(tokenFile(config, account), token, { mode: 0o600 });
  }
}

async function adminToken(config: Config): Promise<string> {
  const password = await waitFor("the administrator's password", async () => {
    const args = ['get', 'secret', 'argocd-initial-admin-secret', '--output=json'];
    const text = await kubectl(config, ['--namespace=argocd', ...args]).catch(() => undefined);
    return text && Buffer.from(JSON.parse(text).data.password, 'base64').toString();
  });
  return waitFor('a session of the administrator', () =>
    post('session', { username: 'admin', password }),
  );
}

/** The token in the answer; undefined while Argo CD has not read its configuration yet. */
async function post(path: string, body: unknown, token?: string): Promise<string | undefined> {
  const response = await fetch(`http://${ARGOCD_SERVER}/api/v1/${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as { token?: string };
  return response.ok ? answer.token : undefined;
}

/** Takes argocd-server away until it is brought back, as a crash that the kubelet does not cure. */
export async function killServer(config: Config): Promise<void> {
  const inArgocd = (...args: string[]) => kubectl(config, ['--namespace=argocd', ...args]);
  await inArgocd('scale', 'deployment/argocd-server', '--replicas=0');
  const label = 'app.kubernetes.io/name=argocd-server';
  await inArgocd(
    'delete',
    'pod',
    '--selector',
    label,
    '--force',
    '--grace-period=0',
    '--wait=true',
  );
}

export async function restartServer(config: Config): Promise<void> {
  await killServer(config);
  await kubectl(config, [
    '--namespace=argocd',
    ...['scale', 'deployment/argocd-server', '--replicas=1'],
  ]);
  await argocdAnswers(config);
}
