// Watches the resources that keep a gate shut. Argo CD misses a change of a resource while it compares the Application,
// and sees it only in its next cycle, minutes later. So Kubernetes reports such changes, and Argo CD is asked for a
// comparison if it does not show the change itself. While nothing changes, there are no requests.
import {
  type ApplicationView,
  isWrong,
  type ResourceView,
  renderResource,
} from '../ports/application-view.ts';
import { awaitNews, awaitNewsUnless, type Deadline, type LookContext } from './node-context.ts';

/** If more resources than this are not Healthy, or one cannot be watched, Argo CD is polled instead. */
const MOST = 20;
/** How long to wait for Argo CD after a change; longer each time it had nothing new. */
const TELLS_MS = [2_000, 10_000, 20_000, 40_000, 80_000, 120_000] as const;

/** Argo CD's view of an operation's result may lag behind by this many seconds, and nothing shows when it has caught up. */
const UNSETTLED_S = 15;

/** Whether it is OutOfSync by a comparison so soon after an operation that the next one may differ. */
export function isUnsettled({ sync, operationState, reconciledAt = 0 }: ApplicationView): boolean {
  const { finishedAt } = operationState ?? {};
  if (finishedAt === undefined || sync.status === 'Synced') return false;
  return reconciledAt - finishedAt <= UNSETTLED_S;
}

export class ResourceNews {
  readonly #context: LookContext;
  readonly #end = new AbortController();
  /** Resource -> whether it is watched. */
  readonly #followed = new Map<string, Promise<boolean>>();
  /** Something changed that Argo CD may not have seen. */
  #isUntold = false;
  #wake = new AbortController();
  /** How many times in a row there was nothing new. */
  #idle = 0;

  constructor(context: LookContext) {
    this.#context = context;
  }

  close(): void {
    this.#end.abort();
  }

  /** Waits until a look is worth it: Argo CD shows something new, or may have missed something. */
  async wait(seen: ApplicationView, until: Deadline): Promise<void> {
    const news = (await this.#isFollowing(seen))
      ? await this.#whileFollowing(seen, until)
      : await this.#newsWithin(seen, TELLS_MS[this.#step(1)] ?? 0, until);
    this.#idle = news ? 0 : this.#idle + 1;
  }

  async #whileFollowing(seen: ApplicationView, until: Deadline): Promise<boolean> {
    const isTold = !this.#isUntold && !isUnsettled(seen);
    if (isTold && (await awaitNewsUnless(this.#context, this.#wake.signal, seen, until)))
      return true;
    this.#isUntold = false;
    return await this.#newsWithin(seen, TELLS_MS[this.#step(0)] ?? 0, until);
  }

  #step(least: number): number {
    return Math.min(this.#idle + least, TELLS_MS.length - 1);
  }

  async #newsWithin(seen: ApplicationView, ms: number, until: Deadline): Promise<boolean> {
    const enough = this.#context.session.clock.monotonic() + ms;
    return await awaitNews(this.#context, seen, Math.min(until, enough));
  }

  /** Only in the cluster that runs Argo CD: elsewhere, objects of the same names are different ones. */
  async #isFollowing(seen: ApplicationView): Promise<boolean> {
    if (seen.remoteCluster !== undefined) return false;
    const bad = seen.resources.filter(isWrong);
    if (bad.length === 0 || bad.length > MOST) return false;
    const all = await Promise.all(bad.map((resource) => this.#follow(resource, seen)));
    return all.every((followed) => followed);
  }

  #follow(resource: ResourceView, seen: ApplicationView): Promise<boolean> {
    const name = renderResource(resource);
    const known = this.#followed.get(name);
    if (known) return known;
    const followed = this.#begin(resource, seen);
    this.#followed.set(name, followed);
    return followed;
  }

  async #begin(resource: ResourceView, { reconciledAt = 0 }: ApplicationView): Promise<boolean> {
    const { watch } = this.#context;
    const changed = () => this.#changed();
    const changedAt = await watch.follow(resource, changed, this.#end.signal);
    // A change in the second of the comparison or later may be one that it missed.
    if (changedAt !== undefined && changedAt >= reconciledAt) this.#isUntold = true;
    return changedAt !== undefined;
  }

  #changed(): void {
    this.#isUntold = true;
    const wake = this.#wake;
    this.#wake = new AbortController();
    wake.abort();
  }
}
