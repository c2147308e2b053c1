// Argo CD's controller can miss that an Application is being deleted, or that its last object is gone, and then reconciles
// it only in its regular cycle, minutes later. A refresh changes the Application and so wakes the controller.
import { addressOf } from '../plan/node-address.ts';
import type { NodeContext } from './node-context.ts';

const QUIET_MS = 20_000;
const TIMES_MAX = 3;

export class RemovalRefreshes {
  readonly #context: NodeContext;
  #times = 0;
  #last = Number.NEGATIVE_INFINITY;

  constructor(context: NodeContext) {
    this.#context = context;
  }

  /**
   * Requests a refresh if nothing has changed for that many milliseconds, and does not wait: only a look shows the result.
   */
  askAfter(quietMs: number): void {
    const { node, session } = this.#context;
    const now = session.clock.monotonic();
    if (Math.min(quietMs, now - this.#last) < QUIET_MS || this.#times === TIMES_MAX) return;
    this.#times++;
    this.#last = now;
    void session.target.applications.refresh(addressOf(node)).catch(() => undefined);
  }
}
