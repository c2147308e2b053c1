// Writes a run's record while it runs. Best effort: a record that cannot be written never stops a run.
import type { Clock } from '../../ports/clock.ts';
import type { Store } from '../../ports/record-store.ts';
import type { RunEvent } from '../../run/events.ts';
import { chunkOf, compress, headOf, LABEL, type RecordedRun } from './chunk.ts';
import { pruneRuns } from './history.ts';

const FLUSH_MS = 2_000;
/** The whole chunk is sent again with each flush, so it is kept well below the megabyte limit of a ConfigMap. */
const CHUNK_MAX = 256 * 1024;
/** Size of the text: compressed it always fits into a chunk, unless it is a single event. */
const BATCH_MAX = 200 * 1024;
const RUN_MAX = 8 * 1024 * 1024;
const RUNS_KEPT = 20;
const LAST_ATTEMPTS = 3;

export interface RecorderParts extends RecordedRun {
  readonly store: Store;
  readonly clock: Clock;
  /** Whether a write may be sent now. A run that was taken over must not overwrite its successor's record. */
  readonly mayWrite: () => boolean;
  /** Called once, with the first reason why the record could not be written. */
  readonly onProblem: (message: string) => void;
}

export class Recorder {
  readonly #parts: RecorderParts;
  readonly #end = new AbortController();
  #waiting: RunEvent[] = [];
  /** The current chunk. Undefined until the used numbers are known. */
  #number: number | undefined;
  #bytes: Uint8Array = new Uint8Array();
  #written = 0;
  #cut = false;
  #started = '';
  #exitStatus: number | undefined;
  /** The chunk is full or has the end of the run: nothing is added to it. */
  #isSealed = false;
  /** Part of the chunk is in the cluster. */
  #isStored = false;
  /** Part of the chunk is not in the cluster yet. */
  #unsent = false;
  #flushing: Promise<void> | undefined;
  #complained = false;

  constructor(parts: RecorderParts) {
    this.#parts = parts;
  }

  append(event: RunEvent): void {
    if (this.#end.signal.aborted) return;
    this.#started ||= event.time;
    this.#waiting.push(event);
    this.#flushing ??= this.#flushUntilEmpty();
  }

  /**
   * Writes the rest and removes the oldest runs. Before the lease is given back. Returns whether the cluster has
   * everything.
   */
  async close(): Promise<boolean> {
    this.#end.abort();
    await this.#flushing;
    for (let left = LAST_ATTEMPTS; left > 0 && this.#hasWork(); left--) {
      if (left < LAST_ATTEMPTS) await this.#parts.clock.sleep(FLUSH_MS);
      await this.#flush();
    }
    const isWhole = !this.#hasWork();
    if (!this.#parts.part && this.#parts.mayWrite()) {
      const { store, platform } = this.#parts;
      if (isWhole) await this.#seal();
      await this.#trying(() => pruneRuns(store, platform, RUNS_KEPT));
    }
    return isWhole;
  }

  #hasWork(): boolean {
    return this.#unsent || this.#waiting.length > 0;
  }

  async #flushUntilEmpty(): Promise<void> {
    const { signal } = this.#end;
    while (this.#hasWork() && !signal.aborted) {
      await this.#flush();
      await this.#parts.clock.sleep(FLUSH_MS, signal);
    }
    this.#flushing = undefined;
  }

  /** There is something to send: see `#hasWork`. */
  async #flush(): Promise<void> {
    await this.#trying(async () => {
      this.#number ??= await this.#firstFree();
      while (this.#waiting.length > 0) await this.#move();
      await this.#send();
    });
  }

  /** Moves pending events into the chunk, or into the next one if they do not fit. */
  async #move(): Promise<void> {
    const events = batchOf(this.#waiting);
    const bytes = compress(events);
    const isFull = this.#bytes.length > 0 && this.#bytes.length + bytes.length > CHUNK_MAX;
    if (isFull || this.#isSealed) await this.#next();
    this.#waiting.splice(0, events.length);
    this.#add(events, bytes);
  }

  /** Seals the chunk, and starts the next one. */
  async #next(): Promise<void> {
    this.#unsent ||= !this.#isSealed;
    this.#isSealed = true;
    if (this.#unsent) await this.#send();
    this.#number = (this.#number ?? 0) + 1;
    this.#bytes = new Uint8Array();
    this.#isSealed = false;
    this.#isStored = false;
  }

  /** A process that continues the record starts another chunk. A chunk that cannot be sealed is complete anyway. */
  async #seal(): Promise<void> {
    if (!this.#isStored || this.#isSealed) return;
    this.#isSealed = true;
    await this.#send().catch(() => {});
  }

  #add(events: readonly RunEvent[], bytes: Uint8Array): void {
    const end = events.findLast((event) => event.type === 'run.finished');
    this.#exitStatus = end?.exitStatus;
    this.#isSealed = end !== undefined;
    this.#unsent = true;
    this.#written += bytes.length;
    this.#cut ||= this.#written > RUN_MAX || bytes.length > CHUNK_MAX;
    // The end event is small, and the most important.
    const kept = this.#cut ? end && compress([end]) : bytes;
    if (kept) this.#bytes = Buffer.concat([this.#bytes, kept]);
  }

  async #send(): Promise<void> {
    const { store, mayWrite } = this.#parts;
    const head = {
      number: this.#number ?? 0,
      started: this.#started,
      exitStatus: this.#exitStatus,
      cut: this.#cut,
    };
    const chunk = chunkOf(this.#parts, head, this.#bytes, this.#isSealed);
    const result = await store.put(chunk, mayWrite);
    // Another process of the run has written a chunk with this number, which stays.
    const isUsed = result.kind === 'refused' && result.reason === 'invalid' && !this.#isStored;
    if (isUsed) this.#number = await this.#firstFree();
    if (result.kind !== 'done') throw new Error(result.message);
    this.#isStored = true;
    this.#unsent = false;
  }

  /** A run that resumes another one continues its record. */
  async #firstFree(): Promise<number> {
    const { store, platform, run, part = '' } = this.#parts;
    const labels = new Map([
      [LABEL.platform, platform],
      [LABEL.run, run],
    ]);
    const heads = (await store.list(labels)).flatMap((chunk) => headOf(chunk) ?? []);
    const own = heads.filter((head) => head.part === part);
    return Math.max(-1, ...own.map(({ number }) => number)) + 1;
  }

  async #trying(action: () => Promise<void>): Promise<void> {
    try {
      await action();
    } catch (error) {
      if (this.#complained) return;
      this.#complained = true;
      this.#parts.onProblem(error instanceof Error ? error.message : String(error));
    }
  }
}

/** The first ones, at least one. */
function batchOf(events: readonly RunEvent[]): readonly RunEvent[] {
  let size = 0;
  const beyond = events.findIndex((event, index) => {
    size += Buffer.byteLength(JSON.stringify(event));
    return size > BATCH_MAX && index > 0;
  });
  return beyond === -1 ? events.slice() : events.slice(0, beyond);
}
