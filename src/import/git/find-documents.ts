// Applications, ApplicationSets and argocd-cm among the files of a folder.
import type { KubernetesObject, ReadProblem } from '../material.ts';
import { groupOf } from '../sort-material.ts';
import { documentsIn, isFields, notYaml } from './documents.ts';
import { type FolderFiles, isManifest } from './folder-files.ts';

export interface ArgoDocuments {
  readonly applications: readonly unknown[];
  readonly sets: readonly unknown[];
  /** The data of argocd-cm, where the folder has it. */
  readonly settings: ReadonlyMap<string, string> | undefined;
  readonly problems: readonly ReadProblem[];
}

/** Most files of a repository have nothing to do with Argo CD, and need not be parsed. */
const MENTIONED =
  /\bkind:\s{0,8}["']?Application(?:Set)?\b|"kind":\s{0,8}"Application(?:Set)?"|\bargocd-cm\b/;

export function findDocuments(files: FolderFiles): ArgoDocuments {
  const problems: ReadProblem[] = [];
  const documents = files.paths.filter(isManifest).flatMap((path) => {
    const text = files.read(path);
    if (text === undefined || !MENTIONED.test(text)) return [];
    const found = documentsIn(text);
    const message = `${notYaml(text)}. Its Applications are not known.`;
    if (!found) problems.push({ subject: path, message });
    return found ?? [];
  });
  const { applications, problems: templates } = plainApplications(
    documents.filter((one) => isArgo(one, 'Application')),
  );
  return {
    applications,
    sets: documents.filter((one) => isArgo(one, 'ApplicationSet')),
    settings: settingsIn(documents),
    problems: [...problems, ...templates],
  };
}

export function isArgo(document: unknown, wanted: string): document is KubernetesObject {
  if (!isFields(document) || document.kind !== wanted) return false;
  return typeof document.apiVersion === 'string' && groupOf(document.apiVersion) === 'argoproj.io';
}

/** Without patches, which have no source, and without templates that are valid YAML by chance. */
export function plainApplications(
  documents: readonly unknown[],
): Pick<ArgoDocuments, 'applications' | 'problems'> {
  const problems: ReadProblem[] = [];
  const applications = documents.filter((document) => {
    const { metadata, spec } = document as KubernetesObject & { readonly spec?: unknown };
    const name = String(metadata?.name);
    if (name.includes('{{')) {
      const message = 'Its name is a template. It is known only where its parent is rendered.';
      problems.push({ subject: name, message });
      return false;
    }
    const { source, sources, sourceHydrator } = isFields(spec) ? spec : {};
    return (source ?? sources ?? sourceHydrator) !== undefined;
  });
  return { applications, problems };
}

function settingsIn(documents: readonly unknown[]): ReadonlyMap<string, string> | undefined {
  const found = documents.filter(
    (one) =>
      isFields(one) &&
      one.kind === 'ConfigMap' &&
      isFields(one.metadata) &&
      one.metadata.name === 'argocd-cm',
  ) as readonly { readonly data?: unknown }[];
  if (found.length === 0) return undefined;
  return new Map(
    found.flatMap(({ data }) =>
      isFields(data)
        ? Object.entries(data).map(([key, value]): [string, string] => [key, String(value)])
        : [],
    ),
  );
}
