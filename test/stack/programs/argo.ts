// Argo CD and Argo Workflows, each program with its command line and the question whether it is ready. argocd-server is
// not here: it runs as a pod, because the API server's service proxy forwards to pods only.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, kubeconfigFile, NODE } from '../config.ts';
import { answers, listens } from '../probe.ts';
import type { Program } from '../processes.ts';
import { built, option } from './command.ts';

export function redis(config: Config): Program {
  return {
    name: 'redis',
    command: [
      'redis-server',
      ...['--bind', NODE, '--port', '6379', '--protected-mode', 'no'],
      ...['--save', '', '--appendonly', 'no', '--dir', config.state],
    ],
    isReady: () => listens({ host: NODE, port: 6379 }),
  };
}

/** One program, told by its environment which part of Argo CD it is. */
function argocd(config: Config, name: string, args: string[], env: Record<string, string> = {}) {
  const place = (directory: string) => {
    const path = join(config.state, 'argocd', directory);
    mkdirSync(path, { recursive: true });
    return path;
  };
  return {
    name,
    command: [built(config, 'argocd'), ...args] as const,
    env: {
      ARGOCD_BINARY_NAME: name,
      ARGOCD_FAKE_IN_CLUSTER: 'true', // The destination 'in-cluster' is what KUBECONFIG says.
      ARGOCD_GPG_ENABLED: 'false',
      ARGOCD_GNUPGHOME: place('gpg/keys'),
      ARGOCD_GPG_DATA_PATH: place('gpg/source'),
      ARGOCD_TLS_DATA_PATH: place('tls'),
      ARGOCD_SSH_DATA_PATH: place('ssh'),
      ARGOCD_ASK_PASS_SOCK: join(place('.'), 'ask-pass.sock'),
      ARGOCD_PLUGINSOCKFILEPATH: place('plugins'),
      KUBECONFIG: kubeconfigFile(config, name),
      ...env,
    },
  };
}

export function repoServer(config: Config): Program {
  return {
    ...argocd(config, 'argocd-repo-server', [
      option('address', NODE),
      option('port', '8081'),
      option('metrics-address', NODE),
      option('metrics-port', '8084'),
      option('redis', `${NODE}:6379`),
    ]),
    isReady: () => answers(`http://${NODE}:8084/healthz`),
  };
}

export function applicationController(config: Config): Program {
  const fast = config.argocd === 'fast';
  return {
    ...argocd(
      config,
      'argocd-application-controller',
      [
        option('namespace', 'argocd'),
        option('redis', `${NODE}:6379`),
        option('repo-server', `${NODE}:8081`),
        option('metrics-port', '8082'),
        ...(fast ? [option('app-resync', '10'), option('app-resync-jitter', '0')] : []),
      ],
      fast ? { ARGOCD_SYNC_WAVE_DELAY: '0' } : {},
    ),
    isReady: () => answers(`http://${NODE}:8082/healthz`),
  };
}

export function applicationSetController(config: Config): Program {
  return {
    ...argocd(config, 'argocd-applicationset-controller', [
      option('namespace', 'argocd'),
      option('argocd-repo-server', `${NODE}:8081`),
      option('metrics-addr', `${NODE}:12345`),
      option('probe-addr', `${NODE}:12346`),
      option('webhook-addr', `${NODE}:7001`),
    ]),
    isReady: () => answers(`http://${NODE}:12345/metrics`),
  };
}

export function workflowController(config: Config): Program {
  return {
    name: 'workflow-controller',
    command: [
      built(config, 'workflow-controller'),
      option('kubeconfig', kubeconfigFile(config, 'workflow-controller')),
      option('namespace', 'argo'),
      option('executor-image', 'localhost/argoexec:1'),
      option('executor-image-pull-policy', 'Never'),
    ],
    env: {
      LEADER_ELECTION_DISABLE: 'true',
      // As docs/workflows.md asks for: a node waits for the controller to look again.
      DEFAULT_REQUEUE_TIME: '1s',
    },
    isReady: () => answers(`http://${NODE}:6060/healthz`),
  };
}
