// The Kustomize patch that removes a Job, a hook or an init container.
import { dump } from 'js-yaml';
import { fieldsOf } from '../import/facts/object.ts';
import type { KubernetesObject } from '../import/material.ts';
import { textOf } from '../import/waits/containers.ts';
import type { Wait } from '../import/waits/wait.ts';

export function removalPatch(
  { object, shape }: Pick<Wait, 'object' | 'shape'>,
  objects: readonly KubernetesObject[],
): string | null {
  const [kind = '', name = '', container] = object.split('/');
  const found = objects.find(
    (one) => one.kind === kind && textOf(fieldsOf(one.metadata).name) === name,
  );
  if (!found) return null;
  const namespace = textOf(fieldsOf(found.metadata).namespace);
  const subject = {
    apiVersion: found.apiVersion,
    kind,
    metadata: { name, ...(namespace !== '' && { namespace }) },
  };
  if (shape !== 'init-container') return dump({ $patch: 'delete', ...subject });
  const pod = { initContainers: [{ $patch: 'delete', name: container }] };
  const inTemplate = { template: { spec: pod } };
  if (kind === 'Pod') return dump({ ...subject, spec: pod });
  if (kind === 'CronJob') return dump({ ...subject, spec: { jobTemplate: { spec: inTemplate } } });
  return dump({ ...subject, spec: inTemplate });
}
