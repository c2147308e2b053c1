// Kubernetes and what it stands on, each program with its command line and the question whether it is ready.
// Addresses are those inside the stack's network; only 10.244.0.1 can be reached from outside it.

import { join } from 'node:path';
import { auditFile, type Config, containerdSocket, kubeconfigFile, NODE } from '../config.ts';
import { pkiFile } from '../pki.ts';
import { answers, listens } from '../probe.ts';
import type { Program } from '../processes.ts';
import { settingsFile } from '../settings.ts';
import { built, option } from './command.ts';

export function etcd(config: Config): Program {
  return {
    name: 'etcd',
    command: [
      built(config, 'etcd'),
      option('data-dir', join(config.state, 'etcd')),
      '--unsafe-no-fsync',
      option('listen-peer-urls', 'http://127.0.0.1:2380'),
      option('listen-client-urls', 'http://127.0.0.1:2379'),
      option('advertise-client-urls', 'http://127.0.0.1:2379'),
      option('listen-metrics-urls', `http://${NODE}:2381`),
      option('log-level', 'warn'),
    ],
    isReady: () => answers(`http://${NODE}:2381/health`),
  };
}

export function apiServer(config: Config): Program {
  return {
    name: 'api-server',
    command: [
      built(config, 'kube-apiserver'),
      option('etcd-servers', 'http://127.0.0.1:2379'),
      option('bind-address', NODE),
      option('advertise-address', NODE),
      option('secure-port', '6443'),
      option('service-cluster-ip-range', '10.96.0.0/16'),
      option('tls-cert-file', pkiFile(config, 'api-server.crt')),
      option('tls-private-key-file', pkiFile(config, 'api-server.key')),
      option('client-ca-file', pkiFile(config, 'ca.crt')),
      option('service-account-key-file', pkiFile(config, 'service-account.pub')),
      option('service-account-signing-key-file', pkiFile(config, 'service-account.key')),
      option('service-account-issuer', 'https://kubernetes.default.svc'),
      option('authorization-mode', 'Node,RBAC'),
      '--allow-privileged',
      option('kubelet-client-certificate', pkiFile(config, 'admin.crt')),
      option('kubelet-client-key', pkiFile(config, 'admin.key')),
      option('kubelet-preferred-address-types', 'InternalIP'),
      option('audit-policy-file', settingsFile(config, 'audit.json')),
      option('audit-log-path', auditFile(config)),
      option('audit-log-maxsize', '4096'), // One file: a test that reads from a mark on finds all of it.
    ],
    isReady: () => answers(`https://${NODE}:6443/readyz`),
  };
}

export function controllerManager(config: Config): Program {
  return {
    name: 'controller-manager',
    command: [
      built(config, 'kube-controller-manager'),
      option('kubeconfig', kubeconfigFile(config, 'controller-manager')),
      option('service-account-private-key-file', pkiFile(config, 'service-account.key')),
      option('root-ca-file', pkiFile(config, 'ca.crt')),
      option('flex-volume-plugin-dir', join(config.state, 'volume-plugins')),
      option('bind-address', NODE),
      '--use-service-account-credentials',
      option('leader-elect', 'false'),
    ],
    isReady: () => answers(`https://${NODE}:10257/healthz`),
  };
}

export function scheduler(config: Config): Program {
  return {
    name: 'scheduler',
    command: [
      built(config, 'kube-scheduler'),
      option('kubeconfig', kubeconfigFile(config, 'scheduler')),
      option('bind-address', NODE),
      option('leader-elect', 'false'),
    ],
    isReady: () => answers(`https://${NODE}:10259/healthz`),
  };
}

export function containerd(config: Config): Program {
  return {
    name: 'containerd',
    command: ['containerd', option('config', settingsFile(config, 'containerd.toml'))],
    isReady: () => listens({ path: containerdSocket(config) }),
  };
}

export function kubelet(config: Config): Program {
  return {
    name: 'kubelet',
    command: [
      built(config, 'kubelet'),
      option('config', settingsFile(config, 'kubelet.json')),
      option('kubeconfig', kubeconfigFile(config, 'kubelet')),
      option('hostname-override', 'node1'),
      option('node-ip', NODE),
      option('root-dir', join(config.state, 'kubelet')),
    ],
    isReady: () => answers(`http://${NODE}:10248/healthz`),
  };
}

export function kubeProxy(config: Config): Program {
  return {
    name: 'kube-proxy',
    command: [
      built(config, 'kube-proxy'),
      option('config', settingsFile(config, 'kube-proxy.json')),
    ],
    isReady: () => answers(`http://${NODE}:10256/healthz`),
  };
}
