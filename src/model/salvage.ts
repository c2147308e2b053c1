// Reads what it can of a platform file that does not fit the schema, so that names and references are checked in the same
// pass. Positions in lists are kept; an unreadable entry gets a name that no reference can match.

import type { Dependency, ProbeEntry } from './fields.ts';
import { DEPENDENCIES_MAX } from './limits.ts';
import { LABEL_NAME, REFERENCE } from './names.ts';
import type { ApplicationEntry, PlatformFile, StackEntry } from './platform-file.ts';

type Mapping = Readonly<Record<string, unknown>>;

export function salvage(value: unknown): PlatformFile {
  const file = mapping(value);
  const spec = mapping(file.spec);
  const root = text(spec.root);
  return {
    apiVersion: 'tiphys.dev/v1alpha1',
    kind: 'Platform',
    metadata: { name: text(mapping(file.metadata).name) ?? '' },
    spec: {
      ...(root === undefined ? {} : { root }),
      classes: mapping(spec.classes) as NonNullable<PlatformFile['spec']['classes']>,
      stacks: list(spec.stacks).map(stackEntry),
    },
  };
}

function stackEntry(value: unknown, at: number): StackEntry {
  const stack = mapping(value);
  const application = text(stack.application);
  const gate = questions(stack.gate);
  const parent = text(stack.parent);
  return {
    name: text(stack.name) ?? unreadable(at),
    ...(parent !== undefined && LABEL_NAME.test(parent) ? { parent } : {}),
    ...(application === undefined ? {} : { application }),
    ...environments(stack.environments),
    ...gate,
    dependsOn: references(stack.dependsOn),
    applications: list(stack.applications).map((entry, a) => applicationEntry(entry, at, a)),
  };
}

function applicationEntry(value: unknown, s: number, a: number): ApplicationEntry {
  const application = mapping(value);
  const written = text(application.class);
  const className = written !== undefined && LABEL_NAME.test(written) ? written : undefined;
  return {
    name: text(application.name) ?? unreadable(s, a),
    ...(className === undefined ? {} : { class: className }),
    ...environments(application.environments),
    ...questions(application.gate),
    dependsOn: references(application.dependsOn),
  };
}

/** Only which keys of a probe exist: the schema checks their values. */
function questions(value: unknown): { gate?: NonNullable<StackEntry['gate']> } {
  const gate = mapping(value);
  const approval = text(gate.approval);
  const isProbe = Object.keys(mapping(gate.probe)).length > 0;
  if (approval === undefined && !isProbe) return {};
  return {
    gate: {
      ...(approval === undefined ? {} : { approval }),
      ...(isProbe && { probe: gate.probe as ProbeEntry }),
    },
  };
}

/** Invalid entries are reported elsewhere; the placeholder of one refers to nothing and is skipped. */
function references(value: unknown): Dependency[] {
  const written = list(value);
  // Too many entries are one mistake, not thousands.
  if (written.length > DEPENDENCIES_MAX) return [];
  return written.map((one) => {
    const name = text(one) ?? text(mapping(one).name) ?? '';
    return REFERENCE.test(name) ? name : '';
  });
}

function environments(value: unknown): { environments?: string[] } {
  const names = list(value).flatMap((name) => text(name) ?? []);
  return names.length > 0 ? { environments: names } : {};
}

const unreadable = (...places: number[]): string =>
  `#${places.map((place) => place + 1).join('/')}`;
const text = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function mapping(value: unknown): Mapping {
  const isMapping = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isMapping ? (value as Mapping) : {};
}
