// What differs from an earlier preflight of the same cluster.
import type { ClusterInventory, PreflightReport } from './preflight-report.ts';

/** Sentences; none: nothing has changed. */
export function changesSince(before: PreflightReport, now: PreflightReport): string[] {
  return [...rowChanges(before, now), ...inventoryChanges(before.inventory, now.inventory)];
}

function rowChanges(before: PreflightReport, now: PreflightReport): string[] {
  const known = new Map(before.rows.map((row) => [row.id, row]));
  const there = new Set(now.rows.map(({ id }) => id));
  return [
    ...now.rows.flatMap(({ id, verdict, seen }) => {
      const earlier = known.get(id);
      if (!earlier) return [`${id} is new: ${verdict}`];
      if (earlier.verdict !== verdict) {
        return [`${id} changed from ${earlier.verdict} to ${verdict}: ${seen}`];
      }
      return earlier.seen === seen ? [] : [`${id}: ${seen}; before: ${earlier.seen}`];
    }),
    ...before.rows.filter(({ id }) => !there.has(id)).map(({ id }) => `${id} is no longer checked`),
  ];
}

function inventoryChanges(before: ClusterInventory, now: ClusterInventory): string[] {
  const version =
    before.version === now.version
      ? []
      : [`Kubernetes ${now.version ?? 'unknown'}; before: ${before.version ?? 'unknown'}`];
  const named = (list: readonly { readonly name: string }[] | null) =>
    list?.map(({ name }) => name) ?? null;
  return [
    ...version,
    ...cameAndWent('Node', named(before.nodes), named(now.nodes)),
    ...cameAndWent('StorageClass', named(before.storageClasses), named(now.storageClasses)),
    ...cameAndWent('Namespace', before.namespaces, now.namespaces),
    ...cameAndWent('CustomResourceDefinition', before.definitions, now.definitions),
  ];
}

/** Unreadable data shows no changes. */
function cameAndWent(
  kind: string,
  before: readonly string[] | null,
  now: readonly string[] | null,
): string[] {
  if (!before || !now) return [];
  const [was, is] = [new Set(before), new Set(now)];
  return [
    ...now.filter((name) => !was.has(name)).map((name) => `${kind} ${name} is new`),
    ...before.filter((name) => !is.has(name)).map((name) => `${kind} ${name} is gone`),
  ];
}

/** Undefined if the text is not a report. Only compared fields are required. */
export function parseSnapshot(text: string): PreflightReport | undefined {
  try {
    const given = JSON.parse(text) as PreflightReport;
    const whole = given.kind === 'Preflight' && Array.isArray(given.rows) && given.inventory;
    return whole ? given : undefined;
  } catch {
    return undefined;
  }
}
