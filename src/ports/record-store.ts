// Where records are kept: ConfigMaps of the Argo CD namespace.
import type { WriteResult } from './write-result.ts';

export interface StoredText {
  readonly name: string;
  readonly labels: ReadonlyMap<string, string>;
  readonly annotations: ReadonlyMap<string, string>;
  /** File name -> bytes. */
  readonly data: ReadonlyMap<string, Uint8Array>;
}

/** ConfigMaps of the Argo CD namespace. */
export interface Store {
  readonly list: (labels: ReadonlyMap<string, string>) => Promise<readonly StoredText[]>;
  /** Creates or replaces, with one request after the other: `mayWrite` is asked before each. */
  readonly put: (text: StoredText, mayWrite: () => boolean) => Promise<WriteResult>;
  readonly remove: (name: string) => Promise<WriteResult>;
}
