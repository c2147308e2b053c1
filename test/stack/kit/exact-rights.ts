// A user of the cluster who may do what phase 0 asks for, and nothing else.
import { writeFile } from 'node:fs/promises';
import { rightPrerequisites } from '../../../src/preflight/rights.ts';
import type { ClusterSight, Surroundings } from '../../../src/preflight/surroundings.ts';
import type { ClusterRight } from '../../../src/run/target.ts';
import type { Stack } from './stack.ts';

const RBAC = 'rbac.authorization.k8s.io';

/** By asking the rows themselves: what they ask the cluster is the list. */
async function askedRights(): Promise<ClusterRight[]> {
  const asked: ClusterRight[] = [];
  const may = async (right: ClusterRight) => {
    asked.push(right);
    return true;
  };
  const version = async () => 'any';
  const cluster = async () => ({ may, version }) as unknown as ClusterSight;
  const world = { cluster } as unknown as Surroundings;
  for (const { judge } of rightPrerequisites()) await judge(world);
  return asked;
}

const rule = ({ verb, group, resource, subresource }: ClusterRight) => ({
  apiGroups: [group],
  resources: [subresource === undefined ? resource : `${resource}/${subresource}`],
  verbs: [verb],
});

/** The ServiceAccount `tiphys` of a namespace that is made for it. Gives back its kubeconfig, in this file. */
export async function exactUser(stack: Stack, namespace: string, file: string): Promise<string> {
  const rules = (await askedRights()).map(rule);
  const account = { kind: 'ServiceAccount', name: 'tiphys', namespace };
  const { name } = account;
  await stack.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  await stack.apply({
    ...{ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } },
  });
  const role = {
    apiVersion: `${RBAC}/v1`,
    kind: 'ClusterRole',
    metadata: { name: namespace },
    rules,
  };
  await stack.apply(role);
  const roleRef = { apiGroup: RBAC, kind: 'ClusterRole', name: namespace };
  const binding = { apiVersion: `${RBAC}/v1`, kind: 'ClusterRoleBinding' };
  const bound = { ...binding, metadata: { name: namespace }, roleRef, subjects: [account] };
  await stack.apply(bound);
  const asked = ['create', 'token', name, '--duration=2h'];
  const token = (await stack.run('kubectl', '-n', namespace, ...asked)).trim();
  const view = ['config', 'view', '--raw', '--flatten', '--output=json'];
  const config = JSON.parse(await stack.run('kubectl', ...view));
  config.users = config.users.map((one: object) => ({ ...one, user: { token } }));
  await writeFile(file, JSON.stringify(config), { mode: 0o600 });
  return file;
}
