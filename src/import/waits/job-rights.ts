// What the ServiceAccount of a Job may do, as far as its Application's own manifests tell. A Job that may change something is never
// called a mere wait: its rights were given for a reason.

import { fieldsOf, listOf } from '../facts/object.ts';
import type { KubernetesObject } from '../material.ts';
import { textOf } from './containers.ts';

/** none: nothing is bound. unknown: something is bound that the manifests do not show. */
export type Rights = 'none' | 'read-only' | 'changes' | 'unknown';

const READ_VERBS = new Set(['get', 'list', 'watch']);
/** Requests that Kubernetes calls create and that change nothing. */
const REVIEWS = /^(?:selfsubject|subject|localsubject|token)\w*reviews$/;

export function rightsOf(
  account: { readonly name: string; readonly namespace: string },
  objects: readonly KubernetesObject[],
): Rights {
  const bindings = objects.filter((object) => binds(object, account));
  if (bindings.length === 0) return 'none';
  const rights = bindings.map((binding) => boundRights(binding, objects));
  if (rights.includes('changes')) return 'changes';
  return rights.includes('unknown') ? 'unknown' : 'read-only';
}

function binds(object: KubernetesObject, account: { name: string; namespace: string }): boolean {
  if (object.kind !== 'RoleBinding' && object.kind !== 'ClusterRoleBinding') return false;
  const own = textOf(fieldsOf(object.metadata).namespace) || account.namespace;
  return listOf(object.subjects)
    .map(fieldsOf)
    .some(
      ({ kind, name, namespace }) =>
        kind === 'ServiceAccount' &&
        name === account.name &&
        (textOf(namespace) || own) === account.namespace,
    );
}

function boundRights(binding: KubernetesObject, objects: readonly KubernetesObject[]): Rights {
  const { kind, name } = fieldsOf(binding.roleRef);
  if (kind === 'ClusterRole' && name === 'view') return 'read-only';
  if (kind === 'ClusterRole' && ['cluster-admin', 'admin', 'edit'].includes(textOf(name)))
    return 'changes';
  const role = objects.find(
    (object) => object.kind === kind && fieldsOf(object.metadata).name === name,
  );
  if (!role) return 'unknown';
  return listOf(role.rules).every(reads) ? 'read-only' : 'changes';
}

function reads(rule: unknown): boolean {
  const { verbs, resources } = fieldsOf(rule);
  const reviews =
    listOf(resources).length > 0 && listOf(resources).every((one) => REVIEWS.test(textOf(one)));
  return reviews || listOf(verbs).every((verb) => READ_VERBS.has(textOf(verb)));
}
