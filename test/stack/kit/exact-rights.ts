// A user of the cluster who may do what phase 0 asks for, and nothing else.
import { writeFile } from 'node:fs/promises';
import type { ClusterRight } from '../../../src/ports/target.ts';
import type { ClusterReader, PreflightContext } from '../../../src/preflight/preflight-context.ts';
import { rightPrerequisites } from '../../../src/preflight/rights.ts';
import type { Stack } from './stack.ts';

const RBAC = 'rbac.authorization.k8s.io';

/** By asking the rows themselves: what they ask the cluster is the list. */
async function askedRights(isAdvised: boolean): Promise<ClusterRight[]> {
  const asked: ClusterRight[] = [];
  const may = async (right: ClusterRight) => {
    asked.push(right);
    return true;
  };
  const version = async () => 'any';
  const cluster = async () => ({ may, version }) as unknown as ClusterReader;
  const world = { cluster } as unknown as PreflightContext;
  const rows = rightPrerequisites().filter(({ advised }) => isAdvised || !advised);
  for (const { judge } of rows) await judge(world);
  return asked;
}

const rule = ({ verb, group, resource, subresource }: ClusterRight) => ({
  apiGroups: [group],
  resources: [subresource === undefined ? resource : `${resource}/${subresource}`],
  verbs: [verb],
});

export interface ExactUser {
  /** The ServiceAccount. */
  readonly name: string;
  readonly namespace: string;
  /** With the rights that are advised, too. */
  readonly isAdvised: boolean;
}

/** The ServiceAccount, in a namespace that is made for it, and its kubeconfig, in this file. */
export async function exactUser(stack: Stack, user: ExactUser, file: string): Promise<void> {
  const { name, namespace, isAdvised } = user;
  const whole = `${namespace}-${name}`;
  const rules = (await askedRights(isAdvised)).map(rule);
  const account = { kind: 'ServiceAccount', name, namespace };
  await stack.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  await stack.apply({
    ...{ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } },
  });
  const role = { apiVersion: `${RBAC}/v1`, kind: 'ClusterRole', metadata: { name: whole }, rules };
  await stack.apply(role);
  const roleRef = { apiGroup: RBAC, kind: 'ClusterRole', name: whole };
  const binding = { apiVersion: `${RBAC}/v1`, kind: 'ClusterRoleBinding' };
  const bound = { ...binding, metadata: { name: whole }, roleRef, subjects: [account] };
  await stack.apply(bound);
  const asked = ['create', 'token', name, '--duration=2h'];
  const token = (await stack.run('kubectl', '-n', namespace, ...asked)).trim();
  const view = ['config', 'view', '--raw', '--flatten', '--output=json'];
  const config = JSON.parse(await stack.run('kubectl', ...view));
  config.users = config.users.map((one: object) => ({ ...one, user: { token } }));
  await writeFile(file, JSON.stringify(config), { mode: 0o600 });
}
