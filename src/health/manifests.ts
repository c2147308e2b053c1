// Manifests as text -> the kinds in them.
import { loadAll } from 'js-yaml';
import { type CustomKind, customKindOf } from '../ports/cluster-kinds.ts';
import { type Kind, kindName } from './check.ts';
import type { KindUse } from './coverage.ts';

export interface Manifest {
  /** Whose it is: the Application, as far as the folder tells. */
  readonly application: string;
  readonly file: string;
  readonly text: string;
}

export interface ManifestKinds {
  readonly uses: readonly KindUse[];
  readonly custom: readonly CustomKind[];
  /** Files that are no YAML: templates, as a rule. */
  readonly unread: readonly string[];
}

const NESTING_MAX = 64;

export function kindsOfManifests(manifests: readonly Manifest[]): ManifestKinds {
  const uses = new Map<string, Kind & { readonly applications: Set<string> }>();
  const custom: CustomKind[] = [];
  const unread: string[] = [];
  for (const { application, file, text } of manifests) {
    const documents = documentsOf(text);
    if (!documents) unread.push(file);
    for (const document of documents ?? []) {
      const kind = kindOf(document);
      if (!kind) continue;
      const name = kindName(kind);
      const use = uses.get(name) ?? { ...kind, applications: new Set<string>() };
      use.applications.add(application);
      uses.set(name, use);
      const definition = customKindOf(document);
      if (definition && kind.kind === 'CustomResourceDefinition') custom.push(definition);
    }
  }
  const listed = [...uses.values()].map((use) => ({
    ...use,
    applications: [...use.applications].sort(),
  }));
  return { uses: listed, custom, unread };
}

function documentsOf(text: string): unknown[] | undefined {
  try {
    return loadAll(text, { maxDepth: NESTING_MAX, maxAliases: 0 }).flatMap(itemsOf);
  } catch {
    return undefined;
  }
}

/** What is in a List is what counts. */
function itemsOf(document: unknown): unknown[] {
  const { kind, items } = (document ?? {}) as { kind?: unknown; items?: unknown };
  return typeof kind === 'string' && kind.endsWith('List') && Array.isArray(items)
    ? items
    : [document];
}

/** Files of Kustomize, Helm and Tiphys are not for the cluster. */
const NOT_DEPLOYED = /^(?:kustomize\.config\.k8s\.io|tiphys\.dev)\//;

function kindOf(document: unknown): Kind | undefined {
  const { apiVersion, kind } = (document ?? {}) as { apiVersion?: unknown; kind?: unknown };
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') return undefined;
  if (NOT_DEPLOYED.test(apiVersion)) return undefined;
  return { group: apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : '', kind };
}
