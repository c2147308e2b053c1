// A Kubernetes user of a test's own: what the audit log has of it was sent by this test's Tiphys and by nobody else.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { KubernetesObject } from '@kubernetes/client-node';
import type { Scratch } from './scratch.ts';

export interface User {
  /** As the audit log calls it. */
  readonly name: string;
  readonly token: string;
  readonly kubeconfig: string;
}

/** It may do everything. The kubeconfig lies in the scratch repository's folder and goes with it. */
export async function ownUser(scratch: Scratch): Promise<User> {
  const { namespace, stack } = scratch;
  const metadata = { name: 'tiphys', namespace };
  const account: KubernetesObject = { apiVersion: 'v1', kind: 'ServiceAccount', metadata };
  await stack.apply(account);
  const rbac = 'rbac.authorization.k8s.io';
  const binding = {
    apiVersion: `${rbac}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name: namespace },
    roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ kind: 'ServiceAccount', ...metadata }],
  };
  await stack.apply(binding);
  scratch.afterwards(() => stack.remove(binding));
  const asked = await stack.run('kubectl', '-n', namespace, 'create', 'token', 'tiphys');
  const token = asked.trim();
  const kubeconfig = await kubeconfigFor(scratch, 'own', { token });
  return { name: `system:serviceaccount:${namespace}:tiphys`, token, kubeconfig };
}

/** The stack's cluster with these credentials; `cluster` replaces what is said of the cluster. */
export async function kubeconfigFor(
  scratch: Scratch,
  name: string,
  user: object,
  cluster: object = {},
): Promise<string> {
  const view = ['config', 'view', '--raw', '--flatten', '--output=json'];
  const config = JSON.parse(await scratch.stack.run('kubectl', ...view));
  config.users = config.users.map((one: object) => ({ ...one, user }));
  config.clusters = config.clusters.map((one: { cluster: object }) => ({
    ...one,
    cluster: { ...one.cluster, ...cluster },
  }));
  const file = join(scratch.repository.directory, '.git', `${name}.kubeconfig`);
  await writeFile(file, JSON.stringify(config), { mode: 0o600 });
  return file;
}
