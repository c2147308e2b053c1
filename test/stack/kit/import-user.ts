// A user who has the rights that docs/import.md asks for, and no others.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { KubernetesObject } from '@kubernetes/client-node';
import { loadAll } from 'js-yaml';
import { accountToken } from './account.ts';
import type { Scratch } from './scratch.ts';
import { kubeconfigFor } from './user.ts';

interface Rule {
  readonly resources: readonly string[];
}

type Role = KubernetesObject & { readonly rules: readonly Rule[] };

export interface ImportUser {
  /** As the audit log calls it. */
  readonly name: string;
  /** For the command. */
  readonly env: NodeJS.ProcessEnv;
  /** From now on without the right to these resources; with none, all rights are back. */
  readonly without: (...resources: readonly string[]) => Promise<void>;
  /** An account of Argo CD that may do nothing, in place of the own one. */
  readonly powerless: () => Promise<NodeJS.ProcessEnv>;
}

const RBAC = 'rbac.authorization.k8s.io';

export async function importUser(scratch: Scratch): Promise<ImportUser> {
  const { stack, namespace, repository } = scratch;
  const subject = { kind: 'ServiceAccount', name: 'import', namespace };
  const metadata = { name: subject.name, namespace };
  await stack.apply({ apiVersion: 'v1', kind: 'ServiceAccount', metadata });
  const roles = (await documentedRoles()).map((role) => ({
    ...role,
    metadata: { ...role.metadata, name: `${namespace}-import` },
  }));
  for (const role of roles) {
    const { kind, metadata: place } = role;
    const roleRef = { apiGroup: RBAC, kind, name: place.name };
    const binding = { apiVersion: `${RBAC}/v1`, kind: `${kind}Binding`, metadata: place };
    await stack.apply({ ...binding, roleRef, subjects: [subject] } as KubernetesObject);
    scratch.afterwards(async () => {
      await stack.remove(binding);
      await stack.remove(role);
    });
  }
  const without = async (...resources: readonly string[]) => {
    for (const { rules, ...role } of roles) {
      const left = rules.map((rule) => ({
        ...rule,
        resources: rule.resources.filter((one) => !resources.includes(one)),
      }));
      const some = left.filter((rule) => rule.resources.length > 0);
      await stack.apply({ ...role, rules: some } as KubernetesObject);
    }
  };
  await without();
  const token = (await stack.run('kubectl', '-n', namespace, 'create', 'token', 'import')).trim();
  const envOf = async (name: string, rights: readonly string[]) => {
    const file = join(repository.directory, '.git', `${name}.token`);
    await writeFile(file, await accountToken(scratch, rights, name), { mode: 0o600 });
    return { ARGOCD_TOKEN_FILE: file };
  };
  const kubernetes = { KUBECONFIG: await kubeconfigFor(scratch, 'import', { token }) };
  return {
    name: `system:serviceaccount:${namespace}:import`,
    env: { ...kubernetes, ...(await envOf(`${namespace}-import`, ['applications, get, */*'])) },
    without,
    powerless: async () => ({ ...kubernetes, ...(await envOf(`${namespace}-none`, [])) }),
  };
}

/** The YAML below "Rights". */
async function documentedRoles(): Promise<Role[]> {
  const text = await readFile('docs/import.md', 'utf8');
  const [, block = ''] = /## Rights[\s\S]*?```yaml\n([\s\S]*?)```/.exec(text) ?? [];
  const roles = loadAll(block) as Role[];
  if (roles.length === 0) throw new Error('docs/import.md names no rights');
  return roles;
}
