// Hand-made graphs of real platforms, with what was read of them: the input of the benchmark, in its own format.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { ApplicationMaterial, KubernetesObject, Material } from '../src/import/material.ts';

export interface GoldEdge {
  readonly dependent: string;
  readonly dependency: string;
  readonly strength?: 'hard' | 'soft';
  readonly reason?: string;
  readonly visible?: string;
}

export interface GoldPlatform {
  readonly name: string;
  readonly material: Material;
  readonly edges: readonly GoldEdge[];
  readonly eventual: readonly GoldEdge[];
  /** Groups of edges of which one is enough. */
  readonly oneOf: readonly (readonly GoldEdge[])[];
}

/** Written edges that the graph does not have although its own manifests show them, with the reason. */
export const DISPUTED: Readonly<Record<string, string>> = {
  'kubrix-demo-metalstack sx-mimir sx-external-secrets':
    'its manifests have two ExternalSecrets; Helm, with a default of the subchart, leaves them out',
  'kubrix-demo-metalstack sx-mimir sx-openbao': 'the store of these two ExternalSecrets',
};

interface GoldFile {
  readonly edges?: readonly GoldEdge[];
  readonly eventual?: readonly GoldEdge[];
  readonly oneOf?: readonly unknown[];
}

interface GoldApplication {
  readonly name: string;
  readonly parent: string | null;
  readonly wave: number | null;
  readonly ns: string | null;
  readonly createNs: boolean;
  readonly project: string | null;
  readonly automated: boolean;
  readonly sources: readonly {
    readonly repoURL: string;
    readonly path?: string;
    readonly chart?: string;
  }[];
  readonly charts: readonly { readonly name: string; readonly repo?: string | null }[];
  readonly objs: readonly KubernetesObject[];
  readonly values: readonly unknown[];
}

const MANIFESTS = '.manifests.json.gz';

/** Undefined where the folder is not there. */
export function readGold(folder: string): GoldPlatform[] | undefined {
  if (!existsSync(folder)) return undefined;
  const names = readdirSync(folder)
    .filter((file) => file.endsWith(MANIFESTS))
    .map((file) => file.slice(0, -MANIFESTS.length));
  return names.sort().map((name) => readPlatform(folder, name));
}

function readPlatform(folder: string, name: string): GoldPlatform {
  const packed = readFileSync(join(folder, `${name}${MANIFESTS}`));
  const applications = JSON.parse(gunzipSync(packed).toString('utf8')) as GoldApplication[];
  const gold = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as GoldFile;
  const { edges = [], eventual = [], oneOf = [] } = gold;
  const material: Material = {
    applications: applications.map(materialOf),
    definedKinds: [],
    customHealth: [],
    argocdNamespace: 'argocd',
    problems: [],
  };
  return { name, material, edges, eventual, oneOf: oneOf.map(groupOf) };
}

function materialOf(gold: GoldApplication): ApplicationMaterial {
  const { name, parent, wave, charts, objs, values } = gold;
  const isPart = charts.length > 0 || objs.length === 0;
  return {
    name,
    ...(parent === null ? {} : { parent }),
    ...(wave === null ? {} : { wave }),
    project: gold.project ?? 'default',
    destination: { cluster: 'in-cluster', namespace: gold.ns ?? '' },
    isRemote: false,
    createsNamespace: gold.createNs,
    automated: gold.automated,
    labels: {},
    sources: gold.sources,
    charts: charts.map((chart) => ({
      name: chart.name,
      ...(chart.repo ? { repository: chart.repo } : {}),
    })),
    values,
    resources: [],
    objects: objs,
    pastDurations: [],
    content: isPart ? 'unknown' : 'manifests',
  };
}

/** A list of edges, or one dependent with several dependencies. */
function groupOf(value: unknown): GoldEdge[] {
  if (Array.isArray(value)) return value as GoldEdge[];
  const {
    dependent = '',
    strength,
    ...rest
  } = value as Partial<GoldEdge> & Record<string, unknown>;
  const lists = Object.values(rest).filter(Array.isArray) as unknown[][];
  return lists.flat().map((one) => {
    const edge = typeof one === 'string' ? { dependent, dependency: one } : (one as GoldEdge);
    return strength === undefined ? edge : { strength, ...edge };
  });
}
