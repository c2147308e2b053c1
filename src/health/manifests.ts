// The kinds in the text of manifests.
import { loadAll } from 'js-yaml';
import { NESTING_MAX } from '../model/limits.ts';
import { type CustomKind, customKindOf } from '../ports/cluster-kinds.ts';
import { type KindUse, kindUses } from './coverage.ts';
import type { Kind } from './health-check.ts';

export interface Manifest {
  /** The Application it belongs to, as far as the folder shows. */
  readonly application: string;
  readonly file: string;
  readonly text: string;
}

interface ManifestKinds {
  readonly uses: readonly KindUse[];
  readonly custom: readonly CustomKind[];
  /** Files that are not YAML: usually templates. */
  readonly unread: readonly string[];
}

export function kindsOfManifests(manifests: readonly Manifest[]): ManifestKinds {
  const uses: [Kind, string][] = [];
  const custom: CustomKind[] = [];
  const unread: string[] = [];
  for (const { application, file, text } of manifests) {
    const documents = documentsOf(text);
    if (!documents) unread.push(file);
    for (const document of documents ?? []) {
      const kind = kindOf(document);
      if (!kind) continue;
      uses.push([kind, application]);
      const definition = customKindOf(document);
      if (definition && kind.kind === 'CustomResourceDefinition') custom.push(definition);
    }
  }
  return { uses: kindUses(uses), custom, unread };
}

function documentsOf(text: string): unknown[] | undefined {
  try {
    return loadAll(text, { maxDepth: NESTING_MAX, maxAliases: 0 }).flatMap(itemsOf);
  } catch {
    return undefined;
  }
}

/** The items of a List count, not the List. */
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
