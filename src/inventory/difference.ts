// What a cluster has that was not approved. What is gone since needs no approval: that is how a teardown resumes.
import { renderResource } from '../ports/application-view.ts';
import { type Finding, type Inventory, type InventoryApplication, reachedAs } from './inventory.ts';

/** Sentences; none: everything that exists was approved. Namespaces and CRDs are always those of the approval. */
export function unapproved(approved: Inventory, now: Inventory): string[] {
  const known = new Map(approved.applications.map((one) => [one.id, one]));
  // Terminating Applications are not read as completely as before, and need no further check.
  const going = new Set(
    now.applications
      .filter(({ id, uid, deleting }) => deleting && known.get(id)?.uid === uid)
      .map(({ id }) => id),
  );
  const told = (findings: readonly Finding[]) =>
    findings.filter(({ node }) => !going.has(node ?? ''));
  return [
    ...(approved.plan === now.plan ? [] : ['the plan is different']),
    ...(approved.volumes === now.volumes ? [] : [`volumes: ${approved.volumes} was approved`]),
    ...now.applications.flatMap((one) =>
      newIn(one, known.get(one.id), isApprovedCluster(approved, now)),
    ),
    ...(now.left ?? [])
      .filter(({ id }) => known.has(id))
      .map(({ name, why }) => `Application ${name} was approved for deletion, but stays: ${why}`),
    ...newOnes(approved.makers, now.makers).map(
      ({ kind, name }) => `${kind} ${name} would recreate Applications, which it did not before`,
    ),
    ...newOnes(approved.clusters ?? [], now.clusters ?? []).map(
      ({ cluster, context }) =>
        `the context ${context} reaches a cluster that was not approved as ${cluster}`,
    ),
    ...newFindings('refused', approved.refusals, told(now.refusals)),
    ...newFindings('warning', approved.warnings, told(now.warnings)),
  ];
}

/** In both directions. */
export function differences(approved: Inventory, now: Inventory): string[] {
  const there = new Map(now.applications.map((one) => [one.id, one]));
  const gone = approved.applications.flatMap((one) => {
    const other = there.get(one.id);
    if (!other) return [`Application ${one.name} is gone`];
    const left = new Set(other.deletes.map(renderResource));
    return one.deletes
      .map(renderResource)
      .filter((name) => !left.has(name))
      .map((name) => `${one.name} would no longer delete ${name}`);
  });
  const all = [
    ...unapproved(approved, now),
    ...newOnes(goingNamespaces(approved), goingNamespaces(now)).map(
      ({ name }) => `Namespace ${name} would be deleted, too`,
    ),
    ...newOnes(approved.definitions, now.definitions).map(
      (one) => `${renderResource(one)} would be deleted, too`,
    ),
    ...gone,
  ];
  return all.length > 0
    ? all
    : ['what stays, what may get stuck or which application removes a finalizer has changed'];
}

const goingNamespaces = ({ namespaces }: Inventory) => namespaces.filter(({ why }) => why === null);

function newOnes<T extends { readonly uid: string }>(
  approved: readonly T[],
  now: readonly T[],
): readonly T[] {
  const before = new Set(approved.map(({ uid }) => uid));
  return now.filter(({ uid }) => !before.has(uid));
}

/**
 * Whether two names mean one cluster. A cluster with several names in destinations gets the first one in use, which changes once the
 * Applications with that name are gone.
 */
function isApprovedCluster(approved: Inventory, now: Inventory) {
  const uidOf = (inventory: Inventory, cluster: string | undefined) =>
    cluster === '' ? '' : reachedAs(inventory, cluster ?? '')?.uid;
  return (cluster: string, before: string | undefined): boolean => {
    const uid = uidOf(now, cluster);
    return uid !== undefined && uid === uidOf(approved, before);
  };
}

function newIn(
  now: InventoryApplication,
  approved: InventoryApplication | undefined,
  isSame: (cluster: string, before: string | undefined) => boolean,
): string[] {
  if (!approved) return [`Application ${now.name} is new`];
  if (approved.uid !== now.uid) return [`Application ${now.name} was recreated, uid ${now.uid}`];
  if (approved.destination !== now.destination)
    return [`Application ${now.name} now deploys to another cluster`];
  if (now.deleting && !approved.deleting) return [];
  if (now.cluster !== undefined && !isSame(now.cluster, approved.cluster))
    return [`${now.name} would be cleaned up in a cluster that was not approved`];
  const before = new Set(approved.deletes.map(renderResource));
  return now.deletes
    .map(renderResource)
    .filter((name) => !before.has(name))
    .map((name) => `${now.name} would delete ${name}, too`);
}

function newFindings(
  word: string,
  approved: readonly Finding[],
  now: readonly Finding[],
): string[] {
  const before = new Set(approved.map(({ code, message }) => `${code} ${message}`));
  return now
    .filter(({ code, message }) => !before.has(`${code} ${message}`))
    .map(({ code, message }) => `${word}[${code}]: ${message}`);
}
