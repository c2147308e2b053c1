// A watch: the changes of a kind as lines, one after the other, each some time after it happened.
import type { VirtualTime } from '../virtual-time.ts';
import { type History, textOf } from './object-history.ts';
import type { KubeObject, Objects } from './object-store.ts';
import { expired, fieldsMatching, type Place } from './rest.ts';

export interface WatchParts {
  readonly time: VirtualTime;
  readonly objects: Objects;
  readonly history: History;
  readonly place: Place;
  readonly query: URLSearchParams;
  /** Milliseconds between a change and its line. */
  readonly delay: () => number;
  /** What a fault makes of a line on its way; as many lines come out. */
  readonly onTheWay: (line: string) => readonly string[];
}

const BOOKMARK_MS = 60_000;
const LAST_BOOKMARK_MS = 2_000;
/** As the API server closes watches from time to time. */
const LONGEST_MS = 1_800_000;

export class Watch implements AsyncIterable<string> {
  readonly #parts: WatchParts;
  readonly #lines: string[] = [];
  readonly #cancels: (() => void)[] = [];
  readonly #isWanted: (object: KubeObject) => boolean;
  #version: number;
  #wake: () => void = () => {};
  #isOver = false;
  #failure: Error | undefined;
  #isFrozen = false;
  #nextAt = 0;

  constructor(parts: WatchParts) {
    this.#parts = parts;
    const { query, place } = parts;
    const from = query.get('resourceVersion');
    this.#isWanted = fieldsMatching(query.get('fieldSelector'));
    this.#version = from === null || from === '0' ? parts.objects.version : Number(from);
    if (from === null || from === '0') this.#begin();
    this.#cancels.push(parts.history.onChange(place.kind.id, () => this.#collect()));
    const lasts = Number(query.get('timeoutSeconds') ?? 0) * 1000 || LONGEST_MS;
    this.#cancels.push(parts.time.after(lasts, () => this.end()));
    // The first comes in time for a watch that ends soon.
    if (query.get('allowWatchBookmarks') === 'true')
      this.#bookmark(Math.min(BOOKMARK_MS, lasts - LAST_BOOKMARK_MS));
    this.#collect();
  }

  /** The server closes it. */
  end(): void {
    this.#isOver = true;
    for (const cancel of this.#cancels.splice(0)) cancel();
    this.#wake();
  }

  /** The connection breaks. */
  cut(error: Error): void {
    this.#failure = error;
    this.end();
  }

  /** The connection stays, and nothing comes any more. */
  freeze(): void {
    this.#isFrozen = true;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string> {
    try {
      for (;;) {
        while (this.#lines.length > 0) yield this.#lines.shift() as string;
        if (this.#failure) throw this.#failure;
        if (this.#isOver) return;
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    } finally {
      this.end();
    }
  }

  /** Without a version, all there is comes first. */
  #begin(): void {
    const { objects, place } = this.#parts;
    const { kind, namespace } = place;
    for (const object of objects.list(kind, namespace).filter(this.#isWanted)) {
      this.#lines.push(JSON.stringify({ type: 'ADDED', object }));
    }
  }

  #collect(): void {
    if (this.#isOver) return;
    const { kind, namespace } = this.#parts.place;
    const news = this.#parts.history.since(kind.id, this.#version);
    if (!news) {
      const { text } = expired(this.#version);
      this.#lines.push(`{"type":"ERROR","object":${text}}`);
      this.end();
      return;
    }
    for (const { type, object, version } of news) {
      this.#version = version;
      if (namespace !== undefined && object.metadata.namespace !== namespace) continue;
      if (!this.#isWanted(object)) continue;
      this.#send(this.#parts.onTheWay(`{"type":"${type}","object":${textOf(object)}}`));
    }
  }

  #bookmark(ms: number): void {
    const { objects, place, time } = this.#parts;
    const { kind, apiVersion } = place.kind;
    const cancel = time.after(ms, () => {
      const metadata = { resourceVersion: String(objects.version), creationTimestamp: null };
      const object = { kind, apiVersion, metadata };
      this.#send([JSON.stringify({ type: 'BOOKMARK', object })]);
      if (!this.#isOver) this.#bookmark(BOOKMARK_MS);
    });
    this.#cancels.push(cancel);
  }

  /** Lines keep their order, however long each takes. */
  #send(lines: readonly string[]): void {
    const { time, delay } = this.#parts;
    this.#nextAt = Math.max(this.#nextAt, time.now + delay());
    for (const line of lines) {
      time.after(this.#nextAt - time.now, () => {
        if (this.#isOver || this.#isFrozen) return;
        this.#lines.push(line);
        this.#wake();
      });
    }
  }
}
