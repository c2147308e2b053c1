// What a teardown has left behind, and how it would be removed.
import type { ResourceName } from '../ports/application-view.ts';

export interface Leftover {
  readonly resource: ResourceName;
  readonly why: string;
  /** The inventory that was approved said that it stays. */
  readonly announced: boolean;
  /** What would remove it. */
  readonly command: string;
}

export function leftover(resource: ResourceName, why: string, announced: boolean): Leftover {
  return { resource, why, announced, command: commandFor(resource) };
}

function commandFor({ group, kind, namespace, name }: ResourceName): string {
  const place = namespace ? `-n ${namespace} ` : '';
  const resource = group ? `${kind.toLowerCase()}.${group}` : kind.toLowerCase();
  return `kubectl ${place}delete ${resource} ${name}`;
}
