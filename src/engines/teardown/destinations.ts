// Which clusters have the Applications' objects. A context is only a name in a file, so it is verified: before anything is
// read through it, objects that Argo CD shows must exist there with the same uids.
import { codeOf, type ErrorCode, TiphysError } from '../../errors.ts';
import { type Found, type FoundPlace, placeWithout } from '../../inventory/fate.ts';
import type { ReachedCluster } from '../../inventory/inventory.ts';
import { compareText, quote } from '../../model/names.ts';
import { renderResource } from '../../ports/application-view.ts';
import type { Cluster, Place } from '../../ports/target.ts';

export type Unplaced = Omit<Found, 'place'>;

export interface Placed {
  readonly found: readonly Found[];
  /** The other clusters that are read, by name. */
  readonly clusters: readonly ReachedCluster[];
  /** The cluster of a destination, '' for the one that runs Argo CD; undefined: unknown. */
  readonly clusterOf: (remoteCluster: string | undefined) => string | undefined;
}

export async function placed(found: readonly Unplaced[], target: Cluster): Promise<Placed> {
  const called = found.flatMap(({ view }) => view.remoteCluster ?? []);
  const named = [...new Set(called)].filter((one) => target.contexts.has(one)).sort(compareText);
  const own = named.length > 0 ? await target.identity() : undefined;
  const opened = new Map(
    await Promise.all(named.map(async (one) => [one, await open(one, own, target)] as const)),
  );
  const proofs = await Promise.all(found.map((one) => prove(one, opened, target)));
  const proven = provenKeys(found, proofs, opened);
  const names = canonicalNames(proven, own);
  return {
    clusterOf: (remoteCluster) => (remoteCluster === undefined ? '' : names.get(remoteCluster)),
    clusters: [...proven]
      .filter(([one]) => names.get(one) === one)
      .map(([cluster, uid]) => ({ cluster, context: target.contexts.get(cluster) ?? '', uid })),
    found: found.map((one, at) => {
      const alone = placeWithout(one.view.remoteCluster);
      const cluster = names.get(alone.cluster) ?? alone.cluster;
      return { ...one, place: { ...alone, ...proofs[at], cluster } };
    }),
  };
}

/** The uid of its Namespace kube-system, or why it cannot be read. */
type Opened = Pick<ReachedCluster, 'uid'> | Required<Pick<FoundPlace, 'unseen'>>;

async function open(called: string, own: string | undefined, target: Cluster): Promise<Opened> {
  const context = quote(target.contexts.get(called) ?? '');
  if (own === undefined)
    return unusable(
      context,
      "no permission to read the Namespace kube-system of Argo CD's own cluster.",
    );
  return await orUnseen(context, async () => {
    const uid = await target.at(called).identity();
    return uid === undefined
      ? unusable(context, 'no permission to read the Namespace kube-system there.')
      : { uid };
  });
}

const unusable = (context: string, why: string) => ({
  unseen: `The context ${context} is not used: ${why}`,
});

/** An unreadable cluster does not prevent the teardown of the others. */
async function orUnseen<T>(
  context: string,
  look: () => Promise<T>,
): Promise<T | ReturnType<typeof unusable>> {
  try {
    return await look();
  } catch (error) {
    if (!(error instanceof TiphysError)) throw error;
    return unusable(context, whyNot(error));
  }
}

/**
 * Never includes the text of the error: it differs between tries, and this becomes part of a hash. It may also quote what
 * a credential plugin or a wrong server said, and this is stored in the cluster.
 */
function whyNot(error: TiphysError): string {
  if (error.isPassing) return 'the cluster does not answer.';
  const known: Readonly<Record<string, string>> = WHY_NOT;
  return known[codeOf(error) ?? ''] ?? 'the cluster cannot be read.';
}

const WHY_NOT = {
  'kubeconfig-invalid': 'the kubeconfig does not have it, or its credentials cannot be obtained.',
  'cluster-tls': 'the certificate of the cluster is not accepted.',
  'cluster-unauthorized': 'the cluster does not accept its credentials.',
  'cluster-forbidden': 'a permission in that cluster is missing.',
  'cluster-answer-invalid': 'the cluster does not answer like a Kubernetes API.',
} as const satisfies Partial<Record<ErrorCode, string>>;

type Proof = Pick<FoundPlace, 'isSeen' | 'unseen' | 'wrong'>;

async function prove(
  one: Unplaced,
  opened: ReadonlyMap<string, Opened>,
  target: Cluster,
): Promise<Proof | undefined> {
  const { remoteCluster = '' } = one.view;
  const cluster = opened.get(remoteCluster);
  if (!cluster) return undefined;
  if ('unseen' in cluster) return { isSeen: false, ...cluster };
  const context = quote(target.contexts.get(remoteCluster) ?? '');
  const proof = await orUnseen(context, () => compare(one, target.at(remoteCluster), context));
  return { isSeen: false, ...proof };
}

/** This many are enough: two clusters never have the same uid. */
const COMPARED = 20;

async function compare(
  one: Unplaced,
  { objects }: Place,
  context: string,
): Promise<Partial<Proof>> {
  // Argo CD returns them in any order, and the same look must give the same result.
  const shown = (one.objects ?? [])
    .filter(({ kind }) => kind !== 'Event')
    .sort((a, b) => compareText(renderResource(a), renderResource(b)))
    .slice(0, COMPARED);
  const there = await Promise.all(shown.map((object) => objects.get(object)));
  const isThere = (at: number, same: boolean) => {
    const found = there[at];
    if (found === undefined || found === 'unknown') return false;
    return (found.uid === shown[at]?.uid) === same;
  };
  const other = shown.find((_, at) => isThere(at, false));
  if (other) {
    const { name, remoteCluster } = one.view;
    const wrong = `The context ${context} does not reach ${remoteCluster}, or ${quote(name)} changed in the meantime: ${renderResource(other)} is a different object there.`;
    return { wrong };
  }
  if (shown.some((_, at) => isThere(at, true))) return { isSeen: true };
  const why = there.includes('unknown') ? 'may be read' : 'is found';
  return unusable(context, `no object of the Application ${why} there.`);
}

/** Destinations whose context matches what Argo CD shows, with the uid of that cluster, sorted by name. */
function provenKeys(
  found: readonly Unplaced[],
  proofs: readonly (Proof | undefined)[],
  opened: ReadonlyMap<string, Opened>,
): ReadonlyMap<string, string> {
  const seen = new Set(
    found.flatMap(({ view }, at) => (proofs[at]?.isSeen ? (view.remoteCluster ?? []) : [])),
  );
  return new Map(
    [...opened].flatMap(([called, one]): [string, string][] =>
      'uid' in one && seen.has(called) ? [[called, one.uid]] : [],
    ),
  );
}

/** A cluster with several names in destinations gets the first of them, and '' if it runs Argo CD. */
function canonicalNames(
  proven: ReadonlyMap<string, string>,
  own: string | undefined,
): ReadonlyMap<string, string> {
  const byUid = new Map(own === undefined ? [] : [[own, '']]);
  for (const [called, uid] of proven) if (!byUid.has(uid)) byUid.set(uid, called);
  return new Map([...proven].map(([called, uid]) => [called, byUid.get(uid) ?? called]));
}

/** Throws if a context reaches another cluster than the approved one. */
export async function assertReached(
  { cluster, context, uid }: ReachedCluster,
  place: Place,
): Promise<void> {
  if ((await place.identity()) === uid) return;
  const message = `The context ${quote(context)} does not reach the cluster that was approved as ${cluster}.`;
  const hint = 'Nothing was changed there. Fix the kubeconfig, and run the same command again.';
  throw new TiphysError([{ code: 'teardown-differs', message, hint }]);
}
