// The hold as a run uses it: up before its first write, down for each application after its gate. An application whose own
// automated operation is in flight is left out until that operation has ended: the window would freeze it.
import type { Plan, PlanNode } from '../../plan/plan.ts';
import type { ApplicationView } from '../../run/application-view.ts';
import type { Clock } from '../../run/clock.ts';
import type { Emit } from '../../run/events.ts';
import type { RunIdentity } from '../../run/identity.ts';
import type { Applications, Projects, Watch } from '../../run/target.ts';
import { HoldKeeper } from '../hold-keeper.ts';
import { addressOf } from '../node-address.ts';
import { keyOf } from '../preflight.ts';

export interface RunHoldParts {
  readonly plan: Plan;
  readonly run: RunIdentity;
  readonly projects: Projects;
  readonly applications: Applications;
  /** As preflight found them. */
  readonly found: ReadonlyMap<string, ApplicationView>;
  readonly watch: Watch;
  readonly clock: Clock;
  readonly mayWrite: (deadlineMs: number) => boolean;
  readonly emit: Emit;
  readonly onLost: (error: unknown) => void;
  /** Mode `gated`: nothing is handed over at a gate. */
  readonly keep: boolean;
}

export class RunHold {
  readonly #parts: RunHoldParts;
  readonly #keeper: HoldKeeper;
  readonly #handedOver = new Set<string>();
  readonly #toRefresh = new Set<string>();
  readonly #looks: Promise<unknown>[] = [];
  #up: Promise<void> | undefined;
  #left = new Map<string, readonly string[]>();

  constructor(parts: RunHoldParts) {
    this.#parts = parts;
    const { plan, run, projects, clock, mayWrite, onLost } = parts;
    this.#keeper = new HoldKeeper({
      platform: plan.platform,
      run: run.id,
      projects,
      clock,
      mayWrite,
      onLost,
      leavesWindows: async () => false,
      onChange: (project, held) => this.#changed(project, held),
    });
  }

  /** Nothing but a request makes Argo CD look soon at what it may sync again. */
  #changed(project: string, held: readonly string[]): void {
    this.#parts.emit({ type: 'hold.changed', project, held });
    const free = this.#nodes().filter(
      (node) => node.argocd?.project === project && !held.includes(node.application ?? ''),
    );
    for (const node of free) {
      if (!this.#toRefresh.delete(node.id)) continue;
      const look = this.#parts.applications.refresh(addressOf(node));
      // Whoever cannot be reached now is looked at by Argo CD a little later.
      this.#looks.push(look.catch(() => undefined));
    }
  }

  /** Looks at the AppProjects; puts the hold up at once where it can be seen that something will be synced. */
  async prepare(): Promise<void> {
    this.#left = new Map(await this.#keeper.survey(this.#nodes().map(addressOf)));
    const settled = this.#nodes().every((node) => looksDone(this.#parts.found.get(keyOf(node))));
    if (!settled || this.#isLeftOver()) await this.ensure();
  }

  /** Before the first write: whatever syncs by itself and is not through its gate is held. */
  ensure(): Promise<void> {
    this.#up ??= this.#putUp();
    return this.#up;
  }

  async #putUp(): Promise<void> {
    const nodes = this.#nodes().filter(({ id }) => !this.#handedOver.has(id));
    const automated = nodes.some((node) => syncsByItself(this.#parts.found.get(keyOf(node))));
    if (!automated && !this.#isLeftOver()) return;
    const [busy, free] = split(nodes, (node) => this.#hasOwnOperation(node));
    this.#keeper.hold(free.map(addressOf));
    await this.#keeper.flush();
    for (const node of busy) void this.#holdWhenIdle(node);
  }

  /** After its gate: Argo CD is in charge again, and is told to look. */
  handOver(node: PlanNode): void {
    this.#handedOver.add(node.id);
    if (this.#parts.keep || !isHoldable(node) || !this.#isHeld(node)) return;
    this.#toRefresh.add(node.id);
    this.#keeper.release(addressOf(node));
  }

  /** A dependent is on its way to its sync request; call what this returns when that was sent. */
  urgent(): () => void {
    return this.#keeper.urgent();
  }

  /** At the end of the run: writes what is to be written, and asks for a look at what was handed over. */
  async settle(): Promise<void> {
    try {
      await this.#keeper.flush();
      await Promise.all(this.#looks);
    } finally {
      this.#keeper.stop();
    }
  }

  heldNodes(): string[] {
    return this.#nodes()
      .filter((node) => this.#isHeld(node))
      .map(({ id }) => id);
  }

  /** Members, and of a parent the node at which it is handed over. */
  #nodes(): PlanNode[] {
    return this.#parts.plan.nodes.filter(isHoldable);
  }

  #isHeld(node: PlanNode): boolean {
    const held = this.#keeper.current().get(node.argocd?.project ?? '') ?? [];
    return node.application !== null && held.includes(node.application);
  }

  /** An earlier run left something held. */
  #isLeftOver(): boolean {
    return [...this.#left.values()].some((names) => names.length > 0);
  }

  #hasOwnOperation(node: PlanNode): boolean {
    const view = this.#parts.watch.last(addressOf(node)) ?? this.#parts.found.get(keyOf(node));
    return view?.operation?.automated === true;
  }

  async #holdWhenIdle(node: PlanNode): Promise<void> {
    const { clock, watch } = this.#parts;
    const address = addressOf(node);
    const enough = new AbortController();
    const limit = clock.monotonic() + node.timeouts.sync * 1000;
    while (this.#hasOwnOperation(node) && clock.monotonic() < limit) {
      const wait = clock.sleep(limit - clock.monotonic(), enough.signal);
      await Promise.race([watch.nextChange(address, enough.signal), wait]);
    }
    enough.abort();
    if (this.#hasOwnOperation(node)) await this.#parts.applications.terminate(address);
    if (!this.#handedOver.has(node.id)) this.#keeper.hold([address]);
  }
}

function isHoldable({ kind, application }: PlanNode): boolean {
  return application !== null && kind !== 'open';
}

/** What does not exist yet may come with automated sync. */
function syncsByItself(view: ApplicationView | undefined): boolean {
  return view === undefined || view.automated !== undefined;
}

function looksDone(view: ApplicationView | undefined): boolean {
  return view?.sync.status === 'Synced' && view.health.status === 'Healthy';
}

function split<T>(items: readonly T[], test: (item: T) => boolean): [T[], T[]] {
  return [items.filter(test), items.filter((item) => !test(item))];
}
