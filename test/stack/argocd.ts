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
import { answers, refuses } from './probe.ts';
import { start, untilReady } from './processes.ts';
import * as programs from './programs/argo.ts';
import { progress } from './progress.ts';
import { waitFor } from './run.ts';

const ACCOUNTS = ['tiphys', 'reader'] as const;
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
  await scaleServer(config, 0);
  const pods = ['delete', 'pod', '--selector', 'app.kubernetes.io/name=argocd-server'];
  await kubectl(config, ['--namespace=argocd', ...pods, '--force', '--grace-period=0']);
  // kube-proxy follows a moment later; until then a connection would go to a pod that is no more.
  await waitFor('the Service of argocd-server to be closed', () =>
    refuses({ host: ARGOCD_SERVER, port: 80 }),
  );
}

export async function restartServer(config: Config): Promise<void> {
  await killServer(config);
  await scaleServer(config, 1);
  await argocdAnswers(config);
}

async function scaleServer(config: Config, replicas: number): Promise<void> {
  const scale = ['scale', 'deployment/argocd-server', `--replicas=${replicas}`];
  await kubectl(config, ['--namespace=argocd', ...scale]);
}
