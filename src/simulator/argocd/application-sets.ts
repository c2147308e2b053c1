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
      for (const set of objects.list(kindOf(API, 'ApplicationSet'))) make(time, objects, set);
    });
  });
}

type Element = Readonly<Record<string, string>>;

interface SetSpec {
  readonly generators?: readonly {
    readonly list?: { readonly elements: readonly Element[] };
  }[];
  readonly template?: { readonly metadata: KubeObject['metadata']; readonly spec: Json };
}

function make(time: VirtualTime, objects: Objects, set: KubeObject): void {
  const { generators = [], template } = set.spec as unknown as SetSpec;
  if (!template || set.metadata.deletionTimestamp !== undefined) return;
  const elements = generators.flatMap(({ list }) => list?.elements ?? []);
  const filled = elements.map((element) => ({ element, ...fill(template, element) }));
  const names = new Set(filled.map(({ metadata }) => metadata.name));
  const isWrong = names.size < filled.length;
  if (isWrong) tell(objects, set, 'False');
  else makeAll(time, objects, set, filled);
}

function makeAll(
  time: VirtualTime,
  objects: Objects,
  set: KubeObject,
  filled: readonly Filled[],
): void {
  const waits = filled.flatMap((one) => makeOne(objects, set, one, time.calendar));
  if (waits.length === 0) tell(objects, set, 'True');
  else
    time.after(Math.min(...waits), () => {
      const now = objects.current(set);
      if (now) make(time, objects, now);
    });
}

interface Filled {
  readonly element: Element;
  readonly metadata: KubeObject['metadata'];
  readonly spec: Json;
}

/** Milliseconds until it is time for it: an element says in `after` how many seconds its Application comes after the set. */
function makeOne(
  objects: Objects,
  { metadata: { namespace, name, uid = '', creationTimestamp = '' } }: KubeObject,
  { element, metadata, spec }: Filled,
  now: number,
): number[] {
  if (objects.get(API, 'Application', namespace, metadata.name)) return [];
  const due = Date.parse(creationTimestamp) + Number(element.after ?? 0) * 1000;
  if (element.after !== undefined && due > now) return [due - now];
  const ownerReferences = [
    { apiVersion: API, kind: 'ApplicationSet', name, uid, controller: true },
  ];
  objects.create({
    apiVersion: API,
    kind: 'Application',
    metadata: { ...metadata, ...(namespace ? { namespace } : {}), ownerReferences },
    spec,
  });
  return [];
}

/** What it says of itself. */
function tell(objects: Objects, set: KubeObject, status: 'True' | 'False'): void {
  const conditions = [{ type: 'ResourcesUpToDate', status }];
  objects.update(set, (now) => ({ ...now, status: { ...now.status, conditions } }));
}

/** `{{name}}` and `{{.name}}`. */
function fill<T>(template: T, element: Element): T {
  const text = JSON.stringify(template).replace(
    /\{\{\s*\.?(\w+)\s*\}\}/g,
    (_, key: string) => element[key] ?? '',
  );
  return JSON.parse(text) as T;
}
