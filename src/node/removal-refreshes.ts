// Argo CD's controller can overlook that an Application is to go, or that the last of its objects is gone, and then looks at it again only
// in its own round, minutes later. A refresh changes the Application, and so wakes the controller.
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

  /** Asks for one where nothing has changed for so long, in milliseconds, and waits for nothing: only a look tells what came of it. */
  askAfter(quietMs: number): void {
    const { node, session } = this.#context;
    const now = session.clock.monotonic();
    if (Math.min(quietMs, now - this.#last) < QUIET_MS || this.#times === TIMES_MAX) return;
    this.#times++;
    this.#last = now;
    void session.target.applications.refresh(addressOf(node)).catch(() => undefined);
  }
}
