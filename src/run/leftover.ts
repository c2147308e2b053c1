// What a teardown has left behind, and how it would be removed.
import type { ResourceName } from '../ports/application-view.ts';

export interface Leftover {
  readonly resource: ResourceName;
  /** As destinations call it; absent: Argo CD's own. */
  readonly cluster?: string;
  readonly why: string;
  /** The inventory that was approved said that it stays. */
  readonly announced: boolean;
  /** What would remove it. */
  readonly command: string;
}

/** A cluster that Argo CD does not run in. */
interface Elsewhere {
  readonly cluster: string;
  readonly context: string;
}

/** `where` undefined: in Argo CD's own cluster. */
export function leftover(
  resource: ResourceName,
  why: string,
  announced: boolean,
  where?: Elsewhere,
): Leftover {
  const cluster = where && { cluster: where.cluster };
  return { resource, ...cluster, why, announced, command: commandFor(resource, where) };
}

function commandFor(
  { group, kind, namespace, name }: ResourceName,
  where: Elsewhere | undefined,
): string {
  const context = where ? `--context ${shellWord(where.context)} ` : '';
  const place = namespace ? `-n ${namespace} ` : '';
  const resource = group ? `${kind.toLowerCase()}.${group}` : kind.toLowerCase();
  return `kubectl ${context}${place}delete ${resource} ${name}`;
}

/** As a shell reads it back: a context is any text. */
const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
