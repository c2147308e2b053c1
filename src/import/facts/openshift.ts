// What every OpenShift has before anything is deployed: its own namespaces, and the kinds of the API groups it owns. What its
// operators make later (openshift-gitops, openshift-logging, ...) is not among it.

/** With and without -operator at the end. */
const PARTS = [
  ...['apiserver', 'authentication', 'cloud-controller-manager', 'cloud-credential'],
  ...['cloud-network-config-controller', 'cluster-csi-drivers', 'cluster-machine-approver'],
  ...['cluster-node-tuning', 'cluster-samples', 'cluster-storage', 'cluster-version', 'config'],
  ...['config-managed', 'console', 'console-user-settings', 'controller-manager', 'dns', 'etcd'],
  ...['host-network', 'image-registry', 'infra', 'ingress', 'ingress-canary', 'insights'],
  ...['kube-apiserver', 'kube-controller-manager', 'kube-scheduler'],
  ...['kube-storage-version-migrator', 'machine-api', 'machine-config', 'marketplace'],
  ...['monitoring', 'multus', 'network', 'network-diagnostics', 'network-node-identity', 'node'],
  ...['oauth-apiserver', 'operator-lifecycle-manager', 'operators', 'ovn-kubernetes'],
  ...['route-controller-manager', 'sdn', 'service-ca', 'user-workload-monitoring'],
];
const NAMESPACES: ReadonlySet<string> = new Set([
  'openshift',
  ...PARTS.flatMap((part) => [`openshift-${part}`, `openshift-${part}-operator`]),
]);

const GROUPS: ReadonlySet<string> = new Set(
  [
    ...['apps', 'authorization', 'autoscaling', 'build', 'cloudcredential', 'config', 'console'],
    ...['helm', 'image', 'imageregistry', 'ingress.operator', 'insights', 'machine'],
    ...['machineconfiguration', 'network', 'network.operator', 'oauth', 'operator', 'project'],
    ...['quota', 'route', 'samples.operator', 'security', 'security.internal', 'template'],
    ...['tuned', 'user'],
  ].map((part) => `${part}.openshift.io`),
);

export const isOpenShiftNamespace = (namespace: string): boolean => NAMESPACES.has(namespace);

export const isOpenShiftGroup = (group: string): boolean => GROUPS.has(group);
