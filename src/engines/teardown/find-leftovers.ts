// Compares the cluster with what the platform had: objects that still carry the tracking id of a deleted Application, and
// objects of the approved inventory. Nothing else is a leftover: the suggested command would delete objects of others.
import { nameOf } from '../../inventory/fate.ts';
import {
  type Inventory,
  type InventoryApplication,
  type Kept,
  type MadeNamespace,
  reachedAs,
  seenCluster,
} from '../../inventory/inventory.ts';
import { compareText } from '../../model/names.ts';
import { isNamespace, type ResourceName, renderResource } from '../../ports/application-view.ts';
import type { ListedObject, Named } from '../../ports/cluster-objects.ts';
import type { Cluster } from '../../ports/target.ts';
import { type Leftover, leftover } from '../../run/leftover.ts';

/** In one cluster; '' is the one that runs Argo CD. Objects of Applications in another one are not searched for. */
export async function findLeftovers(
  approved: Inventory,
  cluster: string,
  target: Searched,
): Promise<Leftover[]> {
  const applications = approved.applications.filter((one) => seenCluster(one) === cluster);
  const had = applications.flatMap(({ deletes, keeps }) => [...deletes, ...keeps]);
  const search: Search = {
    target,
    had,
    kept: applications.flatMap(({ keeps }) => keeps),
    uids: new Set(had.flatMap(({ uid }) => uid ?? [])),
    instances: new Set(applications.map((one) => instanceOf(one, target.namespace))),
  };
  const found = await Promise.all([
    tracked(search),
    claims(search),
    namespaces(madeIn(approved, cluster), applications, target),
    volumes(search),
    webhooks(search),
  ]);
  const unique = new Map(found.flat().map((one) => [renderResource(one.resource), one]));
  const where = reachedAs(approved, cluster);
  return [...unique]
    .filter(([, { resource }]) => cluster !== '' || !isNamespaceOf(target, resource))
    .sort(([a], [b]) => compareText(a, b))
    .map(([, { resource, why, announced }]) => leftover(resource, why, announced, where));
}

/** The namespace of Argo CD: Argo CD and everything that it deploys would be deleted with it. */
const isNamespaceOf = ({ namespace }: Searched, resource: ResourceName): boolean =>
  isNamespace(resource) && resource.name === namespace;

/** `namespace`: Argo CD's, in any cluster. */
type Searched = Pick<Cluster, 'namespace' | 'objects' | 'residue'>;

const madeIn = ({ namespaces: all }: Inventory, cluster: string): readonly MadeNamespace[] =>
  all.filter((one) => (one.cluster ?? '') === cluster);

interface Search {
  readonly target: Searched;
  /** The resources of all Applications in the inventory. */
  readonly had: readonly InventoryApplication['deletes' | 'keeps'][number][];
  readonly kept: readonly Kept[];
  /** The approved ones, as far as the inventory has them. */
  readonly uids: ReadonlySet<string>;
  /** The names of the Applications in tracking ids. */
  readonly instances: ReadonlySet<string>;
}

const CLAIM = { group: '', kind: 'PersistentVolumeClaim' };

/** Objects of the platform's kinds, with the tracking id of one of its Applications, or approved by uid. */
async function tracked({ target, had, kept, uids, instances }: Search): Promise<Leftover[]> {
  const kinds = new Map(had.map(({ group, kind }) => [`${group}/${kind}`, { group, kind }]));
  const isOurs = ({ tracker, kind, group, uid }: ListedObject) => {
    if (group === 'argoproj.io' && kind === 'Application') return false;
    return tracker === undefined ? uids.has(uid) : instances.has(tracker);
  };
  const found = await Promise.all([...kinds.values()].map((kind) => listed(target, kind)));
  return found
    .flat()
    .filter(isOurs)
    .map((one) => {
      const keep = kept.find((other) => fits(other, one));
      const gone = one.deletingSince === undefined ? '' : ', and is being deleted';
      const what =
        one.tracker === undefined
          ? 'it should have been deleted'
          : `it was created by "${one.tracker}"`;
      return keep
        ? leftover(nameOf(one), keep.why, true)
        : leftover(nameOf(one), `${what}${gone}`, false);
    });
}

/** None if they cannot be read. */
async function listed(
  { objects }: Searched,
  kind: Pick<ResourceName, 'group' | 'kind'>,
  namespace?: string,
): Promise<readonly ListedObject[]> {
  const all = await objects.list(kind, namespace);
  return all === 'unknown' ? [] : all;
}

/** Claims that StatefulSets created carry no owner's name. */
async function claims({ target, kept }: Search): Promise<Leftover[]> {
  const patterns = kept.filter(({ name }) => name.endsWith('*'));
  const places = [...new Set(patterns.map(({ namespace }) => namespace))];
  const found = await Promise.all(places.map((place) => listed(target, CLAIM, place)));
  return found.flat().flatMap((one) => {
    const keep = patterns.find((pattern) => fits(pattern, one));
    return keep ? [leftover(nameOf(one), keep.why, true)] : [];
  });
}

async function namespaces(
  made: readonly MadeNamespace[],
  applications: readonly InventoryApplication[],
  { objects, residue }: Searched,
): Promise<Leftover[]> {
  const own = applications
    .flatMap(({ deletes }) => deletes)
    .filter(isNamespace)
    .map(({ name, uid = '' }) => ({ name, uid, why: null }));
  const found = await Promise.all(
    [...made, ...own].map(async ({ name, uid, why }) => {
      const resource = { group: '', kind: 'Namespace', namespace: '', name };
      const there = await objects.get(resource);
      if (there === undefined) return [];
      // It was recreated since. One that cannot be read is reported in any case.
      if (there !== 'unknown' && there.uid !== uid && uid !== '') return [];
      const reason = await residue.terminating(name);
      if (reason === undefined || reason === 'unknown') {
        return [
          leftover(resource, why ?? 'it should have been deleted but still exists', why !== null),
        ];
      }
      return [leftover(resource, `it is Terminating: ${reason || 'no reason is given'}`, false)];
    }),
  );
  return found.flat();
}

/** They name the claim that they were bound to. Their reclaim policy comes from their class. */
async function volumes({ target, had, uids }: Search): Promise<Leftover[]> {
  const own = had.filter(({ group, kind }) => group === '' && kind === CLAIM.kind);
  if (own.length === 0) return [];
  const patterns = own.filter(({ name }) => name.endsWith('*'));
  const isOfClaim = (claim: Named & { readonly uid: string }) =>
    uids.has(claim.uid) || patterns.some((one) => fits(one, { ...CLAIM, ...claim }));
  const all = await target.residue.volumes();
  if (all === 'unknown') return [];
  return all.flatMap(({ name, claim, phase }) => {
    if (!claim || phase !== 'Released' || !isOfClaim(claim)) return [];
    const resource = { group: '', kind: 'PersistentVolume', namespace: '', name };
    const why = `its claim was deleted: ${claim.namespace}/${claim.name}`;
    return [leftover(resource, why, true)];
  });
}

/** Webhooks whose Service is in the inventory and gone: they block the API server for everything that they cover. */
async function webhooks({ target, had }: Search): Promise<Leftover[]> {
  const gone = had.filter(({ group, kind }) => group === '' && kind === 'Service');
  if (gone.length === 0) return [];
  const all = await target.residue.webhooks();
  if (all === 'unknown') return [];
  const found = await Promise.all(
    all.map(async ({ services, ...resource }) => {
      const ours = services.filter((service) =>
        gone.some((one) => one.namespace === service.namespace && one.name === service.name),
      );
      const there = await Promise.all(
        ours.map((one) => target.objects.get({ group: '', kind: 'Service', ...one })),
      );
      const dead = ours.find((_, at) => there[at] === undefined);
      if (!dead) return [];
      const why = `the Service that it calls was deleted: ${dead.namespace}/${dead.name}`;
      return [leftover(nameOf(resource), why, false)];
    }),
  );
  return found.flat();
}

function instanceOf({ name, namespace }: InventoryApplication, argocd: string): string {
  return namespace === argocd ? name : `${namespace}_${name}`;
}

/** Cluster-scoped objects may be listed with the namespace of their Application. */
function fits(kept: ResourceName, { group, kind, namespace, name }: ResourceName): boolean {
  if (kept.group !== group || kept.kind !== kind) return false;
  if (namespace !== '' && kept.namespace !== namespace) return false;
  if (!kept.name.endsWith('*')) return kept.name === name;
  // A StatefulSet numbers its claims.
  const start = kept.name.slice(0, -1);
  return name.startsWith(start) && /^\d+$/.test(name.slice(start.length));
}
