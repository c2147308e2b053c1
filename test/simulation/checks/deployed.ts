// What is deployed of each application, and since when: an approval and a probe count for that alone.
import type { Application } from '../../../src/simulator/argocd/application.ts';

interface State {
  readonly what: string;
  readonly since: number;
}

export class Deployed {
  readonly #now: () => number;
  readonly #states = new Map<string, readonly State[]>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** The uid and the revision of the last operation that succeeded. */
  changed({ metadata, operation, status }: Application): void {
    const state = status?.operationState;
    if (operation || state?.phase !== 'Succeeded') return;
    const what = `${metadata.uid} at ${state.syncResult?.revision}`;
    const all = this.#states.get(metadata.name) ?? [];
    if (all.at(-1)?.what === what) return;
    this.#states.set(metadata.name, [...all, { what, since: this.#now() }]);
  }

  /** What is there, and what was there so long ago. */
  lately(application: string, ms: number): string[] {
    const all = this.#states.get(application) ?? [];
    const from = this.#now() - ms;
    return all.filter((_, at) => (all[at + 1]?.since ?? Infinity) >= from).map(({ what }) => what);
  }
}
