// One seed from its beginning to its end: a platform is deployed while things go wrong; then nothing goes wrong any more, and it must come up.

import type { Fault } from '../../src/rehearsal/fault.ts';
import { Rehearsal } from '../../src/rehearsal/rehearsal.ts';
import { API } from '../../src/simulator/argocd/application.ts';
import { kindOf } from '../../src/simulator/cluster/served-kinds.ts';
import { deployment } from './deployment.ts';
import { type Facts, factsOf } from './distribution.ts';
import { HEALS_MS, heal } from './heal.ts';
import { commit, HISTORY, holdAll, populate } from './land.ts';
import { type End, type Interceptor, Life } from './life.ts';
import { FATE_CLASSES, type Fate, type Mishaps } from './mishaps.ts';
import type { Counts, Mission, MissionParts } from './mission.ts';
import type { World } from './seeded-world.ts';
import { NAMESPACE } from './shape.ts';
import { Trace } from './trace.ts';
import type { Violation, Witness } from './witness.ts';

export interface Result extends Counts {
  readonly violations: readonly Violation[];
  /** Classes of faults that were there, and how often each had an effect. */
  readonly met: Readonly<Record<string, number>>;
  /** Virtual seconds from the first command to the end. */
  readonly seconds: number;
  readonly lives: number;
  readonly applications: number;
  readonly facts: Facts;
  /** Whether all came up in the end. */
  readonly finished: boolean;
}

export interface Options {
  /** Hears everything, for a trace. */
  readonly trace?: (line: string) => void;
  /** For the first life. */
  readonly intercept?: (life: () => Life) => Interceptor;
  /** What it is for; to deploy the platform, if nothing else is said. */
  readonly mission?: (parts: MissionParts) => Mission;
}

const START = Date.UTC(2026, 0, 1);
const SECOND = 1_000;
/** Of each invariant: one that is broken again and again hides no other. */
const MOST_VIOLATIONS = 3;
const AGAIN = 12;
/** Until a dead run's lease is free, and until a silent watch is noticed. */
const TAKEOVER = 120;
/** Until an ApplicationSet has made its Applications. */
const GENERATED_MS = 150;
/** Nothing here waits for the world outside: when what was promised is done, all is. */
const settle = () => new Promise<void>((resolve) => process.nextTick(resolve));

export async function simulate(world: World, options: Options = {}): Promise<Result> {
  const run = new Simulation(world, options);
  return await run.run();
}

class Simulation {
  readonly #world: World;
  readonly #options: Options;
  readonly #rehearsal: Rehearsal;
  readonly #mission: Mission;
  readonly #violations: Violation[] = [];
  readonly #witnesses: readonly Witness[];
  readonly #lives: Life[] = [];
  readonly #faults: Mishaps['faults'];
  /** What befell a process that was alive. */
  readonly #befallen: Fate[] = [];
  /** How often each fault had had an effect before the first command. */
  #metBefore: ReadonlyMap<Fault, number> = new Map();
  #begun = 0;
  /** When the last run said that it was done. */
  #saidDone = 0;
  /** The platform is up: nothing befalls anybody any more. */
  #isDone = false;
  /** Seconds until the command is given again. */
  #back = AGAIN;

  constructor(world: World, options: Options) {
    this.#world = world;
    this.#options = options;
    const shift = world.wasDeployed ? HISTORY : 0;
    this.#faults = world.mishaps.faults.map((fault) => {
      return fault.at === undefined ? fault : { ...fault, at: fault.at + shift };
    });
    this.#rehearsal = new Rehearsal({
      ...{ seed: world.seed, start: START, namespace: NAMESPACE, pace: { settle } },
      faults: this.#faults,
      ...{ latency: world.latency, argocd: world.argocd },
      settings: { nested: world.nestedHealth },
    });
    const { time } = this.#rehearsal;
    for (const called of [...world.destinations.values(), ...world.contexts])
      this.#rehearsal.cluster(called);
    const accuse = (invariant: string, message: string) => this.#accuse(invariant, message);
    const { trace, mission = deployment } = options;
    this.#mission = mission({ world, rehearsal: this.#rehearsal, accuse });
    this.#witnesses = [
      ...(trace ? [new Trace(() => time.now, trace)] : []),
      ...this.#mission.witnesses,
    ];
    for (const { objects } of this.#rehearsal.clusters)
      objects.onChange((change) => this.#tell((witness) => witness.changed?.(change)));
    this.#rehearsal.onRequest((carried) => this.#tell((witness) => witness.carried?.(carried)));
  }

  async run(): Promise<Result> {
    const { time } = this.#rehearsal;
    populate(this.#rehearsal, this.#world);
    if (this.#world.heldBefore && !this.#world.wasDeployed) holdAll(this.#rehearsal, this.#world);
    if (this.#world.hasGenerator) await time.advance(GENERATED_MS);
    if (this.#world.wasDeployed) await this.#history();
    this.#begun = time.now;
    this.#metBefore = new Map(this.#rehearsal.faults.met);
    this.#mission.begin();
    if (this.#world.looks.every > 0)
      time.after(this.#world.looks.first * SECOND, () => this.#look());
    for (const fate of this.#world.mishaps.fates) {
      time.after(fate.at * SECOND, () => this.#befall(fate));
    }
    time.after(this.#world.end * SECOND + 1, () => heal(this.#rehearsal));
    let finished = false;
    try {
      finished = await time.until(this.#command(), this.#limit());
    } catch (error) {
      this.#accuse('L2', `it does not end: ${error instanceof Error ? error.stack : error}`);
    }
    const seconds = (time.now - this.#begun) / SECOND;
    this.#isDone = finished;
    if (finished) await this.#afterwards();
    this.#mission.close();
    for (const { abort } of this.#lives) abort.abort();
    return this.#result(finished, seconds);
  }

  /** Argo CD has brought up what it syncs by itself; then some of it changes in Git. */
  async #history(): Promise<void> {
    const { workloads, changed } = this.#world;
    await this.#rehearsal.time.advance(HISTORY * SECOND);
    if (this.#world.heldBefore) holdAll(this.#rehearsal, this.#world);
    for (const name of changed) {
      const workload = workloads.get(name);
      if (workload) commit(this.#rehearsal, name, workload, 2);
    }
  }

  /** Argo CD compares everything, as it does after a push, or when its time has come. */
  #look(): void {
    const { time, objects, controller } = this.#rehearsal;
    if ((time.now - this.#begun) / SECOND > this.#world.end) return;
    for (const object of objects.list(kindOf(API, 'Application'))) controller.refresh(object, 2);
    time.after(this.#world.looks.every * SECOND, () => this.#look());
  }

  /** As somebody at a terminal does: the same command again until it is done. */
  async #command(): Promise<boolean> {
    const { time } = this.#rehearsal;
    for (;;) {
      const end = await this.#live(this.#start());
      if (end.kind === 'report' && end.report.exitStatus === 0) return true;
      if (time.now - this.#begun > this.#deadline()) {
        this.#accuse(
          'L1',
          `not finished ${Math.round(this.#deadline() / SECOND)} s after the first command`,
        );
        return false;
      }
      await time.sleep(this.#back * SECOND);
      this.#back = AGAIN;
    }
  }

  #start(): Life {
    const name = `t${this.#lives.length + 1}`;
    const intercept = this.#lives.length === 0 ? this.#options.intercept : undefined;
    const life: Life = new Life(
      this.#rehearsal,
      name,
      this.#mission.command,
      {
        sent: (one, request, cluster) =>
          this.#tell((witness) => witness.sent?.(one, request, cluster)),
        happened: (one, event) => {
          if (event.type === 'run.finished') this.#saidDone = this.#rehearsal.time.now;
          this.#tell((witness) => witness.happened?.(one, event));
        },
        left: (one, node) => this.#tell((witness) => witness.left?.(one, node)),
      },
      intercept?.(() => life),
      this.#world.contexts,
    );
    this.#lives.push(life);
    return life;
  }

  async #live(life: Life): Promise<End> {
    const end = await life.end;
    this.#tell((witness) => witness.ended?.(life, end));
    return end;
  }

  #befall(fate: Fate): void {
    // The last one that the command was given for.
    const life = this.#lives.at(-1);
    if (this.#isDone || !life || life.isOver) return;
    this.#befallen.push(fate);
    if (fate.kind === 'doubled') void this.#live(this.#start());
    if (fate.kind === 'killed' || fate.kind === 'stopped') this.#back = fate.back;
    if (fate.kind === 'killed') life.kill();
    if (fate.kind === 'stopped') life.stop.abort();
    if (fate.kind === 'paused') life.pause(fate.for * SECOND);
    if (fate.kind === 'jumps') life.jump(fate.by * SECOND);
  }

  /** Milliseconds after the first command by which it must be done. */
  #deadline(): number {
    const { end, platform } = this.#world;
    const { timeouts, retries } = platform.spec;
    const seconds = (text: string) => Number.parseInt(text, 10);
    const one = seconds(timeouts.sync) + seconds(timeouts.health);
    const backoff = seconds(retries.backoff) * 2 ** retries.maxAttempts;
    return (end + 2 * this.#mission.expected + backoff + one + TAKEOVER) * SECOND;
  }

  #limit(): number {
    return this.#deadline() + Number.parseInt(this.#world.platform.spec.timeouts.run, 10) * SECOND;
  }

  /** What comes of it is looked at when nothing goes wrong any more. */
  async #afterwards(): Promise<void> {
    const { time } = this.#rehearsal;
    const again = () => this.#live(this.#start());
    const look = async () => {
      // One that was started beside the others may still be at work.
      await Promise.all(this.#lives.map(({ end }) => end));
      if (await this.#calm()) await this.#mission.afterwards(again);
    };
    try {
      await time.until(look(), 2 * this.#limit());
    } catch (error) {
      this.#accuse('L2', `it does not end: ${error instanceof Error ? error.stack : error}`);
    }
  }

  /** What falls after a run has looked is not for it to see: then the command is given once more. */
  async #calm(): Promise<boolean> {
    const { time } = this.#rehearsal;
    const end = this.#begun + this.#world.end * SECOND + HEALS_MS;
    if (this.#saidDone > end || this.#world.mishaps.faults.length === 0) return true;
    await time.sleep(Math.max(0, end - time.now) + SECOND);
    return await this.#command();
  }

  #result(finished: boolean, seconds: number): Result {
    const met: Record<string, number> = {};
    const count = (name: string, more: number) => {
      met[name] = (met[name] ?? 0) + more;
    };
    for (const fault of this.#faults) {
      const before = this.#metBefore.get(fault) ?? 0;
      count(fault.class, (this.#rehearsal.faults.met.get(fault) ?? 0) - before);
    }
    for (const fate of this.#world.mishaps.fates)
      count(FATE_CLASSES[fate.kind], this.#befallen.includes(fate) ? 1 : 0);
    return {
      ...{ violations: this.#violations, met, seconds, finished },
      ...this.#mission.counts(),
      lives: this.#lives.length,
      ...{ applications: this.#world.workloads.size, facts: factsOf(this.#world) },
    };
  }

  #accuse(invariant: string, message: string): void {
    const at = this.#rehearsal.time.now / SECOND;
    this.#options.trace?.(`${at.toFixed(3)} !!! ${invariant}: ${message}`);
    const alike = this.#violations.filter((one) => one.invariant === invariant);
    if (alike.length < MOST_VIOLATIONS) this.#violations.push({ invariant, at, message });
  }

  #tell(act: (witness: Witness) => void): void {
    for (const witness of this.#witnesses) act(witness);
  }
}
