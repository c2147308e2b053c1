// To which nodes of a graph the way is open: everything that they depend on is open, and what an open or close of a stack stands
// for. Kept up to date as nodes open and shut: to walk the graph at each change would cost the square of its size.
import { type Graph, neighbours } from '../graph/graph.ts';

export class OpenWays {
  readonly #graph: Graph;
  /** It is only as open as what it depends on. */
  readonly #isTransparent: (node: number) => boolean;
  readonly #isOpen: Uint8Array;
  /** It is open, and what it stands for. */
  readonly #isThrough: Uint8Array;
  /** How many of its dependencies are not. */
  readonly #missing: Uint32Array;
  /** Nothing is missing; without those that no question was about any more. */
  readonly #clear = new Set<number>();

  constructor(graph: Graph, isTransparent: (node: number) => boolean) {
    const count = graph.ids.length;
    this.#graph = graph;
    this.#isTransparent = isTransparent;
    this.#isOpen = new Uint8Array(count);
    this.#isThrough = new Uint8Array(count);
    this.#missing = new Uint32Array(count);
    for (let node = 0; node < count; node++) {
      this.#missing[node] = neighbours(graph.dependencies, node).length;
      if (this.isOpenTo(node)) this.#clear.add(node);
    }
  }

  isOpenTo(node: number): boolean {
    return this.#missing[node] === 0;
  }

  /** Nodes to which the way is open, of those that are `awaited`. One that is not open now never is again. */
  open(awaited: (node: number) => boolean): number[] {
    const open: number[] = [];
    for (const node of this.#clear) {
      if (awaited(node)) open.push(node);
      else this.#clear.delete(node);
    }
    return open;
  }

  set(node: number, isOpen: boolean): void {
    if (this.#isOpen[node] === Number(isOpen)) return;
    this.#isOpen[node] = Number(isOpen);
    const changed = [node];
    for (const one of changed) this.#look(one, changed);
  }

  /** Adds what has to be looked at because of it. */
  #look(node: number, changed: number[]): void {
    const stands = !this.#isTransparent(node) || this.isOpenTo(node);
    const isThrough = Number(this.#isOpen[node] === 1 && stands);
    if (isThrough === this.#isThrough[node]) return;
    this.#isThrough[node] = isThrough;
    for (const dependent of neighbours(this.#graph.dependents, node)) {
      this.#missing[dependent] = (this.#missing[dependent] ?? 0) + (isThrough ? -1 : 1);
      if (this.isOpenTo(dependent)) this.#clear.add(dependent);
      else this.#clear.delete(dependent);
      if (this.#isTransparent(dependent)) changed.push(dependent);
    }
  }
}
