// Argo Workflows in a test's own namespace.

import type { KubernetesObject } from '@kubernetes/client-node';
import { waitFor } from '../run.ts';
import type { Scratch } from './scratch.ts';

export interface Workflow extends KubernetesObject {
  spec: Record<string, unknown>;
  status?: {
    phase?: string;
    message?: string;
    nodes?: Record<string, { displayName: string; type: string; phase: string }>;
  };
}

/** The ServiceAccount `workflow` of the scratch namespace, with the rights that steps need to report their result. */
export async function allowWorkflows(scratch: Scratch): Promise<void> {
  const metadata = { name: 'workflow' };
  const rbac = 'rbac.authorization.k8s.io';
  const rule = {
    apiGroups: ['argoproj.io'],
    resources: ['workflowtaskresults'],
    verbs: ['create', 'patch'],
  };
  const objects: (KubernetesObject & Record<string, unknown>)[] = [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata },
    { apiVersion: `${rbac}/v1`, kind: 'Role', metadata, rules: [rule] },
    {
      apiVersion: `${rbac}/v1`,
      kind: 'RoleBinding',
      metadata,
      roleRef: { apiGroup: rbac, kind: 'Role', name: 'workflow' },
      subjects: [{ kind: 'ServiceAccount', name: 'workflow', namespace: scratch.namespace }],
    },
  ];
  for (const object of objects) await scratch.apply(object);
}

/** The Workflow once it has ended, however it ended. */
export function workflowEnded(
  scratch: Scratch,
  name: string,
  timeoutMs = 240_000,
): Promise<Workflow> {
  const metadata = { name, namespace: scratch.namespace };
  const workflow = { apiVersion: 'argoproj.io/v1alpha1', kind: 'Workflow', metadata, spec: {} };
  return waitFor(
    `Workflow ${name} to end`,
    async () => {
      const now: Workflow | undefined = await scratch.stack.read(workflow);
      return ['Succeeded', 'Failed', 'Error'].includes(now?.status?.phase ?? '') && now;
    },
    { timeoutMs },
  );
}
