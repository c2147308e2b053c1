// Objects of Kubernetes in files.

import { readObject } from '../../ports/read-object.ts';
import type { KubernetesObject, ListedResource } from '../material.ts';
import { groupOf } from '../sort-material.ts';
import { waveOf } from '../sync-wave.ts';
import { documentsIn, isFields, notYaml } from './documents.ts';
import type { FolderFiles } from './folder-files.ts';

/** Undefined where it is no YAML. */
export function objectsIn(text: string): readonly KubernetesObject[] | undefined {
  return documentsIn(text)?.flatMap((document): readonly KubernetesObject[] => {
    const object = objectOf(document);
    return object ? [object] : [];
  });
}

/** Of several files; what is no YAML is a problem. */
export function objectsOf(
  files: FolderFiles,
  paths: readonly string[],
  problem: (message: string) => void,
): readonly KubernetesObject[] {
  return paths.flatMap((path) => {
    const text = files.read(path);
    if (text === undefined) return [];
    const objects = objectsIn(text);
    if (!objects) problem(`${path}: ${notYaml(text)}. It is left out.`);
    return objects ?? [];
  });
}

/** Files of Kustomize are not for the cluster. */
const NOT_DEPLOYED = 'kustomize.config.k8s.io';

function objectOf(document: unknown): KubernetesObject | undefined {
  if (!isFields(document) || typeof document.apiVersion !== 'string') return undefined;
  if (groupOf(document.apiVersion) === NOT_DEPLOYED) return undefined;
  const object = readObject(document);
  const { name, generateName } = object?.metadata ?? {};
  return typeof (name ?? generateName) === 'string' ? object : undefined;
}

/** As Argo CD would list them. */
export function listedOf(objects: readonly KubernetesObject[]): readonly ListedResource[] {
  return objects.map((object) => {
    const { apiVersion, kind = '', metadata = {} } = object;
    const { namespace = '', name = metadata.generateName } = metadata;
    const wave = waveOf(object);
    return {
      ...{ group: groupOf(apiVersion), kind, namespace: String(namespace), name: String(name) },
      ...(wave === undefined ? {} : { wave }),
    };
  });
}
