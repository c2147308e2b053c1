// The hold as a run uses it: up before its first write, lifted for each application after its gate. An application with an
// automated operation in progress is left out until that operation has ended: the window would freeze it.
import type { ApplicationAddress } from '../../model/platform.ts';
import { addressOf } from '../../plan/node-address.ts';
import type { PlanNode } from '../../plan/plan.ts';
import { Abandoned } from '../abandoned.ts';
import { holdableNodes } from './held.ts';
import { leftFree, notHeld, syncsOfTheirOwn } from './hold-errors.ts';
import { HoldWriter } from './hold-writer.ts';
import { LeftOut } from './left-out.ts';
import { OwnOperations, syncsByItself, viewsOf } from './own-operations.ts';
import { ReleasedLooks } from './released-looks.ts';
import type { RunHoldParts } from './run-hold-parts.ts';

export class RunHold {
  readonly #parts: RunHoldParts;
  readonly #writer: HoldWriter;
  readonly #end = new AbortController();
  readonly #own: OwnOperations;
  readonly #handedOver = new Set<string>();
  /** Node ids that this run holds or is about to hold. */
  readonly #held = new Set<string>();
  readonly #busy = new LeftOut();
  /** Still left out: their operations did not end in their time. */
  readonly #late = new Set<string>();
  readonly #looks: ReleasedLooks;
  /** Generated members whose dependencies are healthy: their frozen operations may continue. */
  readonly #turns = new Set<string>();
  /** On hold although one of its Applications has an operation: that one stays frozen. */
  readonly #forced = new Set<string>();
  /** The hold is up, and the run may write. */
  #isSettled = false;
  #up: Promise<void> | undefined;
  #trouble: string | undefined;
  #left = new Map<string, readonly string[]>();

  constructor(parts: RunHoldParts) {
    this.#parts = parts;
    const { plan, run, projects, clock, writes, onLost, onTrouble } = parts;
    this.#looks = new ReleasedLooks(parts.applications);
    this.#own = new OwnOperations({ ...parts, signal: this.#end.signal });
    this.#writer = new HoldWriter({
      platform: plan.platform,
      run: run.id,
      projects,
      clock,
      writes,
      onLost,
      onTrouble: (message) => {
        this.#trouble = message;
        onTrouble(message);
      },
      leavesWindows: async (application) => parts.leavesWindows(application),
      onChange: (project, held) => this.#changed(project, held),
    });
    parts.lost.addEventListener('abort', () => this.#writer.stop(parts.lost.reason));
  }

  #changed(project: string, held: readonly string[]): void {
    this.#trouble = undefined;
    this.#parts.emit({ type: 'hold.changed', project, held });
    const names = new Set(held);
    const isFree = (one: ApplicationAddress) => one.project === project && !names.has(one.name);
    const free = this.#nodes().filter((node) => isFree(addressOf(node)));
    this.#looks.free(free, (node) => this.#heldBy(node));
  }

  #heldBy(node: PlanNode): readonly ApplicationAddress[] {
    if (!node.generated) return [addressOf(node)];
    // Only frozen operations may continue while the others are still blocked.
    return this.#held.has(node.id) ? this.#own.of(node) : viewsOf(node, this.#parts.watch);
  }

  /** What keeps it from being written; undefined: nothing. */
  get trouble(): string | undefined {
    return this.#trouble;
  }

  /** Reads the AppProjects; puts the hold up immediately if it is already clear that something will be synced. */
  async prepare(): Promise<void> {
    this.#left = new Map(await this.#writer.survey(this.#nodes().map(addressOf)));
    const { looksDone, found } = this.#parts;
    const settled = this.#nodes().every((node) => looksDone(node, found));
    const needed = !settled || this.#isLeftOver();
    if (needed && !this.#parts.stop.aborted) await this.#ready();
  }

  /** Before the first write: everything with automated sync that has not passed its gate is put on hold. */
  async ensure(): Promise<void> {
    await this.#ready();
    await this.#writer.known();
    this.#isSettled = true;
  }

  async #ready(): Promise<void> {
    if (!this.#up && this.#parts.stop.aborted) throw new Abandoned();
    // Nothing starts before the hold is up: after a stop, it is not needed.
    this.#up ??= this.#putUp(this.#parts.stop);
    await this.#up;
    if (!this.#isSettled) await this.#untilPatternsAreHeld();
  }

  /** Leaving a pattern out because of one Application leaves out all the others, too: nothing starts before it is back. */
  async #untilPatternsAreHeld(): Promise<void> {
    const { stop, lost } = this.#parts;
    const isOut = (node: PlanNode) =>
      node.generated && this.#held.has(node.id) && (this.#busy.has(node) || !this.#isHeld(node));
    const out = () => (this.#isSettled ? [] : this.#nodes().filter(isOut));
    for (let nodes = out(); nodes.length > 0; nodes = out()) {
      await this.#untilIdle(nodes);
      lost.throwIfAborted();
      if (stop.aborted || this.#end.signal.aborted) throw new Abandoned();
      await this.#writer.flush(stop);
    }
  }

  async #untilIdle(nodes: readonly PlanNode[]): Promise<void> {
    const { clock, stop, lost, onTrouble } = this.#parts;
    const busy = this.#busy.endsOf(nodes);
    if (busy.length === 0) return;
    // The removal of their names must be written soon, or they do not end; if that fails, the next write reports it.
    const released = this.#busy.released(nodes).then(() => this.#writer.flush(stop));
    released.catch(() => undefined);
    this.#trouble = syncsOfTheirOwn(nodes);
    onTrouble(this.#trouble);
    const enough = new AbortController();
    const ends = AbortSignal.any([stop, lost, this.#end.signal, enough.signal]);
    await Promise.race([
      Promise.all([released, ...busy]),
      clock.sleep(Number.POSITIVE_INFINITY, ends),
    ]);
    enough.abort();
  }

  /** The dependencies of the node are healthy: its frozen operations may continue. */
  turn(node: PlanNode): void {
    if (!node.generated) return;
    this.#turns.add(node.id);
    this.#freeIfFrozen(node);
  }

  async #putUp(stop?: AbortSignal): Promise<void> {
    const { watch, found, keep } = this.#parts;
    // Names that must stay on hold after the run are put back if another client removed them.
    const isFree = ({ id }: PlanNode) => !keep && this.#handedOver.has(id);
    const nodes = this.#nodes().filter((node) => !isFree(node));
    const automated = nodes.some((node) => syncsByItself(node, watch, found));
    if (!automated && !this.#isLeftOver()) return this.#untilSomethingSyncsByItself();
    const look = () => void this.#writer.check();
    if (await this.#parts.watchProjects(look, this.#end.signal)) this.#writer.relyOnWatch();
    // A node whose gate opened in the meantime stays released.
    for (const node of nodes) if (!isFree(node)) this.#holdNow(node);
    this.#own.onChange(this.#nodes(), (node) => this.#freeIfFrozen(node));
    await this.#writer.flush(stop);
  }

  /** A parent's sync can give its children automated sync: then the hold is put up after all. */
  #untilSomethingSyncsByItself(): void {
    const unsubscribe = this.#own.onChange(this.#nodes(), (node, application) => {
      if (!application?.automated || this.#handedOver.has(node.id)) return;
      unsubscribe();
      this.#up = this.#putUp();
      this.#up.catch(this.#parts.onLost);
    });
  }

  /** An automated operation would freeze under the window; it is allowed to end first. */
  #holdNow(node: PlanNode): void {
    this.#held.add(node.id);
    const isBusy = this.#own.has(node);
    // An earlier run may have frozen it, and crashed before it could remove its name.
    const isFrozen = isBusy && this.#isHeld(node);
    if (!isBusy || (isFrozen && !this.#mayFree(node))) this.#writer.hold([addressOf(node)]);
    else if (isFrozen) this.#free(node);
    else this.#busy.add(node, Promise.resolve(), () => this.#holdWhenIdle(node));
  }

  /** Without its pattern, all Applications of a generator sync automatically: only before the run starts, or once they may. */
  #mayFree(node: PlanNode): boolean {
    if (!node.generated || this.#turns.has(node.id)) return true;
    const { name, project } = addressOf(node);
    const isFresh = !this.#forced.has(node.id) && !this.#left.get(project)?.includes(name);
    return isFresh && !this.#isSettled;
  }

  /** An operation that started at the moment of the write is frozen: its name is removed until it has ended. */
  #freeIfFrozen(node: PlanNode): void {
    if (!this.#held.has(node.id) || this.#busy.has(node)) return;
    if (!this.#own.has(node)) {
      if (this.#late.delete(node.id)) this.#writer.hold([addressOf(node)]);
    } else if (this.#mayFree(node)) this.#free(node);
  }

  #free(node: PlanNode): void {
    this.#busy.add(node, this.#releaseIfFrozen(node), () => this.#holdWhenIdle(node));
  }

  /** The watch may be late: an Application whose operation ended, or that was recreated, would sync freely. */
  async #releaseIfFrozen(node: PlanNode): Promise<void> {
    if (!(await this.#own.isRead(node))) return;
    if (this.#end.signal.aborted || !this.#held.has(node.id)) return;
    // A frozen operation continues only when Argo CD reconciles the Application again.
    this.#looks.want(node);
    this.#writer.release(addressOf(node));
  }

  /** Resolves when none of these Applications is left out for its automated operation, and everything that must be on hold is. */
  async untilHeld(applications: ReadonlySet<string>): Promise<void> {
    const isAsked = ({ application }: PlanNode) => applications.has(application ?? '');
    const asked = this.#nodes().filter(isAsked);
    const busy = () => this.#busy.endsOf(asked);
    for (let waits = busy(); waits.length > 0; waits = busy()) {
      await Promise.all(waits);
      if (this.#end.signal.aborted) throw new Abandoned();
      await this.#writer.flush();
    }
    if (asked.some((node) => this.#held.has(node.id) && !this.#isHeld(node)))
      await this.#writer.flush();
    const free = asked.find((node) => this.#held.has(node.id) && this.#own.has(node));
    if (free) throw notHeld(free);
  }

  /** After its gate: Argo CD is in charge again and gets a refresh. */
  handOver(node: PlanNode): void {
    this.#handedOver.add(node.id);
    if (this.#parts.keep || !this.#held.delete(node.id)) return;
    this.#looks.want(node);
    this.#writer.release(addressOf(node));
  }

  /** A dependent is on its way to its sync request; call the returned function when that is sent. */
  pauseWrites(): () => void {
    return this.#writer.pauseWrites();
  }

  /** At the end of the run: writes everything pending, and refreshes what was handed over. */
  async settle(): Promise<void> {
    await this.#busy.awaitEnds(this.#nodes(), (node) => this.#own.isEnding(node), this.#parts);
    const isOut = (node: PlanNode) => this.#busy.has(node) || this.#late.has(node.id);
    const out = this.#nodes().filter((node) => isOut(node) && this.#held.has(node.id));
    this.#end.abort();
    // Pending writes do not wait for these reads.
    const held = Promise.all(out.map((node) => this.#holdUnlessBusy(node)));
    await this.#writer.flush();
    await held;
    if (out.length > 0) await this.#writer.flush();
    const free = this.#nodes().filter((node) => this.#held.has(node.id) && !this.#isHeld(node));
    if (free.length > 0) this.#parts.emit({ type: 'run.warning', message: leftFree(free) });
    await this.#looks.complete();
  }

  /** The watch may not have reported the end yet. An Application that still has an operation must not leave its siblings without a hold. */
  async #holdUnlessBusy(node: PlanNode): Promise<void> {
    if (node.generated || !(await this.#own.isConfirmed(node)))
      this.#writer.hold([addressOf(node)]);
  }

  /** No more reads or writes. The hold stays. */
  close(): void {
    this.#end.abort();
    this.#writer.stop();
  }

  heldNodes(): string[] {
    const held = this.#nodes().filter((node) => this.#isHeld(node));
    return this.#writer.isLost ? [] : held.map(({ id }) => id);
  }

  #nodes(): PlanNode[] {
    return holdableNodes(this.#parts.plan);
  }

  #isHeld(node: PlanNode): boolean {
    const { name, project } = addressOf(node);
    return this.#writer.current().get(project)?.includes(name) === true;
  }

  #isLeftOver(): boolean {
    return [...this.#left.values()].some((names) => names.length > 0);
  }

  /** Resolves when nothing is left out for an automated operation any more. */
  async complete(): Promise<void> {
    await this.#busy.complete();
  }

  async #holdWhenIdle(node: PlanNode): Promise<void> {
    const idle = await this.#own.idle(node, node.timeouts.sync * 1000);
    // An operation that cannot be terminated now fails its node later, because it blocks the node's request.
    if (!idle && !this.#end.signal.aborted) await this.#own.end(node);
    if (this.#end.signal.aborted || !this.#held.has(node.id)) return;
    const isBusy = this.#own.has(node);
    if (isBusy && !node.generated) return void this.#late.add(node.id);
    // Siblings must not lose their hold because of an operation that never ends, or another one that started since.
    if (isBusy) this.#forced.add(node.id);
    this.#writer.hold([addressOf(node)]);
  }
}
