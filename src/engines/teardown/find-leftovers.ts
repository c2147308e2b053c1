// Compares the cluster with what the platform had: whatever still carries the name of an Application that is gone, and what
// tends to be left where something was taken down.
import type { Inventory, InventoryApplication } from '../../inventory/inventory.ts';
import { type ResourceName, renderResource } from '../../run/application-view.ts';
import type { ListedObject } from '../../run/cluster-objects.ts';
import { type Leftover, leftover } from '../../run/leftover.ts';
import type { Target } from '../../run/target.ts';

export async function findLeftovers(
  approved: Inventory,
  target: Pick<Target, 'namespace' | 'objects' | 'residue'>,
): Promise<Leftover[]> {
  const search = new Search(approved, target);
  const found = await Promise.all([
    search.tracked(),
    search.claims(),
    search.namespaces(),
    search.volumes(),
    search.webhooks(),
    search.services(),
  ]);
  const unique = new Map(found.flat().map((one) => [renderResource(one.resource), one]));
  return [...unique].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}

class Search {
  readonly #approved: Inventory;
  readonly #target: Pick<Target, 'namespace' | 'objects' | 'residue'>;
  /** As tracking ids call the Applications. */
  readonly #instances: ReadonlySet<string>;
  readonly #kept: readonly (ResourceName & { readonly why: string })[];
  readonly #places: readonly string[];

  constructor(approved: Inventory, target: Pick<Target, 'namespace' | 'objects' | 'residue'>) {
    this.#approved = approved;
    this.#target = target;
    const applications = localIn(approved);
    this.#instances = new Set(applications.map((one) => instanceOf(one, target.namespace)));
    this.#kept = applications.flatMap(({ keeps }) => keeps);
    const had = applications.flatMap(({ deletes, keeps }) => [...deletes, ...keeps]);
    this.#places = [...new Set(had.map(({ namespace }) => namespace).filter(Boolean))].sort();
  }

  /** Objects of the kinds that the platform had, with the tracking id or label of one of its Applications. */
  async tracked(): Promise<Leftover[]> {
    const had = localIn(this.#approved).flatMap(({ deletes, keeps }) => [...deletes, ...keeps]);
    const kinds = new Map(had.map(({ group, kind }) => [`${group}/${kind}`, { group, kind }]));
    const found = await Promise.all(
      [...kinds.values()].map(async (kind) => {
        const all = await this.#target.objects.list(kind);
        return all === 'unknown' ? [] : all.filter((one) => this.#isOurs(one));
      }),
    );
    return found.flat().map((one) => {
      const kept = this.#keptAs(one);
      const gone = one.deletingSince === undefined ? '' : ', and is being deleted';
      return kept
        ? leftover(nameOf(one), kept.why, true)
        : leftover(nameOf(one), `it was made by "${one.tracker}"${gone}`, false);
    });
  }

  /** Claims that StatefulSets made carry nobody's name. */
  async claims(): Promise<Leftover[]> {
    const patterns = this.#kept.filter(({ name }) => name.endsWith('*'));
    const places = [...new Set(patterns.map(({ namespace }) => namespace))];
    const kind = { group: '', kind: 'PersistentVolumeClaim' };
    const found = await Promise.all(
      places.map(async (place) => {
        const all = await this.#target.objects.list(kind, place);
        return all === 'unknown' ? [] : all;
      }),
    );
    return found.flat().flatMap((one) => {
      const kept = patterns.find((pattern) => fits(pattern, one));
      return kept ? [leftover(nameOf(one), kept.why, true)] : [];
    });
  }

  async namespaces(): Promise<Leftover[]> {
    const made = this.#approved.namespaces.map(({ name, why }) => ({ name, why }));
    const own = localIn(this.#approved).flatMap(({ deletes }) =>
      deletes.filter(({ group, kind }) => group === '' && kind === 'Namespace'),
    );
    const all = [...made, ...own.map(({ name }) => ({ name, why: null }))];
    const found = await Promise.all(
      all.map(async ({ name, why }) => {
        const resource = { group: '', kind: 'Namespace', namespace: '', name };
        if ((await this.#target.objects.get(resource)) === undefined) return [];
        const reason = await this.#target.residue.terminating(name);
        if (reason === undefined || reason === 'unknown') {
          return [leftover(resource, why ?? 'it was to go, and is there', why !== null)];
        }
        return [leftover(resource, `it is Terminating: ${reason || 'no reason is given'}`, false)];
      }),
    );
    return found.flat();
  }

  /** They carry the name of the claim that they were bound to. What policy made them stay is a matter of their class. */
  async volumes(): Promise<Leftover[]> {
    if (this.#places.length === 0) return [];
    const all = await this.#target.residue.volumes();
    if (all === 'unknown') return [];
    return all.flatMap(({ name, claim, phase }) => {
      const isOurs = claim && this.#places.includes(claim.namespace) && phase === 'Released';
      if (!isOurs) return [];
      const resource = { group: '', kind: 'PersistentVolume', namespace: '', name };
      const why = `the claim that it was bound to is gone: ${claim.namespace}/${claim.name}`;
      return [leftover(resource, why, true)];
    });
  }

  /** They keep the API server from whatever they are asked about. */
  async webhooks(): Promise<Leftover[]> {
    if (this.#places.length === 0) return [];
    const all = await this.#target.residue.webhooks();
    if (all === 'unknown') return [];
    const found = await Promise.all(
      all.map(async ({ services, ...resource }) => {
        const ours = services.filter(({ namespace }) => this.#places.includes(namespace));
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

  async services(): Promise<Leftover[]> {
    const found = await Promise.all(
      this.#places.map(async (place) => {
        const idle = await this.#target.residue.idleServices(place);
        const all = await this.#target.objects.list({ group: '', kind: 'Service' }, place);
        if (idle === 'unknown' || all === 'unknown') return [];
        const others = all.filter(({ tracker }) => tracker && !this.#instances.has(tracker));
        return idle.filter(({ name }) => !others.some((one) => one.name === name));
      }),
    );
    return found
      .flat()
      .map((one) => leftover(one, 'nothing answers for it', this.#keptAs(one) !== undefined));
  }

  #isOurs({ tracker, kind, group }: ListedObject): boolean {
    if (group === 'argoproj.io' && kind === 'Application') return false;
    return tracker !== undefined && this.#instances.has(tracker);
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
  return kept.name.endsWith('*') ? name.startsWith(kept.name.slice(0, -1)) : kept.name === name;
}

function nameOf({ group, kind, namespace, name }: ResourceName): ResourceName {
  return { group, kind, namespace, name };
}
