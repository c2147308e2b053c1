// Refreshes of Applications, and what to do about one that Argo CD has overlooked.
//
// A refresh is a mark on the Application. Argo CD's controller can miss it: the controller writes an Application that it has just
// patched back into its cache, over a newer one that has the mark, or fails to write what it has compared. It then looks at that
// Application again only in its own round, minutes later. The same request again changes nothing, since the mark is there; `hard`
// changes the mark, so that the controller sees it, and costs one more rendering of the manifests. The controller takes requests up in
// turn: only where one that came later was answered has Argo CD overlooked a refresh, and is not merely slow.
import type { ApplicationAddress } from '../../model/platform.ts';
import type { ApplicationView } from '../../ports/application-view.ts';

export type RefreshKind = 'normal' | 'hard';

/** `late`: it is asked for, and not done yet. Otherwise the Application after it; undefined if there is none. */
export type AskRefresh = (
  address: ApplicationAddress,
  kind: RefreshKind,
) => Promise<ApplicationView | undefined | 'late'>;

interface Late {
  /** The number of the first request that was not answered. */
  readonly since: number;
  readonly times: number;
  readonly wasHard: boolean;
}

/** A comparison that takes long itself is not overlooked. */
const OVERLOOKED_AFTER = 2;

export class Refreshes {
  readonly #ask: AskRefresh;
  #requests = 0;
  readonly #late = new Map<string, Late>();
  /** The highest number of a request that was answered. */
  #answered = 0;
  /** What was answered, the last one last. */
  readonly #others = new Map<string, ApplicationAddress>();
  #isComparing = false;

  constructor(ask: AskRefresh) {
    this.#ask = ask;
  }

  /** Undefined where there is no such Application, and where it took too long. */
  async refresh(address: ApplicationAddress): Promise<ApplicationView | undefined> {
    const late = this.#late.get(keyOf(address));
    if (late && !this.#isOvertaken(late)) void this.#compareWithAnother();
    const kind = late && this.#isOverlooked(late) ? 'hard' : 'normal';
    return await this.#send(address, kind, late);
  }

  async #send(
    address: ApplicationAddress,
    kind: RefreshKind,
    late: Late | undefined,
  ): Promise<ApplicationView | undefined> {
    this.#requests += 1;
    const number = this.#requests;
    const answer = await this.#ask(address, kind);
    if (answer !== 'late') {
      this.#late.delete(keyOf(address));
      this.#others.delete(keyOf(address));
      if (!answer) return undefined;
      this.#others.set(keyOf(address), address);
      this.#answered = Math.max(this.#answered, number);
      return answer;
    }
    const wasHard = kind === 'hard' || late?.wasHard === true;
    const times = (late?.times ?? 0) + 1;
    this.#late.set(keyOf(address), { since: late?.since ?? number, times, wasHard });
    return undefined;
  }

  #isOvertaken({ since }: Late): boolean {
    return this.#answered > since;
  }

  /** Once is enough: with the next normal request the mark changes again. */
  #isOverlooked(late: Late): boolean {
    return late.times >= OVERLOOKED_AFTER && !late.wasHard && this.#isOvertaken(late);
  }

  /** Where nothing else is asked for, nothing tells whether Argo CD is slow: the Application that was answered last is asked for again. */
  async #compareWithAnother(): Promise<void> {
    const other = [...this.#others.values()].findLast((one) => !this.#late.has(keyOf(one)));
    if (this.#isComparing || !other) return;
    this.#isComparing = true;
    try {
      await this.#send(other, 'normal', undefined);
    } catch {
      // Argo CD cannot be reached, which the request itself tells.
    } finally {
      this.#isComparing = false;
    }
  }
}

const keyOf = ({ namespace, name }: ApplicationAddress): string => `${namespace}/${name}`;
