// Which node may run now. It knows the plan's graph and what has happened; it starts nothing itself.
//
// A node is waiting, running, open (its gate opened), shut (its gate opened and fell again), failed or skipped. It may
// start when all its dependencies are open. When one fails, everything behind it is skipped.
import { buildGraph, type Graph, idOf, neighbours, numberOf, transpose } from '../graph/graph.ts';
import { longestBefore, topologicalOrder } from '../graph/order.ts';
import type { Plan, PlanNode } from '../plan/plan.ts';
import type { Cause } from './events.ts';

export type NodeState = 'waiting' | 'running' | 'open' | 'shut' | 'failed' | 'skipped';

/** Who goes first where not all may: the longest way to go, or who could have started earlier. */
export type Rank = 'longest-first' | 'first-come';

export class Schedule {
  readonly #graph: Graph;
  readonly #nodes: ReadonlyMap<string, PlanNode>;
  readonly #states = new Map<string, NodeState>();
  readonly #causes = new Map<string, Cause>();
  /** Running, and their requests not sent. */
  readonly #asking = new Set<string>();
  /** Expected seconds from a node's start to the end of everything behind it. */
  readonly #remaining: Float64Array;
  readonly #rank: Rank;
  /** In the order in which they could have started, those of one moment in the order of the plan. */
  readonly #came = new Map<string, number>();

  constructor(plan: Plan, rank: Rank = 'longest-first') {
    this.#rank = rank;
    this.#nodes = new Map(plan.nodes.map((node) => [node.id, node]));
    this.#graph = buildGraph(new Map(plan.nodes.map(({ id, dependsOn }) => [id, dependsOn])));
    for (const { id } of plan.nodes) this.#states.set(id, 'waiting');
    const back = transpose(this.#graph);
    const weight = (node: number) => this.#nodeAt(node).expectedDuration;
    const behind = longestBefore(back, topologicalOrder(back), weight);
    this.#remaining = behind.map((seconds, node) => seconds + weight(node));
  }

  node(id: string): PlanNode {
    return this.#nodeAt(numberOf(this.#graph.numbers, id));
  }

  state(id: string): NodeState {
    return this.#states.get(id) ?? 'waiting';
  }

  cause(id: string): Cause | undefined {
    return this.#causes.get(id);
  }

  /** What may start, in the order of its rank. */
  ready(): PlanNode[] {
    const open = this.#through((id) => this.state(id) === 'open');
    const ready = this.#waitingWith(open);
    return this.#rank === 'first-come' ? this.#asTheyCame(ready) : ready;
  }

  #asTheyCame(ready: readonly PlanNode[]): PlanNode[] {
    const news = new Set(ready.filter(({ id }) => !this.#came.has(id)));
    for (const node of this.#nodes.values()) {
      if (news.has(node)) this.#came.set(node.id, this.#came.size);
    }
    const place = ({ id }: PlanNode) => this.#came.get(id) ?? 0;
    return [...ready].sort((a, b) => place(a) - place(b));
  }

  /** What waits only for nodes that are open or that the caller expects to open soon. */
  nearlyReady(soon: ReadonlySet<string>): PlanNode[] {
    const open = this.#through((id) => this.state(id) === 'open' || soon.has(id));
    return this.#waitingWith(open);
  }

  start(id: string): void {
    this.#states.set(id, 'running');
    this.#asking.add(id);
  }

  /** It is about to ask for a sync. True: it had asked before, and its dependencies counted for nothing meanwhile. */
  asks(id: string): boolean {
    const isAgain = !this.#asking.has(id);
    this.#asking.add(id);
    return isAgain;
  }

  /** Its sync request was sent, or none was needed: what happens to its dependencies now comes too late. */
  asked(id: string): void {
    this.#asking.delete(id);
  }

  /** Whether everything that it depends on is open now; the cause where that cannot come to be. */
  dependencies(id: string): 'open' | 'shut' | Cause {
    const numbers = [...neighbours(this.#graph.dependencies, numberOf(this.#graph.numbers, id))];
    if (numbers.every(this.#through((other) => this.state(other) === 'open'))) return 'open';
    const failed = this.gatesBefore(id).find((other) => this.state(other.id) === 'failed');
    if (!failed) return 'shut';
    return this.cause(failed.id) ?? { node: failed.id, message: 'failed' };
  }

  /** What it depends on, directly or through the open or close of a stack. */
  gatesBefore(id: string): PlanNode[] {
    const seen = new Set(neighbours(this.#graph.dependencies, numberOf(this.#graph.numbers, id)));
    for (const number of seen) {
      if (!this.#isTransparent(number)) continue;
      for (const behind of neighbours(this.#graph.dependencies, number)) seen.add(behind);
    }
    return [...seen].map((number) => this.#nodeAt(number));
  }

  open(id: string): void {
    this.#states.set(id, 'open');
  }

  /** Its gate fell: nothing behind it starts until it opens again. */
  shut(id: string): void {
    this.#states.set(id, 'shut');
  }

  /** Returns what is skipped because of it, in order. */
  fail(id: string, cause: Cause): string[] {
    this.#states.set(id, 'failed');
    this.#causes.set(id, cause);
    // The open and close of a stack only stand for what is behind them, also when they have opened already.
    const behind = this.#behind(
      id,
      (other) => other.kind !== 'application' || this.state(other.id) === 'waiting',
    );
    return this.#skip(behind, cause);
  }

  /** Skips whatever has not begun, for one reason. */
  stop(cause: Cause): string[] {
    return this.#skip([...this.#nodes.values()], cause);
  }

  #skip(nodes: readonly PlanNode[], cause: Cause): string[] {
    const skipped = nodes.map(({ id }) => id).filter((id) => this.state(id) === 'waiting');
    for (const id of skipped) {
      this.#states.set(id, 'skipped');
      this.#causes.set(id, cause);
    }
    return skipped;
  }

  isOver(): boolean {
    return [...this.#states.values()].every(
      (state) => !['waiting', 'running', 'shut'].includes(state),
    );
  }

  /** Whether something that has not begun depends on it, directly or through joins. */
  isAwaited(id: string): boolean {
    return this.#behind(id, ({ kind }) => kind !== 'application').some(
      (other) => this.state(other.id) === 'waiting' || this.#asking.has(other.id),
    );
  }

  /** Everything behind it that has not begun. */
  waitingFor(id: string): PlanNode[] {
    return this.#behind(id, () => true).filter((other) => this.state(other.id) === 'waiting');
  }

  /** What depends on it, the nearest first, and on each of these that `leadsOn`. */
  #behind(id: string, leadsOn: (node: PlanNode) => boolean): PlanNode[] {
    const start = numberOf(this.#graph.numbers, id);
    const seen = new Set([start]);
    for (const number of seen) {
      if (number !== start && !leadsOn(this.#nodeAt(number))) continue;
      for (const dependent of neighbours(this.#graph.dependents, number)) seen.add(dependent);
    }
    seen.delete(start);
    return [...seen].map((number) => this.#nodeAt(number));
  }

  #isTransparent(node: number): boolean {
    return this.#nodeAt(node).kind !== 'application';
  }

  /** Holds for a node, and for everything that an open or close stands for. */
  #through(test: (id: string) => boolean): (node: number) => boolean {
    const known = new Map<number, boolean>();
    const holds = (node: number): boolean => {
      const before = known.get(node);
      if (before !== undefined) return before;
      const behind = this.#isTransparent(node) ? neighbours(this.#graph.dependencies, node) : [];
      const all = test(idOf(this.#graph, node)) && [...behind].every(holds);
      known.set(node, all);
      return all;
    };
    return holds;
  }

  #waitingWith(met: (node: number) => boolean): PlanNode[] {
    const found: { node: PlanNode; remaining: number }[] = [];
    for (const [number, id] of this.#graph.ids.entries()) {
      if (this.state(id) !== 'waiting') continue;
      const dependencies = neighbours(this.#graph.dependencies, number);
      if (dependencies.every((other) => met(other)))
        found.push({ node: this.#nodeAt(number), remaining: this.#remaining[number] ?? 0 });
    }
    return found.sort((a, b) => b.remaining - a.remaining).map(({ node }) => node);
  }

  #nodeAt(number: number): PlanNode {
    const node = this.#nodes.get(idOf(this.#graph, number));
    if (!node) throw new Error(`The plan has no node ${number}.`);
    return node;
  }
}
