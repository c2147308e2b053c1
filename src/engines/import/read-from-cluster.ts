// Everything that an import knows of a live platform. Reads only: Argo CD is asked for what `get` on applications allows.
import { type ReadApplication, readApplications } from '../../import/application-object.ts';
import { healthSettings } from '../../import/custom-health.ts';
import { definedKinds } from '../../import/defined-kinds.ts';
import { findParents, isArgo } from '../../import/find-parents.ts';
import type { Material } from '../../import/material.ts';
import { missingChildren } from '../../import/missing-children.ts';
import type { OnProgress } from '../../import/read-progress.ts';
import { sortMaterial } from '../../import/sort-material.ts';
import type { Cluster } from '../../ports/target.ts';
import { readContents } from './read-contents.ts';
import { ReadProblems } from './read-problems.ts';

export type ImportCluster = Pick<Cluster, 'namespace' | 'imports' | 'applicationSets' | 'kinds'>;

export interface ClusterReading {
  readonly signal: AbortSignal;
  readonly progress?: OnProgress;
}

export async function readFromCluster(
  cluster: ImportCluster,
  { signal, progress = () => {} }: ClusterReading,
): Promise<Material> {
  const problems = new ReadProblems();
  const listed = await listApplications(cluster, problems);
  progress({ stage: 'Applications', done: listed.length, total: listed.length });
  const [sets = [], settings, definitions] = await Promise.all([
    problems.attempt('ApplicationSets', LOST.sets, () =>
      cluster.applicationSets.list([cluster.namespace]),
    ),
    problems.attempt('argocd-cm', LOST.settings, cluster.kinds.settings),
    problems.attempt('CustomResourceDefinitions', LOST.definitions, cluster.imports.definitions),
  ]);
  if (definitions === 'unknown') {
    const message = `The right to list them is missing. ${LOST.definitions}`;
    problems.all.push({ subject: 'CustomResourceDefinitions', message });
  }
  const contents = await readContents(listed, cluster.imports, { problems, signal, progress });
  const { parents, problems: circles } = findParents(listed, sets);
  const existing = contents.map((material) => {
    const parent = parents.get(material.name);
    return parent === undefined ? material : { ...material, parent };
  });
  const missing = missingChildren(existing, cluster.namespace);
  const applications = [...existing, ...missing.applications];
  return sortMaterial({
    applications,
    definedKinds: definedKinds(definitions === 'unknown' ? [] : (definitions ?? []), applications),
    customHealth: [],
    ...(settings && healthSettings(settings)),
    argocdNamespace: cluster.namespace,
    problems: [...problems.all, ...circles, ...missing.problems],
  });
}

const LOST = {
  sets: 'It is not known which Application has an ApplicationSet.',
  settings: 'It is not known whether sync waves between Applications wait for health.',
  definitions: 'Kinds that a provider or an operator defines at run time are not known.',
};

async function listApplications(
  { namespace, imports }: ImportCluster,
  problems: ReadProblems,
): Promise<readonly ReadApplication[]> {
  const { applications, unreadable } = readApplications(await imports.applications([namespace]));
  problems.all.push(...unreadable, ...elsewhere(applications, namespace));
  return applications;
}

/** Argo CD may look after Applications of other namespaces, too. */
function elsewhere(all: readonly ReadApplication[], own: string) {
  return all.flatMap(({ material }) =>
    material.resources
      .filter((one) => isArgo(one, 'Application') && one.namespace !== own && one.namespace !== '')
      .map(({ namespace, name }) => ({
        subject: name,
        message: `It is in the namespace ${namespace}. Only Applications of ${own} are read.`,
      })),
  );
}
