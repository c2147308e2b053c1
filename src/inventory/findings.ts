// What keeps a teardown from starting, and what may get stuck or be unexpected later.
import { quote } from '../model/names.ts';
import { type ResourceName, renderResource } from '../ports/application-view.ts';
import { deletedObjects, deletionOf, emptiedNamespaces, type Fated, type Found } from './fate.ts';
import type { Deleted, Finding, Volumes } from './inventory.ts';

const CASCADE = 'resources-finalizer.argocd.argoproj.io';

/** If an Application's objects are unknown, nothing may be claimed about them. */
export function unread({ id, view, problem }: Found): Finding[] {
  if (problem === undefined) return [];
  return [
    {
      code: 'resources-unknown',
      node: id,
      message: `The objects of ${quote(view.name)} in the cluster are unknown: ${problem}`,
      hint: 'Inspect it with `argocd app get`, and plan again once Argo CD has compared it.',
    },
  ];
}

/** Claims that are deleted although volumes must be kept. */
export function lostVolumes(one: Fated, volumes: Volumes): Finding[] {
  if (volumes === 'delete') return [];
  const isSaved = (claim: Deleted) =>
    volumes === 'snapshot' && claim.why === null && one.place.isSeen;
  const { remoteCluster } = one.view;
  const where = remoteCluster === undefined ? '' : ` in ${remoteCluster}`;
  const refusal = (claim: Deleted, would: string, hint: string): Finding => ({
    code: 'volume-deleted',
    node: one.id,
    message: `${renderResource(claim)} ${would} be deleted${where}${claim.why === null ? '' : `: ${claim.why}`}.`,
    hint,
  });
  return [
    ...one.deletes
      .filter((claim) => isClaim(claim) && !isSaved(claim))
      .map((claim) => refusal(claim, 'would', HINTS[claim.why === null ? 'own' : 'other'])),
    ...one.doubtful.filter(isClaim).map((claim) => refusal(claim, 'may', HINTS.doubtful)),
  ];
}

export function isClaim({ group, kind }: ResourceName): boolean {
  return group === '' && kind === 'PersistentVolumeClaim';
}

/** Without snapshots, no data counts as saved. `unserved`: these clusters; '' is the one that runs Argo CD. */
export function unsaved(volumes: Volumes, unserved: readonly string[]): Finding[] {
  if (volumes !== 'snapshot') return [];
  return unserved.map((cluster) => ({
    code: 'snapshots-missing',
    node: null,
    message: `The cluster${cluster === '' ? '' : ` ${cluster}`} has no VolumeSnapshots (snapshot.storage.k8s.io).`,
    hint: 'Install a snapshot controller and its CRDs, or plan with --volumes retain.',
  }));
}

/** Anyone can set labels: by labels alone, objects of others would count as leftovers. */
export function unsearched(untracked: string | undefined): Finding[] {
  if (untracked === undefined) return [];
  return [
    {
      code: 'leftovers-unknown',
      node: null,
      message: `Leftovers that are not in this inventory cannot be identified: ${untracked}.`,
      hint: 'Look for them manually after the teardown, or configure Argo CD to track by annotation.',
    },
  ];
}

const HINTS = {
  own: 'Keep it with the annotation argocd.argoproj.io/sync-options: Delete=false in Git, or plan with --volumes delete.',
  other: 'Change that, or plan with --volumes delete.',
  doubtful:
    'Set contexts for both clusters in destinations of the environment file, keep the Namespace with Delete=false, or plan with --volumes delete.',
};

/** A context is only a name in a file. Objects of the same names in another cluster belong to others. */
export function misled({ id, place }: Found): Finding[] {
  if (place.wrong === undefined) return [];
  return [
    {
      code: 'destination-wrong',
      node: id,
      message: place.wrong,
      hint: 'Set the context that reaches that cluster in destinations of the environment file.',
    },
  ];
}

/** Only Argo CD reaches its resources. */
function elsewhere({ id, view, place }: Found): Finding[] {
  const { name, remoteCluster, createsNamespace } = view;
  if (remoteCluster === undefined || place.isSeen) return [];
  const stays = createsNamespace
    ? `, and the Namespace ${quote(createsNamespace)} stays there`
    : '';
  return [
    {
      code: 'destination-remote',
      node: id,
      message: `${quote(name)} deploys to ${remoteCluster}, which is not known to be Argo CD's own cluster: Argo CD deletes there what it tracks; Tiphys neither reads nor deletes anything else there${stays}.${place.unseen === undefined ? '' : ` ${place.unseen}`}`,
      hint: place.unseen === undefined ? ALONE : `${ALONE} ${FIX}`,
    },
  ];
}

const ALONE = 'Look for leftovers in that cluster manually after the teardown.';
const FIX = 'Or fix the context, and plan again.';

export function surprises(one: Found): Finding[] {
  const { id, view } = one;
  const name = quote(view.name);
  const finding = (code: Finding['code'], message: string, hint: string) => [
    { code, node: id, message, hint },
  ];
  const hooks = ['PreDelete', 'PostDelete'].filter((hook) =>
    view.finalizers.some((finalizer) => finalizer.startsWith(HOOK_FINALIZERS[hook] ?? '')),
  );
  return [
    ...elsewhere(one),
    ...(view.finalizers.some((finalizer) => finalizer.startsWith(CASCADE))
      ? []
      : finding(
          'finalizer-missing',
          `${name} has no finalizer: a deletion outside Argo CD, for example by its parent, leaves all its objects behind.`,
          `Add ${CASCADE} to metadata.finalizers of its manifest.`,
        )),
    ...(view.skipped
      ? finding(
          'left-alone',
          `Argo CD does not reconcile ${name}, and would not delete it.`,
          'Remove the annotation argocd.argoproj.io/skip-reconcile.',
        )
      : []),
    ...(hooks.length > 0
      ? finding(
          'hooks',
          `${name} has ${hooks.join(' and ')} hooks: it is deleted only after they have succeeded.`,
          'Make sure that what they need still exists then.',
        )
      : []),
    ...deletedObjects(one)
      .filter((object) => deletionOf(object, one) === 'confirm')
      .flatMap((object) =>
        finding(
          'deletion-unconfirmed',
          `${renderResource(object)} of ${name} waits for a confirmation (Delete=confirm).`,
          `Confirm it during its deletion: argocd app confirm-deletion ${view.name}`,
        ),
      ),
  ];
}

const HOOK_FINALIZERS: Readonly<Record<string, string>> = {
  PreDelete: 'pre-delete-finalizer.argocd.argoproj.io',
  PostDelete: 'post-delete-finalizer.argocd.argoproj.io',
};

export function emptied(found: readonly Found[]): Finding[] {
  return [...emptiedNamespaces(found).values()].map(({ name, by }) => ({
    code: 'namespace-deleted',
    node: by.id,
    message: `The Namespace ${quote(name)} and everything in it is deleted with ${quote(by.view.name)}.`,
    hint: 'Keep it with the annotation argocd.argoproj.io/sync-options: Delete=false in Git, if others use it.',
  }));
}
