// A list in pages shows one moment, however long its reader takes: what is left of it is kept for the next page.
import type { KubeObject } from './object-store.ts';

interface Left {
  readonly version: number;
  readonly items: readonly KubeObject[];
}

/** Who does not come back is forgotten. */
const MOST = 100;

export class Pages {
  readonly #left = new Map<string, Left>();
  #given = 0;

  /** Returns what the reader must bring to go on. */
  keep(left: Left): string {
    const token = `${left.version}.${++this.#given}`;
    this.#left.set(token, left);
    const [oldest] = this.#left.keys();
    if (this.#left.size > MOST && oldest !== undefined) this.#left.delete(oldest);
    return token;
  }

  /** It may be asked for again: answers get lost. */
  left(token: string): Left | undefined {
    return this.#left.get(token);
  }
}
