// Leases, AppProjects and ConfigMaps in memory, with the faults that a test plants.

import type { Projects, ProjectView, ProjectWindow } from '../../src/ports/app-projects.ts';
import type { Leases, LeaseView } from '../../src/ports/lease-store.ts';
import type { Store, StoredText } from '../../src/ports/record-store.ts';
import type { WriteResult } from '../../src/ports/write-result.ts';
import { VersionedStore } from './versioned.ts';

export class FakeLeases extends VersionedStore<LeaseView> {
  readonly api: Leases = {
    get: (name) => this.get(name),
    create: (lease) => this.write(lease, undefined),
    update: (lease) => this.write(lease, lease.resourceVersion),
  };
}

export class FakeProjects extends VersionedStore<ProjectView> {
  readonly api: Projects = {
    get: (name) => this.get(name),
    update: (project, { windows, annotations }) => {
      const all = new Map([...project.annotations, ...annotations]);
      const kept = [...all].flatMap(([key, value]) =>
        value === undefined ? [] : [[key, value] as const],
      );
      // As Argo CD gives them back: whole.
      const given = windows.map((window) => ({ ...window, given: window.given ?? { ...window } }));
      const next = { ...project, windows: given, annotations: new Map(kept) };
      return this.write(next, project.resourceVersion);
    },
  };
}

export function projectNamed(name: string, part: Partial<ProjectView> = {}): ProjectView {
  return {
    name,
    resourceVersion: '1',
    annotations: new Map(),
    windows: [],
    trackedBy: undefined,
    windowsAppliedBy: undefined,
    ...part,
  };
}

export function foreignWindow(part: Partial<ProjectWindow> = {}): ProjectWindow {
  const window = {
    kind: 'allow',
    schedule: '0 8 * * *',
    duration: '2h',
    applications: ['*'],
    manualSync: false,
    ...part,
  } as const;
  return { ...window, given: part.given ?? { ...window, description: 'of the customer' } };
}

const isSameText = (a: StoredText, b: StoredText): boolean =>
  b.isSealed === true &&
  [...a.data].every(
    ([key, bytes]) => Buffer.compare(bytes, b.data.get(key) ?? Buffer.alloc(0)) === 0,
  );

export class FakeStore {
  readonly texts = new Map<string, StoredText>();
  /** The next writes get these answers and are not done. */
  readonly refusals: WriteResult[] = [];
  readonly putAt: number[] = [];
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  readonly api: Store = {
    list: async (labels) =>
      [...this.texts.values()].filter((text) =>
        [...labels].every(([key, value]) => text.labels.get(key) === value),
      ),
    put: async (text, mayWrite) => {
      if (!mayWrite()) return { kind: 'refused', reason: 'forbidden', message: 'not the owner' };
      this.putAt.push(this.#now());
      const refusal = this.refusals.shift();
      if (refusal) return refusal;
      const before = this.texts.get(text.name);
      if (before?.isSealed && !isSameText(before, text))
        return { kind: 'refused', reason: 'invalid', message: 'field is immutable' };
      this.texts.set(text.name, text);
      return { kind: 'done' };
    },
    remove: async (name) => {
      this.texts.delete(name);
      return { kind: 'done' };
    },
  };
}
