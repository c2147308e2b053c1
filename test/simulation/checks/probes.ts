// S12: no sync is asked for unless the probe of what it depends on was good, on what is deployed of that, where it has one.
import type { Application } from '../../../src/simulator/argocd/application.ts';
import type { Change, KubeObject } from '../../../src/simulator/cluster/object-store.ts';
import type { TransportRequest } from '../../../src/targets/transport.ts';
import type { Life } from '../life.ts';
import type { World } from '../seeded-world.ts';
import { type Accuse, type Witness, writeOf } from '../witness.ts';
import { Deployed } from './deployed.ts';
import { asleep, watchDelay } from './gates.ts';

interface Parts {
  readonly world: World;
  readonly now: () => number;
  readonly accuse: Accuse;
}

export class Probes implements Witness {
  readonly #parts: Parts;
  readonly #deployed: Deployed;
  /** By application, what was there when a Job of its probe was made that was good. */
  readonly #good = new Map<string, Set<string>>();
  /** By the uid of a Job, what was there when it was made. */
  readonly #asked = new Map<string, readonly string[]>();

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#deployed = new Deployed(parts.now);
  }

  changed({ type, object }: Change): void {
    if (type === 'DELETED') return;
    if (object.kind === 'Application') this.#deployed.changed(object as Application);
    const [, name] = object.metadata.annotations?.['tiphys.dev/application']?.split('/') ?? [];
    if (object.kind === 'Job' && name !== undefined) this.#onJob(object, name);
  }

  #onJob({ metadata, status }: KubeObject, name: string): void {
    const uid = metadata.uid ?? '';
    const asked = this.#asked.get(uid) ?? this.#deployed.lately(name, 0);
    this.#asked.set(uid, asked);
    if ((status as { succeeded?: number } | undefined)?.succeeded !== 1) return;
    this.#good.set(name, new Set([...(this.#good.get(name) ?? []), ...asked]));
  }

  sent(life: Life, request: TransportRequest): void {
    const write = writeOf(request);
    if (write?.kind !== 'sync') return;
    const { world, now, accuse } = this.#parts;
    const slack = watchDelay(world) + asleep(life, now()) + 1_000;
    for (const name of world.reading.gates.get(write.application) ?? []) {
      if (!world.probing.has(name) || !world.planned.has(name)) continue;
      const good = this.#good.get(name);
      if (!this.#deployed.lately(name, slack).some((what) => good?.has(what)))
        accuse('S12', `${write.application} was asked for while the probe of ${name} was not good`);
    }
  }
}
