// The hold: Argo CD syncs nothing by itself before Tiphys has seen it through its gate, and what did not get through stays held. In mode `gated`
// nothing is handed over at all.
import type { RunEvent } from '../../../src/run/events.ts';
import type { Application } from '../../../src/simulator/argocd/application.ts';
import type { Change, KubeObject } from '../../../src/simulator/cluster/object-store.ts';
import type { TransportRequest } from '../../../src/targets/transport.ts';
import type { End, Life } from '../life.ts';
import type { World } from '../seeded-world.ts';
import type { Truth } from '../truth.ts';
import { type Accuse, isHolder, type Witness, writeOf } from '../witness.ts';
import { type Guard, isAutomated } from './guard.ts';
import { isHold, windowsOf } from './writes.ts';

/** From the look at a frozen operation to the write that lets it end. */
const LOOK_MS = 5_000;

export interface HoldParts {
  readonly world: World;
  readonly truth: Truth;
  readonly guard: Guard;
  readonly now: () => number;
  readonly accuse: Accuse;
}

export class Holds implements Witness {
  readonly #parts: HoldParts;
  readonly #opened = new Map<Life, Set<string>>();
  readonly #asked = new Set<Life>();
  /** When an automated operation ended last. */
  readonly #ended = new Map<string, number>();
  /** Let go so that its own operation can end under no window; it is held again then. */
  readonly #freed = new Set<string>();
  /** They have been held. */
  readonly #wasHeld = new Set<string>();
  /** Who had the lease last. */
  #owner = '';

  constructor(parts: HoldParts) {
    this.#parts = parts;
  }

  /** After the guard. */
  changed({ object, before, type }: Change): void {
    if (object.kind === 'AppProject') this.#projectChanged();
    if (object.kind === 'Lease') this.#owner = String(object.spec?.holderIdentity || this.#owner);
    if (object.kind !== 'Application') return;
    const { name } = object.metadata;
    const now = type !== 'DELETED' && isAutomated(object);
    const then = before !== undefined && isAutomated(before);
    if (then && !now) this.#ended.set(name, this.#parts.now());
    if (now && !then) this.#began(name);
  }

  #began(name: string): void {
    const { world, guard, truth, accuse } = this.#parts;
    if (!world.planned.has(name) || !guard.isOn(name) || truth.isThrough(name)) return;
    if (!guard.isLeftOut(name) && !this.#freed.has(name) && !this.#isOnlyOpened(name))
      accuse('hold', `Argo CD syncs ${name} by itself, which has not passed its gate`);
  }

  sent(life: Life, request: TransportRequest): void {
    const { world, truth, guard, accuse } = this.#parts;
    const write = writeOf(request);
    if (write?.kind === 'project') this.#releases(write.project, write.body);
    if (write?.kind !== 'sync' || this.#asked.has(life)) return;
    this.#asked.add(life);
    for (const name of world.automated) {
      const application = truth.application(name);
      if (!world.planned.has(name) || guard.isHeld(name) || guard.isRobbed(name)) continue;
      if (truth.isThrough(name) || guard.isLeftOut(name) || this.#freed.has(name)) continue;
      if (application && (isAutomated(application) || !syncsItself(application))) continue;
      accuse('hold', `${life.name} asks for its first sync while ${name} is not held`);
    }
  }

  happened(life: Life, event: RunEvent): void {
    if (event.type !== 'gate.opened') return;
    this.#opened.set(life, (this.#opened.get(life) ?? new Set()).add(event.node));
  }

  ended(life: Life, end: End): void {
    const { world, guard } = this.#parts;
    // Whoever was overtaken sees what another one holds.
    if (end.kind !== 'report' || guard.isRobbedAnywhere || !isHolder(life.name, this.#owner))
      return;
    const { exitStatus, nodes, held } = end.report;
    for (const { id, outcome } of nodes) {
      const name = id.slice('app:'.length);
      if (!id.startsWith('app:') || !world.automated.has(name)) continue;
      if (outcome !== 'healthy' && outcome !== 'unchanged') this.#isKept(life, name, outcome);
      else if (exitStatus === 0) this.#isSettled(name, held.includes(id));
    }
  }

  /** What did not get through is held after the run. */
  #isKept(life: Life, name: string, outcome: string): void {
    const { truth, guard, accuse } = this.#parts;
    const opened = this.#opened.get(life)?.has(`app:${name}`) === true;
    const free = opened || truth.isThrough(name) || guard.isLeftOut(name) || this.#freed.has(name);
    if (guard.isOn(name) && !free && !guard.isHeld(name))
      accuse('hold', `${name} ${outcome} and is not held after the run`);
  }

  /** All went well: nothing is held any more, or in mode `gated` all that was. */
  #isSettled(name: string, isSaidHeld: boolean): void {
    const { world, guard, accuse } = this.#parts;
    const isGated = world.mode === 'gated';
    if (!isGated && guard.isHeld(name))
      accuse('hold', `${name} is still held although all went well`);
    if (isGated && this.#wasHeld.has(name) && !guard.isHeld(name))
      accuse('hold', `${name} is not held any more although the hold is to be kept`);
    if (isSaidHeld !== guard.isHeld(name))
      accuse('hold', `the report says that ${name} is ${isSaidHeld ? '' : 'not '}held, wrongly`);
  }

  #projectChanged(): void {
    const { world, guard } = this.#parts;
    for (const name of world.reading.gates.keys()) {
      if (!guard.isHeld(name)) continue;
      this.#wasHeld.add(name);
      this.#freed.delete(name);
    }
  }

  /** Names that a write of Tiphys takes out. */
  #releases(project: string, body: unknown): void {
    const { world, truth, guard, now, accuse } = this.#parts;
    const given = windowsOf(body as KubeObject).filter(isHold);
    const left = new Set(given.flatMap(({ applications = [] }) => applications));
    for (const [name, where] of world.reading.projects) {
      if (where !== project || !guard.isHeld(name) || left.has(name)) continue;
      const application = truth.application(name);
      // One that is frozen under the window is let end; it may end between the look and the write.
      const ended = this.#ended.get(name) ?? Number.NEGATIVE_INFINITY;
      const frozen = application !== undefined && isAutomated(application);
      if (frozen || now() - ended < LOOK_MS) this.#freed.add(name);
      else if (!truth.isThrough(name) && !this.#isOnlyOpened(name))
        accuse('hold', `${name} is handed over, and has not passed its gate`);
      else if (world.mode === 'gated')
        accuse('hold', `${name} is handed over although the hold is to be kept`);
    }
  }

  /** A part of the platform does not wait for a parent that has made what the part needs. */
  #isOnlyOpened(name: string): boolean {
    const { world, truth } = this.#parts;
    const isParent = world.scope !== undefined && world.reading.parents.has(name);
    return isParent && truth.of(name).inTruth.isGood;
  }
}

const syncsItself = (object: KubeObject): boolean =>
  (object as unknown as Application).spec.syncPolicy?.automated !== undefined;
