// Compares the cluster with what the platform had: whatever still carries the tracking id of an Application that is gone, and
// what the approved inventory has. Nothing else is a leftover: its command would delete what belongs to others.
import type { Inventory, InventoryApplication, Kept } from '../../inventory/inventory.ts';
import { type ResourceName, renderResource } from '../../ports/application-view.ts';
import type { ListedObject, Named } from '../../ports/cluster-objects.ts';
import type { Cluster } from '../../ports/target.ts';
import { type Leftover, leftover } from '../../run/leftover.ts';

export async function findLeftovers(
  approved: Inventory,
  target: Pick<Cluster, 'namespace' | 'objects' | 'residue'>,
): Promise<Leftover[]> {
  const search = new Search(approved, target);
  const found = await Promise.all([
    search.tracked(),
    search.claims(),
    search.namespaces(),
    search.volumes(),
    search.webhooks(),
  ]);
  const unique = new Map(found.flat().map((one) => [renderResource(one.resource), one]));
  return [...unique].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}

const CLAIM = { group: '', kind: 'PersistentVolumeClaim' };

/** What an inventory has of an Application. */
type Had = InventoryApplication['deletes' | 'keeps'][number];

class Search {
  readonly #approved: Inventory;
  readonly #target: Pick<Cluster, 'namespace' | 'objects' | 'residue'>;
  /** As tracking ids call the Applications. */
  readonly #instances: ReadonlySet<string>;
  readonly #had: readonly Had[];
  readonly #kept: readonly Kept[];
  /** Of what was approved, as far as the inventory has them. */
  readonly #uids: ReadonlySet<string>;

  constructor(approved: Inventory, target: Pick<Cluster, 'namespace' | 'objects' | 'residue'>) {
    this.#approved = approved;
    this.#target = target;
    const applications = localIn(approved);
    this.#instances = new Set(applications.map((one) => instanceOf(one, target.namespace)));
    this.#kept = applications.flatMap(({ keeps }) => keeps);
    this.#had = applications.flatMap(({ deletes, keeps }) => [...deletes, ...keeps]);
    this.#uids = new Set(this.#had.flatMap(({ uid }) => uid ?? []));
  }

  /** Objects of the kinds that the platform had, with the tracking id of one of its Applications, or approved by uid. */
  async tracked(): Promise<Leftover[]> {
    const kinds = new Map(
      this.#had.map(({ group, kind }) => [`${group}/${kind}`, { group, kind }]),
    );
    const found = await Promise.all(
      [...kinds.values()].map(async (kind) => {
        const all = await this.#target.objects.list(kind);
        return all === 'unknown' ? [] : all.filter((one) => this.#isOurs(one));
      }),
    );
    return found.flat().map((one) => {
      const kept = this.#keptAs(one);
      const gone = one.deletingSince === undefined ? '' : ', and is being deleted';
      const what = one.tracker === undefined ? 'it was to go' : `it was made by "${one.tracker}"`;
      return kept
        ? leftover(nameOf(one), kept.why, true)
        : leftover(nameOf(one), `${what}${gone}`, false);
    });
  }

  /** Claims that StatefulSets made carry nobody's name. */
  async claims(): Promise<Leftover[]> {
    const patterns = this.#kept.filter(({ name }) => name.endsWith('*'));
    const places = [...new Set(patterns.map(({ namespace }) => namespace))];
    const found = await Promise.all(
      places.map(async (place) => {
        const all = await this.#target.objects.list(CLAIM, place);
        return all === 'unknown' ? [] : all;
      }),
    );
    return found.flat().flatMap((one) => {
      const kept = patterns.find((pattern) => fits(pattern, one));
      return kept ? [leftover(nameOf(one), kept.why, true)] : [];
    });
  }

  async namespaces(): Promise<Leftover[]> {
    const own = localIn(this.#approved).flatMap(({ deletes }) =>
      deletes.filter(({ group, kind }) => group === '' && kind === 'Namespace'),
    );
    const made = this.#approved.namespaces;
    const all = [...made, ...own.map(({ name, uid = '' }) => ({ name, uid, why: null }))];
    const found = await Promise.all(
      all.map(async ({ name, uid, why }) => {
        const resource = { group: '', kind: 'Namespace', namespace: '', name };
        const there = await this.#target.objects.get(resource);
        if (there === undefined) return [];
        // Somebody has made another one since. One that may not be read is told of in any case.
        if (there !== 'unknown' && there.uid !== uid && uid !== '') return [];
        const reason = await this.#target.residue.terminating(name);
        if (reason === undefined || reason === 'unknown') {
          return [leftover(resource, why ?? 'it was to go, and is there', why !== null)];
        }
        return [leftover(resource, `it is Terminating: ${reason || 'no reason is given'}`, false)];
      }),
    );
    return found.flat();
  }

  /** They name the claim that they were bound to. What policy made them stay is a matter of their class. */
  async volumes(): Promise<Leftover[]> {
    const claims = this.#had.filter(({ group, kind }) => group === '' && kind === CLAIM.kind);
    if (claims.length === 0) return [];
    const patterns = claims.filter(({ name }) => name.endsWith('*'));
    const isOfClaim = (claim: Named & { readonly uid: string }) =>
      this.#uids.has(claim.uid) || patterns.some((one) => fits(one, { ...CLAIM, ...claim }));
    const all = await this.#target.residue.volumes();
    if (all === 'unknown') return [];
    return all.flatMap(({ name, claim, phase }) => {
      if (!claim || phase !== 'Released' || !isOfClaim(claim)) return [];
      const resource = { group: '', kind: 'PersistentVolume', namespace: '', name };
      const why = `the claim that it was bound to is gone: ${claim.namespace}/${claim.name}`;
      return [leftover(resource, why, true)];
    });
  }

  /** Those that ask a Service of the inventory that is gone: they keep the API server from whatever they are asked about. */
  async webhooks(): Promise<Leftover[]> {
    const gone = this.#had.filter(({ group, kind }) => group === '' && kind === 'Service');
    if (gone.length === 0) return [];
    const all = await this.#target.residue.webhooks();
    if (all === 'unknown') return [];
    const found = await Promise.all(
      all.map(async ({ services, ...resource }) => {
        const ours = services.filter((service) =>
          gone.some((one) => one.namespace === service.namespace && one.name === service.name),
        );
        const there = await Promise.all(
          ours.map((one) => this.#target.objects.get({ group: '', kind: 'Service', ...one })),
        );
        const dead = ours.find((_, at) => there[at] === undefined);
        if (!dead) return [];
        const why = `the Service that it asks is gone: ${dead.namespace}/${dead.name}`;
        return [leftover(nameOf(resource), why, false)];
      }),
    );
    return found.flat();
  }

  #isOurs({ tracker, kind, group, uid }: ListedObject): boolean {
    if (group === 'argoproj.io' && kind === 'Application') return false;
    return tracker === undefined ? this.#uids.has(uid) : this.#instances.has(tracker);
  }

  #keptAs(one: ResourceName) {
    return this.#kept.find((kept) => fits(kept, one));
  }
}

/** Only Argo CD's own cluster is searched. */
function localIn({ applications }: Inventory): readonly InventoryApplication[] {
  return applications.filter(({ destination }) => destination === null);
}

function instanceOf({ name, namespace }: InventoryApplication, argocd: string): string {
  return namespace === argocd ? name : `${namespace}_${name}`;
}

/** Cluster-scoped objects may be listed with the namespace of their Application. */
function fits(kept: ResourceName, { group, kind, namespace, name }: ResourceName): boolean {
  if (kept.group !== group || kept.kind !== kind) return false;
  if (namespace !== '' && kept.namespace !== namespace) return false;
  if (!kept.name.endsWith('*')) return kept.name === name;
  // A StatefulSet numbers what it makes.
  const start = kept.name.slice(0, -1);
  return name.startsWith(start) && /^\d+$/.test(name.slice(start.length));
}

function nameOf({ group, kind, namespace, name }: ResourceName): ResourceName {
  return { group, kind, namespace, name };
}
