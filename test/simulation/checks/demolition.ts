// S2: an application is deleted only when everything that depends on it is gone. S4: only what was approved goes. S10: nothing is forced.
import type { Inventory } from '../../../src/inventory/inventory.ts';
import type { RunEvent } from '../../../src/run/events.ts';
import type { Change, KubeObject } from '../../../src/simulator/cluster/object-store.ts';
import type { TransportRequest } from '../../../src/targets/transport.ts';
import type { Life } from '../life.ts';
import type { World } from '../seeded-world.ts';
import { type Accuse, type Witness, writeOf } from '../witness.ts';
import { asleep } from './gates.ts';

/** Between the look at what depends on it and the arrival of a deletion somebody may make one anew. */
const LOOK_MS = 3_000;

interface Parts {
  readonly now: () => number;
  /** The kinds of what is in it, in this cluster. */
  readonly inNamespace: (name: string, cluster: string) => readonly string[];
}

interface There {
  readonly uid: string;
  readonly since: number;
  readonly isGoing: boolean;
}

export class Demolished implements Witness {
  readonly #world: World;
  readonly #now: () => number;
  readonly #inNamespace: Parts['inNamespace'];
  readonly #accuse: Accuse;
  readonly #applications = new Map<string, There>();
  readonly #deployments = new Map<string, There>();
  /** uids and namespaces that somebody has approved. */
  readonly #approved = new Set<string>();
  /** Those that the platform has something in beside its Applications. */
  readonly #clusters: ReadonlySet<string>;
  /** Application -> those that must be gone before it. */
  readonly #before = new Map<string, Set<string>>();

  constructor(world: World, { now, inNamespace }: Parts, accuse: Accuse) {
    this.#world = world;
    this.#now = now;
    this.#inNamespace = inNamespace;
    this.#accuse = accuse;
    const { gates, children } = world.reading;
    this.#clusters = new Set(
      [...world.workloads.keys()].map((name) => world.destinations.get(name) ?? ''),
    );
    for (const name of gates.keys()) this.#before.set(name, new Set(children.get(name)));
    for (const [dependent, needed] of gates)
      for (const name of needed) this.#before.get(name)?.add(dependent);
  }

  approve({ applications, namespaces, makers }: Inventory): void {
    for (const { uid } of applications) this.#approved.add(uid);
    for (const { uid } of makers) this.#approved.add(uid);
    for (const { name, cluster = '', why } of namespaces) {
      // With a reason it stays.
      if (why !== null) continue;
      this.#approved.add(`${cluster} ${name}`);
      if (!this.#clusters.has(cluster))
        this.#accuse('S4', `shows ${name} of a cluster that nothing is deployed to: ${cluster}`);
    }
  }

  changed({ type, object }: Change): void {
    if (object.kind !== 'Application' && object.kind !== 'Deployment') return;
    const of = object.kind === 'Application' ? this.#applications : this.#deployments;
    const { name } = object.metadata;
    if (type === 'DELETED') of.delete(name);
    else of.set(name, this.#there(object, of.get(name)));
  }

  sent(life: Life, request: TransportRequest, cluster: string): void {
    const write = writeOf(request);
    if (write?.kind === 'other') this.#onOther(write.what, write.body, cluster);
    if (write?.kind !== 'delete') return;
    const { application } = write;
    if (!/[?&]cascade=true/.test(request.path) || !/[?&]propagationPolicy=fore/.test(request.path))
      this.#accuse('S10', `deletes ${application} in another way than with all that it has`);
    const slack = LOOK_MS + 4 * this.#world.latency + asleep(life, this.#now());
    const isOld = ({ since }: There) => this.#now() - since > slack;
    const now = this.#applications.get(application);
    // What goes already goes no sooner.
    if (!now || now.isGoing) return;
    if (!this.#approved.has(now.uid) && isOld(now))
      this.#accuse('S4', `deletes another ${application} than was approved`);
    for (const name of this.#before.get(application) ?? []) {
      const dependent = this.#applications.get(name);
      if (dependent && isOld(dependent))
        this.#accuse('S2', `deletes ${application} while ${name} is there`);
      const [part] = this.#partsOf(name);
      if (part && !dependent)
        this.#accuse('S2', `deletes ${application} while the Deployment ${part} is there`);
    }
  }

  /** Beside Applications only namespaces go, and only empty ones; and what would make Applications again, without taking them along. */
  #onOther(what: string, body: unknown, cluster: string): void {
    if (/^DELETE .*\/applicationsets\/[^/]+$/.test(what)) {
      const { propagationPolicy, preconditions } = body as {
        readonly propagationPolicy?: string;
        readonly preconditions?: { readonly uid?: string };
      };
      if (propagationPolicy !== 'Orphan') this.#accuse('S10', `${what} takes Applications along`);
      if (!this.#approved.has(preconditions?.uid ?? ''))
        this.#accuse('S4', `${what}, not approved`);
      return;
    }
    const [, name = ''] = /^DELETE \/api\/v1\/namespaces\/([^/?]+)$/.exec(what) ?? [];
    if (!this.#approved.has(`${cluster} ${name}`)) this.#accuse('S4', `sent ${what} ${cluster}`);
    const inside = this.#inNamespace(name, cluster);
    if (inside.length > 0) this.#accuse('S4', `deletes ${name} with ${inside.join(', ')} in it`);
  }

  /** What is there of the platform. */
  left(): string[] {
    const { gates } = this.#world.reading;
    const applications = [...gates.keys()].filter((name) => this.#applications.has(name));
    return [...applications, ...[...gates.keys()].flatMap((name) => this.#partsOf(name))];
  }

  uidOf(application: string): string | undefined {
    return this.#applications.get(application)?.uid;
  }

  #partsOf(application: string): string[] {
    return [application, `${application}-first`].filter((name) => this.#deployments.has(name));
  }

  #there({ metadata }: KubeObject, before: There | undefined): There {
    const { uid = '', deletionTimestamp } = metadata;
    const since = before?.uid === uid ? before.since : this.#now();
    return { uid, since, isGoing: deletionTimestamp !== undefined };
  }
}

/** S4: nobody is told to delete what is others'. */
export class Silence implements Witness {
  readonly #name: string;
  readonly #accuse: Accuse;

  constructor(name: string, accuse: Accuse) {
    this.#name = name;
    this.#accuse = accuse;
  }

  happened(_: Life, event: RunEvent): void {
    if (JSON.stringify(event).includes(this.#name))
      this.#accuse('S4', `tells of ${this.#name}, which is not the platform's: ${event.type}`);
  }
}
