// The newest that a watch has seen of each Application, and who wants to know of a change.
import type { ApplicationView } from '../../ports/application-view.ts';
import type { Hint, Watch } from '../../ports/application-watch.ts';
import { place } from '../application/schema.ts';
import { applicationView } from '../application/view.ts';

interface Entry {
  readonly namespace: string;
  readonly name: string;
  readonly resourceVersion: string;
  /** Undefined once it is deleted: what comes late must not bring it back. */
  readonly view: ApplicationView | undefined;
}

export interface Seen extends Omit<Watch, 'follow'> {
  /** It is there, or was changed. */
  readonly observe: (object: unknown) => void;
  readonly remove: (object: unknown) => void;
  /** This is all there is in the namespace; what is missing was deleted. */
  readonly replace: (namespace: string, objects: readonly unknown[], version: string) => void;
}

interface Place {
  readonly name: string;
  readonly namespace: string;
}

export function seenApplications(): Seen {
  const entries = new Map<string, Entry>();
  const listeners = new Set<(hint: Hint) => void>();
  const waiting = new Map<string, Set<() => void>>();

  const record = (entry: Entry) => {
    const key = keyOf(entry);
    const before = entries.get(key);
    if (before && !isNewer(entry.resourceVersion, before.resourceVersion)) return;
    entries.set(key, entry);
    const { name, namespace, view: application } = entry;
    for (const listener of listeners) listener({ name, namespace, application });
    for (const wake of waiting.get(key) ?? []) wake();
  };

  const observe = (object: unknown) => {
    const place = placeOf(object);
    // One that is malformed keeps its last good view. It wakes who waits for it: reading it tells what is wrong.
    if (place) record({ ...place, view: viewOf(object) ?? entries.get(keyOf(place))?.view });
  };

  return {
    observe,
    remove: (object) => {
      const place = placeOf(object);
      if (place) record({ ...place, view: undefined });
    },
    replace: (namespace, objects, resourceVersion) => {
      const present = new Set(objects.map(placeOf).map((place) => place && keyOf(place)));
      for (const object of objects) observe(object);
      for (const [key, { name, namespace: of, view }] of entries) {
        const gone = of === namespace && view !== undefined && !present.has(key);
        if (gone) record({ name, namespace, resourceVersion, view: undefined });
      }
    },
    last: (address) => entries.get(keyOf(address))?.view,
    all: () => [...entries.values()].flatMap(({ view }) => view ?? []),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    nextChange: (address, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve();
        const key = keyOf(address);
        const wakes = waiting.get(key) ?? new Set();
        waiting.set(key, wakes);
        const wake = () => {
          wakes.delete(wake);
          if (wakes.size === 0 && waiting.get(key) === wakes) waiting.delete(key);
          signal.removeEventListener('abort', wake);
          resolve();
        };
        wakes.add(wake);
        signal.addEventListener('abort', wake);
      }),
  };
}

const keyOf = ({ namespace, name }: Place) => `${namespace}/${name}`;

function placeOf(object: unknown): (Place & { readonly resourceVersion: string }) | undefined {
  const given = typeof object === 'object' && object !== null && 'metadata' in object;
  return given ? place.safeParse(object.metadata).data : undefined;
}

function viewOf(object: unknown): ApplicationView | undefined {
  try {
    return applicationView(object);
  } catch {
    return undefined;
  }
}

/** Versions are numbers that grow, too long for some of our own. */
function isNewer(version: string, than: string): boolean {
  return version.length === than.length ? version > than : version.length > than.length;
}
