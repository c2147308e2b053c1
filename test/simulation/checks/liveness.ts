// L2: every life ends, and says how. L3: nobody asks again and again while nothing changes. L5: who takes over begins at once.

import type { Carried } from '../../../src/rehearsal/rehearsal.ts';
import type { RunEvent } from '../../../src/run/events.ts';
import type { Application } from '../../../src/simulator/argocd/application.ts';
import type { Change } from '../../../src/simulator/cluster/object-store.ts';
import type { TransportRequest } from '../../../src/targets/transport.ts';
import type { End, Life } from '../life.ts';
import type { World } from '../seeded-world.ts';
import { type Accuse, applicationIn, type Witness, writeOf } from '../witness.ts';

const MINUTE_MS = 60_000;
/** Requests about one application within a minute in which nothing of it changes; so many more where they are not even heard. */
const OF_ONE = 60;
const UNHEARD = 2;
/** Requests about no application in particular, within a minute; those of a teardown ask for single objects. */
const OF_NONE = { deploy: 300, teardown: 600, workflow: 600 };
/** Of each Application: its hand-over and its record; a teardown looks at what it has, a pod of a Workflow asks for all that it needs. */
const OF_EACH = { deploy: 10, teardown: 30, workflow: 30 };
/** The pod of each dependent looks itself whether the gate is open: when it begins, and before it writes. */
const OF_DEPENDENT = 6;
/** A pod that reads what is old cannot renew its Lease, and tries twice each second. */
const OF_BLIND_POD = 360;
/** A deployment holds and hands over in each AppProject. */
const OF_PROJECT = 150;
/** Until something is begun, in milliseconds: pods have to be started first. */
const BEGINS_MS = { deploy: 1_000, teardown: 1_000, workflow: 40_000 };

interface Count {
  from: number;
  requests: number;
}

export class Liveness implements Witness {
  readonly #world: World;
  readonly #now: () => number;
  readonly #accuse: Accuse;
  readonly #action: keyof typeof OF_NONE;
  readonly #ofNone: number;
  /** Of a large world by a Workflow: how many pods look at it. */
  readonly #dependents = new Map<string, number>();
  readonly #sent = new Map<string, Count>();
  readonly #heard = new Map<string, Count>();
  readonly #states = new Map<string, string>();
  readonly #leased = new Map<string, number>();
  readonly #began = new Set<string>();
  /** The most that was seen within a minute of quiet. */
  busiest = 0;
  requests = 0;

  constructor(
    world: World,
    now: () => number,
    accuse: Accuse,
    action: keyof typeof OF_NONE = 'deploy',
  ) {
    this.#action = action;
    const { gates, projects } = world.reading;
    const ofProjects = OF_PROJECT * new Set(projects.values()).size;
    const ofEach = world.isLarge ? OF_EACH[action] * gates.size : 0;
    if (action === 'workflow' && world.isLarge)
      for (const name of [...gates.values()].flatMap((names) => [...names]))
        this.#dependents.set(name, (this.#dependents.get(name) ?? 0) + 1);
    const isBlind = world.mishaps.faults.some(
      ({ subject, effect }) => subject === 'api' && effect === 'stale',
    );
    const ofPods =
      action === 'workflow' && isBlind ? OF_BLIND_POD * world.platform.spec.concurrency : 0;
    this.#ofNone = Math.max(OF_NONE[action], ofProjects) + ofEach + ofPods;
    this.#world = world;
    this.#now = now;
    this.#accuse = accuse;
  }

  changed({ object }: Change): void {
    if (object.kind !== 'Application') return;
    const { name } = object.metadata;
    const state = stateOf(object as unknown as Application);
    if (this.#states.get(name) === state) return;
    this.#states.set(name, state);
    this.#sent.delete(name);
    this.#heard.delete(name);
  }

  sent(_: Life, request: TransportRequest): void {
    this.requests++;
    const name = applicationIn(request) ?? '';
    const count = this.#count(this.#sent, name, UNHEARD * OF_ONE);
    if (name !== '') this.busiest = Math.max(this.busiest, count);
  }

  #count(counts: Map<string, Count>, name: string, ofOne: number): number {
    const count = counts.get(name) ?? { from: this.#now(), requests: 0 };
    counts.set(name, count);
    if (this.#now() - count.from >= MINUTE_MS) {
      count.from = this.#now();
      count.requests = 0;
    }
    count.requests++;
    const ofDependents = OF_DEPENDENT * (this.#dependents.get(name) ?? 0);
    const most = name === '' ? this.#ofNone : ofOne + ofDependents;
    if (count.requests === most + 1) {
      const what = name === '' ? 'no application in particular' : name;
      this.#accuse('L3', `more than ${most} requests about ${what} while nothing changed`);
    }
    return count.requests;
  }

  carried({ who, request, answer }: Carried): void {
    const name = applicationIn(request);
    if (name !== undefined) this.#count(this.#heard, name, OF_ONE);
    const isLease = writeOf(request)?.kind === 'lease' && answer.status < 300;
    if (isLease && !this.#leased.has(who)) this.#leased.set(who, this.#now());
  }

  happened(life: Life, event: RunEvent): void {
    if (event.type !== 'node.started' && event.type !== 'run.finished') return;
    if (this.#began.has(life.name)) return;
    this.#began.add(life.name);
    const took = this.#now() - (this.#leased.get(life.name) ?? this.#now());
    const most = BEGINS_MS[this.#action] + 30 * this.#world.latency;
    const undisturbed =
      this.#world.mishaps.faults.length === 0 && life.pauses.length === 0 && !life.jumped;
    if (undisturbed && took > most)
      this.#accuse('L5', `${life.name} needed ${Math.round(took)} ms to begin`);
  }

  ended({ name }: Life, end: End): void {
    if (end.kind === 'crashed') {
      const { error } = end;
      const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
      this.#accuse('L2', `${name} crashed: ${what}`);
    }
    if (end.kind === 'refused') {
      const nameless = end.error.diagnostics.find(({ code, message }) => !code || !message);
      if (nameless || end.error.diagnostics.some(({ code }) => code === 'bug'))
        this.#accuse('L2', `${name} ended without saying why: ${end.error.message}`);
    }
    if (end.kind !== 'report') return;
    for (const { id, outcome, cause } of end.report.nodes) {
      if ((outcome === 'failed' || outcome === 'skipped') && !cause?.message)
        this.#accuse('L2', `${name}: ${id} ${outcome}, and nobody knows why`);
    }
  }
}

/** What a decision could hang on. */
function stateOf({ operation, status, metadata }: Application): string {
  const state = status?.operationState;
  return JSON.stringify([
    metadata.uid,
    operation !== undefined,
    [state?.phase, state?.startedAt, state?.message],
    [status?.sync?.status, status?.sync?.revision, status?.health?.status],
    status?.conditions?.length ?? 0,
  ]);
}
