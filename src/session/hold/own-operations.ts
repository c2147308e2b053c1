// What a hold needs to know about the Applications of a node: operations that Argo CD started automatically would freeze
// under the window, so they must end first.
import { isCovered } from '../../plan/generated.ts';
import { addressOf, keyOf } from '../../plan/node-address.ts';
import type { PlanNode } from '../../plan/plan.ts';
import { type ApplicationView, newest } from '../../ports/application-view.ts';
import type { Hint, Watch } from '../../ports/application-watch.ts';
import type { ApplicationReads } from '../../ports/argocd-applications.ts';
import type { Clock } from '../../ports/clock.ts';
import type { HoldWrites } from '../writes/hold-writes.ts';
import { requestTermination, TERMINATION_MS } from '../writes/request-termination.ts';

type Seen = Pick<Watch, 'last' | 'all'>;

/** What the node's name in a window covers: its Application, or everything that its pattern matches. */
export function viewsOf(
  node: PlanNode,
  watch: Seen,
  found?: ReadonlyMap<string, ApplicationView>,
): ApplicationView[] {
  if (node.generated) return [...watch.all()].filter((view) => isCovered(node, view));
  const view = watch.last(addressOf(node)) ?? found?.get(keyOf(node));
  return view ? [view] : [];
}

const isOwn = ({ operation }: ApplicationView): boolean => operation?.automated === true;

export const hasOwnOperation = (
  node: PlanNode,
  watch: Seen,
  found?: ReadonlyMap<string, ApplicationView>,
): boolean => viewsOf(node, watch, found).some(isOwn);

/**
 * Whether anything that the node's name covers has automated sync. An Application that does not exist yet may be created
 * with it.
 */
export function syncsByItself(
  node: PlanNode,
  watch: Seen,
  found?: ReadonlyMap<string, ApplicationView>,
): boolean {
  const views = viewsOf(node, watch, found);
  const isOpen = node.generated !== undefined || views.length === 0;
  return isOpen || views.some(({ automated }) => automated !== undefined);
}

/** The node whose name covers the Application. */
export function nodeFor(nodes: readonly PlanNode[]): (hint: Hint) => PlanNode | undefined {
  const byKey = new Map(nodes.map((node) => [keyOf(node), node]));
  const generated = nodes.filter((node) => node.generated);
  return ({ namespace, name, application }) =>
    byKey.get(`${namespace}/${name}`) ??
    generated.find((node) => application && isCovered(node, application));
}

interface Parts {
  readonly watch: Watch;
  readonly applications: Pick<ApplicationReads, 'get'>;
  readonly found: ReadonlyMap<string, ApplicationView>;
  readonly clock: Clock;
  readonly writes: Pick<HoldWrites, 'terminate'>;
  /** Fires when the hold is no longer maintained. */
  readonly signal: AbortSignal;
}

export class OwnOperations {
  readonly #parts: Parts;
  /** Nodes whose operations were terminated, and end within a minute. */
  readonly #ending = new Set<string>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Until the hold is no longer maintained, or the returned function is called. */
  onChange(
    nodes: readonly PlanNode[],
    look: (node: PlanNode, application: ApplicationView | undefined) => void,
  ): () => void {
    const { watch, signal } = this.#parts;
    const nodeOf = nodeFor(nodes);
    const unsubscribe = watch.subscribe((hint) => {
      const node = nodeOf(hint);
      if (node) look(node, hint.application);
    });
    signal.addEventListener('abort', unsubscribe);
    return unsubscribe;
  }

  has(node: PlanNode): boolean {
    return this.of(node).length > 0;
  }

  /** The Applications with an automated operation. */
  of(node: PlanNode): ApplicationView[] {
    return viewsOf(node, this.#parts.watch, this.#parts.found).filter(isOwn);
  }

  /**
   * Whether one of them still runs, by a fresh read; undefined: unknown. A server that lags behind the watch is not
   * trusted.
   */
  async isConfirmed(node: PlanNode): Promise<boolean | undefined> {
    const views = await Promise.all(this.of(node).map((seen) => this.#readAgain(seen)));
    if (views.some((view) => view && isOwn(view))) return true;
    return views.includes(null) ? undefined : false;
  }

  /** Undefined: it is gone; null: it cannot be read. */
  async #readAgain(seen: ApplicationView): Promise<ApplicationView | undefined | null> {
    return newest(await this.#parts.applications.get(seen).catch(() => null), seen);
  }

  /** The same, retried until it is known; false if that takes as long as a sync may take. */
  async isRead(node: PlanNode): Promise<boolean> {
    const { clock, signal } = this.#parts;
    const limit = clock.monotonic() + node.timeouts.sync * 1000;
    for (;;) {
      const isRunning = await this.isConfirmed(node);
      if (isRunning !== undefined || signal.aborted) return isRunning === true;
      if (clock.monotonic() >= limit) return false;
      await clock.sleep(READ_AGAIN_MS, signal);
    }
  }

  isEnding({ id }: PlanNode): boolean {
    return this.#ending.has(id);
  }

  /** Their time is up. */
  async end(node: PlanNode): Promise<void> {
    this.#ending.add(node.id);
    await this.#end(node);
    this.#ending.delete(node.id);
  }

  async #end(node: PlanNode): Promise<void> {
    const { clock } = this.#parts;
    const limit = clock.monotonic() + TERMINATION_MS;
    for (const seen of this.of(node)) if (!(await this.#terminate(seen, limit))) return;
    // Put on hold before it has really ended, it would freeze in its current state.
    await this.idle(node, limit - clock.monotonic());
  }

  /** Its time is already up. False: the Lease does not allow it. */
  async #terminate(seen: ApplicationView, limit: number): Promise<boolean> {
    const { clock, signal, writes } = this.#parts;
    const { name, namespace, project } = seen;
    const outcome = await requestTermination({
      // A sync that a person requested may have replaced it unseen.
      isStill: async () => {
        const now = await this.#readAgain(seen);
        return now === null ? undefined : now !== undefined && isOwn(now);
      },
      send: () => writes.terminate({ name, namespace, project }).catch(() => undefined),
      pause: async () => {
        if (signal.aborted || clock.monotonic() + TERMINATE_AGAIN_MS >= limit) return false;
        await clock.sleep(TERMINATE_AGAIN_MS, signal);
        return true;
      },
    });
    return outcome !== 'not-allowed';
  }

  /** Whether its automated operations ended in this time. */
  async idle(node: PlanNode, mostMs: number): Promise<boolean> {
    const { clock, signal } = this.#parts;
    const limit = clock.monotonic() + mostMs;
    while (this.has(node)) {
      if (signal.aborted || clock.monotonic() >= limit) return false;
      const enough = new AbortController();
      const either = AbortSignal.any([signal, enough.signal]);
      const wait = clock.sleep(limit - clock.monotonic(), either);
      await Promise.race([this.#nextChange(node, either), wait]);
      enough.abort();
    }
    return true;
  }

  #nextChange(node: PlanNode, signal: AbortSignal): Promise<unknown> {
    const { watch } = this.#parts;
    return Promise.race(this.of(node).map((view) => watch.nextChange(view, signal)));
  }
}

const TERMINATE_AGAIN_MS = 5_000;
const READ_AGAIN_MS = 5_000;
