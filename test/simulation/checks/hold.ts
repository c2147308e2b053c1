// The hold: Argo CD syncs nothing by itself before Tiphys has seen it through its gate, and what did not get through stays held.

import type { RunEvent } from '../../../src/run/events.ts';
import type { Application } from '../../../src/simulator/argocd/application.ts';
import type { Change, KubeObject } from '../../../src/simulator/cluster/object-store.ts';
import type { TransportRequest } from '../../../src/targets/transport.ts';
import type { End, Life } from '../life.ts';
import type { Truth } from '../truth.ts';
import { type Accuse, isHolder, type Witness, writeOf } from '../witness.ts';
import type { World } from '../world.ts';
import { watchDelay } from './gates.ts';
import { isHold, windowsOf } from './writes.ts';

/** To read an AppProject and to write it. */
const SOON_MS = 10_000;

export class Holds implements Witness {
  readonly #world: World;
  readonly #truth: Truth;
  readonly #accuse: Accuse;
  readonly #now: () => number;
  /** Project -> the names that are held. */
  readonly #held = new Map<string, ReadonlySet<string>>();
  readonly #opened = new Map<Life, Set<string>>();
  readonly #asked = new Set<Life>();
  /** When an automated operation ended last. */
  readonly #ended = new Map<string, number>();
  readonly #delay: number;
  /** An operation of Argo CD's own was in flight before they were held: they are held when it has ended. */
  readonly #leftOut = new Set<string>();
  /** Projects on which a hold has been. */
  readonly #wasUp = new Set<string>();
  /** Who had the lease last. */
  #owner = '';
  /** Somebody took it away. */
  #isRobbed = false;

  constructor(world: World, truth: Truth, now: () => number, accuse: Accuse) {
    this.#world = world;
    this.#truth = truth;
    this.#now = now;
    this.#accuse = accuse;
    this.#delay = SOON_MS + watchDelay(world);
  }

  changed({ object, before, type }: Change): void {
    if (object.kind === 'AppProject') this.#projectChanged(object);
    if (object.kind === 'Lease') this.#owner = String(object.spec?.holderIdentity || this.#owner);
    if (object.kind !== 'Application' || type === 'DELETED') return;
    const { name } = object.metadata;
    const now = isAutomated(object);
    const then = before !== undefined && isAutomated(before);
    if (then && !now) this.#ended.set(name, this.#now());
    if (!now || then) return;
    const up = this.#wasUp.has(this.#projectOf(name)) && !this.#isRobbed;
    if (up && !this.#isThrough(name) && !this.#leftOut.has(name))
      this.#accuse('hold', `Argo CD syncs ${name} by itself, which has not passed its gate`);
    if (!this.#isHeld(name)) this.#leftOut.add(name);
  }

  sent(life: Life, request: TransportRequest): void {
    const write = writeOf(request);
    if (write?.kind === 'project') this.#releases(write.project, write.body);
    if (write?.kind !== 'sync' || this.#asked.has(life)) return;
    this.#asked.add(life);
    if (this.#isRobbed) return;
    for (const name of this.#world.automated) {
      const application = this.#truth.application(name);
      if (this.#isHeld(name) || this.#isThrough(name) || this.#leftOut.has(name)) continue;
      if (application && (isAutomated(application) || !syncsItself(application))) continue;
      this.#accuse('hold', `${life.name} asks for its first sync while ${name} is not held`);
    }
  }

  happened(life: Life, event: RunEvent): void {
    if (event.type !== 'gate.opened') return;
    this.#opened.set(life, (this.#opened.get(life) ?? new Set()).add(event.node));
  }

  ended(life: Life, end: End): void {
    // Whoever was overtaken sees what another one holds.
    if (end.kind !== 'report' || this.#isRobbed || !isHolder(life.name, this.#owner)) return;
    const { exitStatus, nodes, held } = end.report;
    for (const { id, outcome } of nodes) {
      const name = id.slice('app:'.length);
      if (!id.startsWith('app:') || !this.#world.automated.has(name)) continue;
      if (!this.#wasUp.has(this.#projectOf(name))) continue;
      const opened = this.#opened.get(life)?.has(id) === true;
      const good = outcome === 'healthy' || outcome === 'unchanged';
      const free = opened || this.#isThrough(name) || this.#leftOut.has(name);
      if (!good && !free && !this.#isHeld(name))
        this.#accuse('hold', `${name} ${outcome} and is not held after the run`);
      if (exitStatus === 0 && this.#isHeld(name))
        this.#accuse('hold', `${name} is still held although all went well`);
      if (exitStatus === 0 && held.includes(id))
        this.#accuse('hold', `the report says that ${name} is held although all went well`);
    }
  }

  #projectChanged(project: KubeObject): void {
    const { name } = project.metadata;
    const before = this.#held.get(name)?.size ?? 0;
    const names = windowsOf(project)
      .filter(isHold)
      .flatMap(({ applications = [] }) => applications);
    this.#held.set(name, new Set(names));
    for (const one of names) this.#leftOut.delete(one);
    for (const one of this.#world.automated) if (this.#isBusy(one)) this.#leftOut.add(one);
    if (names.length > 0) this.#wasUp.add(name);
    // The harness' own fault takes everything away, other people's windows as well.
    if (windowsOf(project).length === 0 && before > 0) this.#isRobbed = true;
    else if (names.length > 0) this.#isRobbed = false;
  }

  /** Names that a write of Tiphys takes out. */
  #releases(project: string, body: unknown): void {
    const given = windowsOf((body as { project: KubeObject }).project).filter(isHold);
    const left = new Set(given.flatMap(({ applications = [] }) => applications));
    for (const name of this.#held.get(project) ?? []) {
      if (left.has(name) || this.#isThrough(name)) continue;
      const application = this.#truth.application(name);
      // One that is frozen under the window is let end; the watch may be late to tell of its end.
      const ended = this.#ended.get(name) ?? Number.NEGATIVE_INFINITY;
      const frozen = application !== undefined && isAutomated(application);
      if (frozen || this.#now() - ended < this.#delay) {
        this.#leftOut.add(name);
        continue;
      }
      this.#accuse('hold', `${name} is handed over, and has not passed its gate`);
    }
  }

  #isHeld(name: string): boolean {
    return this.#held.get(this.#projectOf(name))?.has(name) === true;
  }

  #isBusy(name: string): boolean {
    const application = this.#truth.application(name);
    return application !== undefined && isAutomated(application) && !this.#isHeld(name);
  }

  #projectOf(name: string): string {
    return this.#world.reading.projects.get(name) ?? '';
  }

  /** It has been shown good since the first command was given. */
  #isThrough(name: string): boolean {
    return this.#truth.of(name).asShown.lasted(0, 0, this.#now());
  }
}

const isAutomated = (object: KubeObject): boolean =>
  (object as unknown as Application).operation?.initiatedBy?.automated === true;

const syncsItself = (object: KubeObject): boolean =>
  (object as unknown as Application).spec.syncPolicy?.automated !== undefined;
