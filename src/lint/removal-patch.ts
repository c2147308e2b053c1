// Kustomize patches that remove a Job, a hook, an init container, or a sync wave: each an entry of `patches:` with its target.
// None for what no Kubernetes object is called: the name of a target is a regular expression, and could select more than is meant.
import { dump } from 'js-yaml';
import { fieldsOf } from '../import/facts/object.ts';
import type { KubernetesObject } from '../import/material.ts';
import { groupOf } from '../import/sort-material.ts';
import { SYNC_WAVE } from '../import/sync-wave.ts';
import { textOf } from '../import/waits/containers.ts';
import type { Wait } from '../import/waits/wait.ts';
import { APPLICATION_NAME } from '../model/names.ts';

export function removalPatch(
  { object, shape }: Pick<Wait, 'object' | 'shape'>,
  objects: readonly KubernetesObject[],
): string | null {
  const [kind = '', name = '', container] = object.split('/');
  const found = objects.find(
    (one) => one.kind === kind && textOf(fieldsOf(one.metadata).name) === name,
  );
  if (!found || !isObjectName(name)) return null;
  const apiVersion = found.apiVersion ?? '';
  const remove = (directive: object, spec: object = {}) =>
    entry(
      { apiVersion, kind, name },
      { ...directive, apiVersion, kind, metadata: { name }, ...spec },
    );
  if (shape !== 'init-container') return remove({ $patch: 'delete' });
  const pod = { initContainers: [{ $patch: 'delete', name: container }] };
  const inTemplate = { template: { spec: pod } };
  if (kind === 'Pod') return remove({}, { spec: pod });
  if (kind === 'CronJob') return remove({}, { spec: { jobTemplate: { spec: inTemplate } } });
  return remove({}, { spec: inTemplate });
}

/**
 * For the kustomization that has the Application. As operations: merged with null, Kustomize gives the annotation the text "null".
 */
export function wavePatch(application: string): string | null {
  if (!isObjectName(application)) return null;
  const subject = { apiVersion: 'argoproj.io/v1alpha1', kind: 'Application', name: application };
  const path = `/metadata/annotations/${SYNC_WAVE.replaceAll('/', '~1')}`;
  return entry(subject, [{ op: 'remove', path }]);
}

/** Of a workload or an Application. In files, anything can stand there. */
const isObjectName = (name: string): boolean => APPLICATION_NAME.test(name);

interface Subject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
}

/**
 * By a target, not by the names in the patch: objects of a cluster have a namespace that their manifests mostly lack, and a patch that
 * names another namespace than the manifest, or what another kustomization has, makes Kustomize fail.
 * Of what a name may have, only the dot means something else there.
 */
function entry({ apiVersion, kind, name }: Subject, patch: object): string {
  const group = groupOf(apiVersion);
  const version = apiVersion.split('/').at(-1);
  const expression = name.replaceAll('.', String.raw`\.`);
  const target = { ...(group !== '' && { group }), version, kind, name: expression };
  return dump({ target, patch: dump(patch) });
}
