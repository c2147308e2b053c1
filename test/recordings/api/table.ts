// The table of what the described APIs have: `npm run api-table` writes it, a test compares it with what is in use.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Of what is in use: what is described. Names with spaces between them. */
export interface DescribedOperation {
  readonly query: string;
  readonly body: string;
  readonly answer: string;
}

export interface Version {
  /** By "method path". */
  readonly operations: Readonly<Record<string, DescribedOperation>>;
  readonly kinds: Readonly<Record<string, string>>;
}

/** By version of Argo CD, the newest of each minor. */
type Table = Readonly<Record<string, Version>>;

export const TABLE_FILE = join(import.meta.dirname, 'argocd.json');

export function readTable(): Table {
  return JSON.parse(readFileSync(TABLE_FILE, 'utf8')) as Table;
}
