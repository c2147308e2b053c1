// A store of objects with compare-and-swap, as the API server has one, and the ways in which it fails.
import type { WriteResult } from '../../src/ports/write-result.ts';

export interface Versioned {
  readonly name: string;
  readonly resourceVersion: string;
}

/** What happens to the next write: before it is applied, or instead of its answer. */
export interface Fault {
  /** Somebody else's turn, between the read and the write. */
  readonly before?: () => void;
  /** Not applied at all, applied with the answer lost, or refused. */
  readonly result?: 'lost-request' | 'lost-reply' | WriteResult;
}

const LOST: WriteResult = { kind: 'unknown', message: 'no answer' };
const CONFLICT: WriteResult = { kind: 'refused', reason: 'conflict', message: 'changed meanwhile' };

export class VersionedStore<T extends Versioned> {
  readonly #objects = new Map<string, T>();
  #version = 100;
  /** Used up from the front, one for each write. */
  readonly faults: Fault[] = [];
  /** Every request fails like this, as long as it is set. */
  down: Error | undefined;
  reads = 0;
  writes = 0;

  peek(name: string): T | undefined {
    return this.#objects.get(name);
  }

  /** Somebody else's write. */
  put(object: Omit<T, 'resourceVersion'>): void {
    const version = { resourceVersion: String(++this.#version) };
    this.#objects.set(object.name, { ...object, ...version } as T);
  }

  delete(name: string): void {
    this.#objects.delete(name);
  }

  async get(name: string): Promise<T | undefined> {
    this.reads++;
    await undefined;
    if (this.down) throw this.down;
    return this.peek(name);
  }

  /** Undefined as version: it must not be there yet. */
  async write(
    object: Omit<T, 'resourceVersion'>,
    version: string | undefined,
  ): Promise<WriteResult> {
    this.writes++;
    const fault = this.faults.shift();
    await undefined;
    if (this.down) return { kind: 'unknown', message: this.down.message };
    fault?.before?.();
    if (fault?.result === 'lost-request') return LOST;
    if (typeof fault?.result === 'object') return fault.result;
    if (this.peek(object.name)?.resourceVersion !== version) return CONFLICT;
    this.put(object);
    return fault?.result === 'lost-reply' ? LOST : { kind: 'done' };
  }
}
