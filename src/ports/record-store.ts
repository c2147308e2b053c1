// Where records are kept: ConfigMaps of the Argo CD namespace.
import type { WriteResult } from './write-result.ts';

export interface StoredText {
  readonly name: string;
  readonly labels: ReadonlyMap<string, string>;
  readonly annotations: ReadonlyMap<string, string>;
  /** File name -> bytes. */
  readonly data: ReadonlyMap<string, Uint8Array>;
  /** Its data never changes again: Kubernetes refuses that. It can be removed. */
  readonly isSealed?: boolean;
}

/** ConfigMaps of the Argo CD namespace. */
export interface StoreReads {
  readonly list: (labels: ReadonlyMap<string, string>) => Promise<readonly StoredText[]>;
}

export interface Store extends StoreReads {
  /** Creates or replaces, with one request after the other: `mayWrite` is asked before each. */
  readonly put: (text: StoredText, mayWrite: () => boolean) => Promise<WriteResult>;
  readonly remove: (name: string) => Promise<WriteResult>;
}
