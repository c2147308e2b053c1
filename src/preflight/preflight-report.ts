// RFC 3.2.8: the result of preflight. Its JSON is the snapshot that a later one is compared with.
import { CATALOGUE, EXIT, type ExitStatus } from '../errors.ts';
import { API_VERSION } from '../model/api-version.ts';
import type { ClusterReader, NodeView, StorageClassView } from './preflight-context.ts';
import type { Row } from './row.ts';

/** Null: it could not be read. */
export interface ClusterInventory {
  readonly version: string | null;
  readonly nodes: readonly NodeView[] | null;
  readonly storageClasses: readonly StorageClassView[] | null;
  readonly namespaces: readonly string[] | null;
  readonly definitions: readonly string[] | null;
}

export interface PreflightReport {
  readonly apiVersion: typeof API_VERSION;
  readonly kind: 'Preflight';
  readonly takenAt: string;
  readonly exitStatus: ExitStatus;
  readonly counts: Readonly<Record<Row['verdict'], number>>;
  readonly rows: readonly Row[];
  readonly inventory: ClusterInventory;
}

export const UNKNOWN_INVENTORY: ClusterInventory = {
  version: null,
  nodes: null,
  storageClasses: null,
  namespaces: null,
  definitions: null,
};

export async function takeClusterInventory(cluster: ClusterReader): Promise<ClusterInventory> {
  const orNull = <T>(read: Promise<T>): Promise<T | null> => read.catch(() => null);
  const named = (objects: Promise<readonly { readonly name: string }[]>) =>
    orNull(objects.then((all) => all.map(({ name }) => name).sort()));
  const [version, nodes, storageClasses, namespaces, definitions] = await Promise.all([
    orNull(cluster.version()),
    orNull(cluster.nodes()),
    orNull(cluster.storageClasses()),
    named(cluster.namespaces()),
    named(cluster.definitions()),
  ]);
  return { version, nodes, storageClasses, namespaces, definitions };
}

export function reportOf(
  rows: readonly Row[],
  inventory: ClusterInventory,
  takenAt: string,
): PreflightReport {
  const count = (verdict: Row['verdict']) => rows.filter((row) => row.verdict === verdict).length;
  return {
    apiVersion: API_VERSION,
    kind: 'Preflight',
    takenAt,
    exitStatus: exitStatusOf(rows),
    counts: { pass: count('pass'), warning: count('warning'), failure: count('failure') },
    rows,
    inventory,
  };
}

/** Problems of this machine come before those of the cluster. */
function exitStatusOf(rows: readonly Row[]): ExitStatus {
  const statuses = rows.flatMap(({ code }) => (code === null ? [] : [CATALOGUE[code]]));
  if (statuses.length === 0) return EXIT.ok;
  return statuses.includes(EXIT.invalid) ? EXIT.invalid : EXIT.failure;
}
