// Which node may run now. It knows the plan's graph and what has happened; it starts nothing itself.
//
// A node is waiting, running, open (its gate opened), shut (its gate opened and fell again), failed or skipped. It may
// start when all its dependencies are open. When one fails, everything behind it is skipped.
import { buildGraph, type Graph, idOf, neighbours, numberOf, transpose } from '../graph/graph.ts';
import { longestBefore, topologicalOrder } from '../graph/order.ts';
import type { Plan, PlanNode } from '../plan/plan.ts';
import type { Cause } from './events.ts';
import { OpenWays } from './open-ways.ts';

export type NodeState = 'waiting' | 'running' | 'open' | 'shut' | 'failed' | 'skipped';

/** Who goes first where not all may: the longest way to go, or who could have started earlier. */
export type Rank = 'longest-first' | 'first-come';

const UNFINISHED: ReadonlySet<NodeState> = new Set(['waiting', 'running', 'shut']);

export class Schedule {
  readonly #graph: Graph;
  readonly #nodes: ReadonlyMap<string, PlanNode>;
  readonly #ways: OpenWays;
  readonly #states = new Map<string, NodeState>();
  /** How many are waiting, running or shut. */
  #unfinished: number;
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
    this.#ways = new OpenWays(this.#graph, (number) => this.#isTransparent(number));
    for (const { id } of plan.nodes) this.#states.set(id, 'waiting');
    this.#unfinished = plan.nodes.length;
    const back = transpose(this.#graph);
    const weight = (node: number) => this.#nodeAt(node).expectedDuration;
    const behind = longestBefore(back, topologicalOrder(back), weight);
    this.#remaining = behind.map((seconds, node) => seconds + weight(node));
  }

  node(id: string): PlanNode {
    return this.#nodeAt(this.#numberOf(id));
  }

  state(id: string): NodeState {
    return this.#states.get(id) ?? 'waiting';
  }

  cause(id: string): Cause | undefined {
    return this.#causes.get(id);
  }

  /** What may start, in the order of its rank. */
  ready(): PlanNode[] {
    const ready = this.#waiting();
    return this.#rank === 'first-come' ? this.#asTheyCame(ready) : ready;
  }

  #asTheyCame(ready: readonly PlanNode[]): PlanNode[] {
    const news = new Set(ready.filter(({ id }) => !this.#came.has(id)));
    for (const node of news.size === 0 ? [] : this.#nodes.values()) {
      if (news.has(node)) this.#came.set(node.id, this.#came.size);
    }
    const place = ({ id }: PlanNode) => this.#came.get(id) ?? 0;
    return [...ready].sort((a, b) => place(a) - place(b));
  }

  /** What waits only for nodes that are open or that the caller expects to open soon. */
  nearlyReady(soon: ReadonlySet<string>): PlanNode[] {
    const expected = [...soon].filter((id) => this.state(id) !== 'open');
    for (const id of expected) this.#ways.set(this.#numberOf(id), true);
    const nearly = this.#waiting();
    for (const id of expected) this.#ways.set(this.#numberOf(id), false);
    return nearly;
  }

  start(id: string): void {
    this.#become(id, 'running');
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
    if (this.#ways.isOpenTo(this.#numberOf(id))) return 'open';
    const failed = this.gatesBefore(id).find((other) => this.state(other.id) === 'failed');
    if (!failed) return 'shut';
    return this.cause(failed.id) ?? { node: failed.id, message: 'failed' };
  }

  /** What it depends on, directly or through the open or close of a stack. */
  gatesBefore(id: string): PlanNode[] {
    const seen = new Set(neighbours(this.#graph.dependencies, this.#numberOf(id)));
    for (const number of seen) {
      if (!this.#isTransparent(number)) continue;
      for (const behind of neighbours(this.#graph.dependencies, number)) seen.add(behind);
    }
    return [...seen].map((number) => this.#nodeAt(number));
  }

  open(id: string): void {
    this.#become(id, 'open');
  }

  /** Its gate fell: nothing behind it starts until it opens again. */
  shut(id: string): void {
    this.#become(id, 'shut');
  }

  /** Returns what is skipped because of it, in order. */
  fail(id: string, cause: Cause): string[] {
    this.#become(id, 'failed');
    this.#causes.set(id, cause);
    // The open and close of a stack only stand for what is behind them, also when they have opened already.
    const behind = this.#behind(
      id,
      (other) => other.kind !== 'application' || this.state(other.id) === 'waiting',
    );
    return this.#skip(behind, cause);
  }

  /** Skips everything that has not begun, for one reason. */
  stop(cause: Cause): string[] {
    return this.#skip([...this.#nodes.values()], cause);
  }

  #skip(nodes: readonly PlanNode[], cause: Cause): string[] {
    const skipped = nodes.map(({ id }) => id).filter((id) => this.state(id) === 'waiting');
    for (const id of skipped) {
      this.#become(id, 'skipped');
      this.#causes.set(id, cause);
    }
    return skipped;
  }

  isOver(): boolean {
    return this.#unfinished === 0;
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
    const start = this.#numberOf(id);
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

  #become(id: string, state: NodeState): void {
    if (UNFINISHED.has(this.state(id))) this.#unfinished--;
    if (UNFINISHED.has(state)) this.#unfinished++;
    this.#states.set(id, state);
    this.#ways.set(this.#numberOf(id), state === 'open');
  }

  /** What waits, and whose way is open; the longest way to go first, then in the order of the graph. */
  #waiting(): PlanNode[] {
    const far = (number: number) => this.#remaining[number] ?? 0;
    return this.#ways
      .open((number) => this.state(idOf(this.#graph, number)) === 'waiting')
      .sort((a, b) => far(b) - far(a) || a - b)
      .map((number) => this.#nodeAt(number));
  }

  #numberOf(id: string): number {
    return numberOf(this.#graph.numbers, id);
  }

  #nodeAt(number: number): PlanNode {
    const node = this.#nodes.get(idOf(this.#graph, number));
    if (!node) throw new Error(`The plan has no node ${number}.`);
    return node;
  }
}
