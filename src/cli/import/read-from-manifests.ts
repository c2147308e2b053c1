// Rendered manifests: DIR/APPLICATION.yaml or DIR/APPLICATION/..., with the Applications themselves among them or beside them.
import { type ReadApplication, readApplications } from '../../import/application-object.ts';
import { healthSettings } from '../../import/custom-health.ts';
import { findParents } from '../../import/find-parents.ts';
import { findDocuments, isArgo } from '../../import/git/find-documents.ts';
import { type FolderFiles, isManifest } from '../../import/git/folder-files.ts';
import { listedOf, objectsOf } from '../../import/git/objects-in-files.ts';
import { mostCommon } from '../../import/group.ts';
import type {
  ApplicationMaterial,
  KubernetesObject,
  Material,
  ReadProblem,
} from '../../import/material.ts';
import type { OnProgress } from '../../import/read-progress.ts';
import { groupOf, sortMaterial } from '../../import/sort-material.ts';
import type { Io } from '../io.ts';
import { openFolder } from './folder.ts';

const ARGOCD = 'argocd';
/** Files with the Applications, which are not manifests of any of them. */
const BESIDE: ReadonlySet<string> = new Set(['application', 'applications', 'argocd']);

export async function readFromManifests(
  io: Io,
  folder: string,
  { progress = () => {} }: { readonly progress?: OnProgress } = {},
): Promise<Material> {
  const files = openFolder(io, folder);
  const { applications, settings, problems: found } = findDocuments(files);
  const { applications: described, unreadable } = readApplications(applications);
  const problems: ReadProblem[] = [...found, ...unreadable];
  const objects = objectsByName(
    files,
    new Set(described.map(({ material }) => material.name)),
    problems,
  );
  const names = new Set([...objects.keys(), ...described.map(({ material }) => material.name)]);
  const known = new Map(described.map((one) => [one.material.name, one]));
  const shown = new Set([...objects.values()].flat().filter(isNamespace).map(objectName));
  const materials = [...names].map((name) =>
    materialOf(name, objects.get(name), known.get(name), shown),
  );
  progress({ stage: 'manifests', done: materials.length, total: materials.length });
  const children = materials.map((material) => ({ material, trackedBy: undefined }));
  const { parents, problems: circles } = findParents(children, []);
  const namespace = mostCommon(described.map((one) => one.namespace).filter(Boolean)) ?? ARGOCD;
  return sortMaterial({
    applications: materials.map((material) => {
      const parent = parents.get(material.name);
      return parent === undefined ? material : { ...material, parent };
    }),
    definedKinds: [],
    customHealth: [],
    ...(settings && healthSettings(settings)),
    argocdNamespace: namespace,
    problems: [...problems, ...files.problems, ...circles],
  });
}

/** The first part of a path names the Application. */
function objectsByName(
  files: FolderFiles,
  described: ReadonlySet<string>,
  problems: ReadProblem[],
): ReadonlyMap<string, readonly KubernetesObject[]> {
  const groups = new Map<string, string[]>();
  for (const path of files.paths.filter(isManifest)) {
    const name = (path.split('/')[0] ?? '').replace(/\.(?:ya?ml|json)$/, '');
    groups.set(name, [...(groups.get(name) ?? []), path]);
  }
  const found = [...groups].flatMap(([name, paths]) => {
    const problem = (message: string) => problems.push({ subject: name, message });
    const objects = objectsOf(files, paths, problem);
    const isBeside = !described.has(name) && BESIDE.has(name) && objects.every(isOfArgo);
    return isBeside ? [] : [[name, objects] as const];
  });
  return new Map(found);
}

const isOfArgo = (object: KubernetesObject) =>
  ['Application', 'ApplicationSet', 'AppProject'].some((kind) => isArgo(object, kind));

const isNamespace = ({ apiVersion, kind }: KubernetesObject) =>
  groupOf(apiVersion) === '' && kind === 'Namespace';

const objectName = ({ metadata }: KubernetesObject) => metadata?.name;

function materialOf(
  name: string,
  objects: readonly KubernetesObject[] | undefined,
  described: ReadApplication | undefined,
  shown: ReadonlySet<unknown>,
): ApplicationMaterial {
  const material = described?.material ?? undescribed(name, objects ?? [], shown);
  if (!objects) return material;
  return { ...material, objects, resources: listedOf(objects), content: 'manifests' };
}

/** An Application of which only the name is known: where most of its manifests lie is taken for its destination. */
function undescribed(
  name: string,
  objects: readonly KubernetesObject[],
  shown: ReadonlySet<unknown>,
): ApplicationMaterial {
  const namespaces = objects.flatMap(({ metadata }) =>
    typeof metadata?.namespace === 'string' ? metadata.namespace : [],
  );
  // Many charts have a Role or a Service in one of Kubernetes' own.
  const namespace =
    mostCommon(namespaces.filter((one) => !one.startsWith('kube-'))) ??
    mostCommon(namespaces) ??
    '';
  return {
    ...{ name, project: 'default', isRemote: false, automated: false, labels: {} },
    destination: { cluster: 'in-cluster', namespace },
    // Unless a manifest shows who does.
    createsNamespace: namespace !== '' && !shown.has(namespace),
    ...{ sources: [], charts: [], values: [], resources: [], objects: [], pastDurations: [] },
    content: 'unknown',
  };
}
