// The ApplicationSet controller, for sets with a list of elements: makes each Application, and makes it again when it goes.

import type { Change, Json, KubeObject, Objects } from '../cluster/object-store.ts';
import { kindOf } from '../cluster/served-kinds.ts';
import type { VirtualTime } from '../virtual-time.ts';
import { API } from './application.ts';

const SOON_MS = 100;

export function applicationSets(time: VirtualTime, objects: Objects): void {
  objects.onChange(({ type, object }: Change) => {
    const isSet = object.kind === 'ApplicationSet' && type !== 'DELETED';
    const wasMade =
      type === 'DELETED' &&
      object.metadata.ownerReferences?.some(({ kind }) => kind === 'ApplicationSet');
    if (!isSet && !(object.kind === 'Application' && wasMade)) return;
    time.after(SOON_MS, () => {
      for (const set of objects.list(kindOf(API, 'ApplicationSet'))) make(objects, set);
    });
  });
}

interface SetSpec {
  readonly generators?: readonly {
    readonly list?: { readonly elements: readonly Readonly<Record<string, string>>[] };
  }[];
  readonly template?: { readonly metadata: KubeObject['metadata']; readonly spec: Json };
}

function make(objects: Objects, set: KubeObject): void {
  const { generators = [], template } = set.spec as unknown as SetSpec;
  const { namespace, name, uid = '', deletionTimestamp } = set.metadata;
  if (!template || deletionTimestamp !== undefined) return;
  for (const element of generators.flatMap(({ list }) => list?.elements ?? [])) {
    const filled = fill(template, element);
    if (objects.get(API, 'Application', namespace, filled.metadata.name)) continue;
    const ownerReferences = [
      { apiVersion: API, kind: 'ApplicationSet', name, uid, controller: true },
    ];
    objects.create({
      apiVersion: API,
      kind: 'Application',
      metadata: { ...filled.metadata, ...(namespace ? { namespace } : {}), ownerReferences },
      spec: filled.spec,
    });
  }
}

/** `{{name}}` and `{{.name}}`. */
function fill<T>(template: T, element: Readonly<Record<string, string>>): T {
  const text = JSON.stringify(template).replace(
    /\{\{\s*\.?(\w+)\s*\}\}/g,
    (_, key: string) => element[key] ?? '',
  );
  return JSON.parse(text) as T;
}
