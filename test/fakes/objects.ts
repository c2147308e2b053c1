// Objects of a cluster in memory, as a teardown looks for what is left of them.
import type { ResourceName } from '../../src/ports/application-view.ts';
import type { ListedObject, ObjectReads, Residue } from '../../src/ports/cluster-objects.ts';

export interface Memory {
  readonly objects: readonly ListedObject[];
  /** Kinds that may not be read. */
  readonly hidden: readonly string[];
  /** Why nobody can tell what is in a namespace. */
  readonly unlisted: string | undefined;
  /** Namespace -> why it has not gone. */
  readonly terminating: Readonly<Record<string, string>>;
  readonly volumes: Awaited<ReturnType<Residue['volumes']>>;
  readonly webhooks: Awaited<ReturnType<Residue['webhooks']>>;
}

export const listedObject = (
  { group, kind, namespace, name }: ResourceName,
  part: Partial<ListedObject> = {},
): ListedObject => ({
  ...{ group, kind, namespace, name, uid: `uid-${name}` },
  ...{ tracker: undefined, owned: false, deletingSince: undefined },
  ...part,
});

const isAt = (one: ResourceName, other: ResourceName): boolean =>
  one.group === other.group &&
  one.kind === other.kind &&
  one.namespace === other.namespace &&
  one.name === other.name;

export function inMemory(memory: Partial<Memory>) {
  const { objects: all = [], hidden = [], unlisted, terminating = {} } = memory;
  const { volumes = [], webhooks = [] } = memory;
  const objects: ObjectReads = {
    get: async (resource) => {
      if (hidden.includes(resource.kind)) return 'unknown';
      const found = all.find((one) => isAt(one, resource));
      return found && { ...found, finalizers: [] };
    },
    list: async ({ group, kind }, namespace) => {
      if (hidden.includes(kind)) return 'unknown';
      const isAsked = (one: ListedObject) => namespace === undefined || one.namespace === namespace;
      return all.filter((one) => one.group === group && one.kind === kind && isAsked(one));
    },
    contents: async (namespace) =>
      unlisted === undefined ? all.filter((one) => one.namespace === namespace) : { unlisted },
  };
  const residue: Residue = {
    terminating: async (namespace) => terminating[namespace],
    volumes: async () => volumes,
    webhooks: async () => webhooks,
  };
  return { namespace: 'argocd', objects, residue };
}
