// The same input gives the same material, in any order of its parts.
import { compareText } from '../model/names.ts';
import type { ApplicationMaterial, KubernetesObject, Material, ReadProblem } from './material.ts';

export function sortMaterial(material: Material): Material {
  return {
    ...material,
    applications: sortBy(material.applications.map(sortApplication), ({ name }) => name),
    definedKinds: sortBy(
      material.definedKinds,
      ({ group, kind, madeBy = '' }) => `${group}/${kind} ${madeBy}`,
    ),
    customHealth: [...new Set(material.customHealth)].sort(compareText),
    problems: distinct(sortBy(material.problems, problemKey)),
  };
}

function sortApplication(application: ApplicationMaterial): ApplicationMaterial {
  const { charts, resources, objects } = application;
  return {
    ...application,
    labels: Object.fromEntries(sortBy(Object.entries(application.labels), ([key]) => key)),
    charts: sortBy(charts, ({ name, repository = '', version = '' }) =>
      [name, repository, version].join(' '),
    ),
    resources: sortBy(resources, ({ group, kind, namespace, name, wave = 0 }) =>
      [group, kind, namespace, name, wave].join(' '),
    ),
    objects: sortObjects(objects),
  };
}

/** By name; those of the same name, which no cluster has, by their whole content. */
function sortObjects(objects: readonly KubernetesObject[]): readonly KubernetesObject[] {
  const keyed = objects.map((object) => ({ key: objectKey(object), object }));
  keyed.sort(
    (a, b) =>
      compareText(a.key, b.key) || compareText(JSON.stringify(a.object), JSON.stringify(b.object)),
  );
  return keyed.map(({ object }) => object);
}

/** Without the version, which two sources may give differently. */
function objectKey({ apiVersion, kind = '', metadata = {} }: KubernetesObject): string {
  const { namespace = '', name = metadata.generateName } = metadata;
  return `${groupOf(apiVersion)}/${kind} ${String(namespace)}/${String(name)}`;
}

export function groupOf(apiVersion: string | undefined): string {
  return apiVersion?.includes('/') ? (apiVersion.split('/')[0] ?? '') : '';
}

function sortBy<T>(items: readonly T[], keyOf: (item: T) => string): T[] {
  return items
    .map((item) => [keyOf(item), item] as const)
    .sort(([a], [b]) => compareText(a, b))
    .map(([, item]) => item);
}

const problemKey = ({ subject, message }: ReadProblem) => `${subject}\n${message}`;

const distinct = (problems: readonly ReadProblem[]) =>
  problems.filter((one, at) => {
    const before = problems[at - 1];
    return before === undefined || problemKey(before) !== problemKey(one);
  });
