// The configuration files of the cluster's programs.

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Config, containerdSocket, kubeconfigFile, NODE, podGroup } from './config.ts';
import { BRIDGE } from './machine.ts';
import { pkiFile } from './pki.ts';

export const PAUSE_IMAGE = 'localhost/standin:1';
export const settingsFile = ({ state }: Config, name: string) => join(state, 'config', name);

export async function writeSettings(config: Config): Promise<void> {
  const write = async (name: string, text: string) => {
    await mkdir(dirname(settingsFile(config, name)), { recursive: true });
    // kube-proxy ends when its file is written, even with the same text.
    const before = await readFile(settingsFile(config, name), 'utf8').catch(() => undefined);
    if (text !== before) await writeFile(settingsFile(config, name), text);
  };
  // Kubernetes reads YAML, and JSON is YAML.
  await write('kubelet.json', JSON.stringify(kubelet(config)));
  await write('kube-proxy.json', JSON.stringify(kubeProxy(config)));
  await write('audit.json', JSON.stringify(auditPolicy));
  await write('cni/10-pods.conflist', JSON.stringify(podNetwork(config)));
  await write('containerd.toml', containerd(config));
}

const kubelet = (config: Config) => ({
  apiVersion: 'kubelet.config.k8s.io/v1beta1',
  kind: 'KubeletConfiguration',
  authentication: {
    anonymous: { enabled: false },
    x509: { clientCAFile: pkiFile(config, 'ca.crt') },
    webhook: { enabled: true },
  },
  authorization: { mode: 'Webhook' },
  address: NODE,
  healthzBindAddress: NODE,
  tlsCertFile: pkiFile(config, 'kubelet.crt'),
  tlsPrivateKeyFile: pkiFile(config, 'kubelet.key'),
  containerRuntimeEndpoint: `unix://${containerdSocket(config)}`,
  cgroupDriver: 'cgroupfs',
  cgroupRoot: `/${podGroup(config)}`,
  failCgroupV1: false,
  failSwapOn: false,
  podLogsDir: join(config.state, 'log', 'pods'),
  volumePluginDir: join(config.state, 'volume-plugins'),
  evictionHard: { 'nodefs.available': '1%', 'imagefs.available': '1%' },
  // There is no registry to pull from again what is removed because the machine's disk is full.
  imageGCHighThresholdPercent: 100,
  imageGCLowThresholdPercent: 99,
  clusterDNS: ['10.96.0.10'],
  clusterDomain: 'cluster.local',
  maxPods: 250,
});

const kubeProxy = (config: Config) => ({
  apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
  kind: 'KubeProxyConfiguration',
  mode: 'iptables',
  clusterCIDR: '10.244.0.0/24',
  clientConnection: { kubeconfig: kubeconfigFile(config, 'kube-proxy') },
  hostnameOverride: 'node1',
  // Pods share one bridge: without it an answer would bypass the translation.
  iptables: { masqueradeAll: true, minSyncPeriod: '0.1s' },
  conntrack: { maxPerCore: 0, min: 0, tcpEstablishedTimeout: '0s', tcpCloseWaitTimeout: '0s' },
  metricsBindAddress: `${NODE}:10249`,
  healthzBindAddress: `${NODE}:10256`,
});

const WRITES = ['create', 'update', 'patch', 'delete', 'deletecollection'];

/** Every write is logged; with what was written where tests ask what it was. */
const auditPolicy = {
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  omitStages: ['RequestReceived'],
  rules: [
    {
      level: 'RequestResponse',
      verbs: WRITES,
      resources: [
        {
          group: 'argoproj.io',
          resources: ['applications', 'applications/*', 'appprojects', 'applicationsets'],
        },
        { group: 'coordination.k8s.io', resources: ['leases'] },
      ],
    },
    { level: 'Metadata', verbs: WRITES },
    { level: 'None' },
  ],
};

const podNetwork = (config: Config) => ({
  cniVersion: '0.4.0',
  name: 'tiphys-stack',
  plugins: [
    {
      type: 'bridge',
      bridge: BRIDGE,
      isGateway: true,
      ipMasq: false,
      ipam: {
        type: 'host-local',
        dataDir: join(config.state, 'addresses'),
        ranges: [[{ subnet: '10.244.0.0/24' }]],
        routes: [{ dst: '0.0.0.0/0' }],
      },
    },
  ],
});

const containerd = (config: Config) => `version = 2
root = "${join(config.state, 'containerd', 'root')}"
state = "${join(config.state, 'containerd', 'state')}"
[grpc]
  address = "${containerdSocket(config)}"
[plugins."io.containerd.internal.v1.opt"]
  path = "${join(config.state, 'containerd', 'opt')}"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "${PAUSE_IMAGE}"
  restrict_oom_score_adj = true
  netns_mounts_under_state_dir = true
  [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
    runtime_type = "io.containerd.runc.v2"
    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
      SystemdCgroup = false
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "${settingsFile(config, 'cni')}"
`;
