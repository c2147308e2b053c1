// The hold: a deny window on an AppProject that keeps Argo CD from syncing the named Applications by itself, while requested
// syncs go through. One platform holds an AppProject at a time. Pure: `src/session/hold/hold-writer.ts` reads and writes.
import { compareText } from '../model/names.ts';
import type { ProjectChange, ProjectView, ProjectWindow } from '../ports/app-projects.ts';

export const HOLD_ANNOTATION = 'tiphys.dev/hold';

/**
 * Active at every moment: a window begins each minute and lasts a year. Both are unusual on purpose; together they mark a
 * window as ours, since windows have no name and Argo CD 3.0 knows no description of them.
 */
const HOLD_SCHEDULE = '0-59 0-23 * * *';
const HOLD_DURATION = '8784h';

/** What Tiphys holds on a project. */
export interface Hold {
  /** Undefined if the annotation is gone or not readable: then nobody can be named. */
  readonly platform: string | undefined;
  readonly run: string | undefined;
  /** Sorted, each once. */
  readonly names: readonly string[];
  /** Exactly as Tiphys writes it. False after somebody changed it by hand. */
  readonly intact: boolean;
}

type Marked = Pick<ProjectWindow, 'kind' | 'schedule' | 'duration'>;

export function isHoldWindow({ kind, schedule, duration }: Marked): boolean {
  return kind === 'deny' && schedule === HOLD_SCHEDULE && duration === HOLD_DURATION;
}

export function holdWindow(names: Iterable<string>): ProjectWindow {
  return {
    kind: 'deny',
    schedule: HOLD_SCHEDULE,
    duration: HOLD_DURATION,
    applications: sorted(names),
    manualSync: true,
    given: undefined,
  };
}

/** Undefined if nothing is held there; an annotation that was left without a window holds nothing. */
export function holdOf(project: ProjectView): Hold | undefined {
  const windows = project.windows.filter(isHoldWindow);
  const [first] = windows;
  if (!first) return undefined;
  const owner = /^([^/\s]+)\/([^/\s]+)$/.exec(project.annotations.get(HOLD_ANNOTATION) ?? '');
  const names = sorted(windows.flatMap((window) => window.applications));
  return {
    platform: owner?.[1],
    run: owner?.[2],
    names,
    intact: owner !== null && windows.length === 1 && isAsWritten(first, names),
  };
}

function isAsWritten(window: ProjectWindow, names: readonly string[]): boolean {
  return window.manualSync && isSame(window.applications, names) && !hasOtherSelectors(window);
}

/** Namespaces and clusters would make it match more Applications, or with `andOperator` fewer. */
function hasOtherSelectors({ given }: ProjectWindow): boolean {
  if (typeof given !== 'object' || given === null) return false;
  const { namespaces, clusters, andOperator } = given as Record<string, unknown>;
  const lists = [namespaces, clusters].some((list) => Array.isArray(list) && list.length > 0);
  return lists || andOperator === true;
}

/** What to write so that exactly these names are held. Windows of others stay as they are and where they are. */
export function changeTo(
  project: ProjectView,
  names: Iterable<string>,
  owner: { readonly platform: string; readonly run: string },
): ProjectChange {
  const window = holdWindow(names);
  const held = window.applications.length > 0;
  const at = project.windows.findIndex(isHoldWindow);
  const place = at === -1 ? project.windows.length : at;
  const isOthers = (other: ProjectWindow) => !isHoldWindow(other);
  const windows = [
    ...project.windows.slice(0, place).filter(isOthers),
    ...(held ? [window] : []),
    ...project.windows.slice(place).filter(isOthers),
  ];
  const annotation = held ? `${owner.platform}/${owner.run}` : undefined;
  return { windows, annotations: new Map([[HOLD_ANNOTATION, annotation]]) };
}

export function withNames(names: readonly string[], more: Iterable<string>): readonly string[] {
  return sorted([...names, ...more]);
}

export function withoutNames(names: readonly string[], fewer: Iterable<string>): readonly string[] {
  const out = new Set(fewer);
  return names.filter((name) => !out.has(name));
}

/** Whether nobody but this run has to do with what is held: exactly as written, by it. */
export function isHeldBy(
  project: ProjectView,
  owner: { readonly platform: string; readonly run: string },
  names: readonly string[],
): boolean {
  const hold = holdOf(project);
  if (names.length === 0) return hold === undefined;
  if (!hold?.intact || !isSame(hold.names, names)) return false;
  return hold.platform === owner.platform && hold.run === owner.run;
}

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** Who has `syncWindows` in a manifest, an empty list included: to apply it again would undo a hold. */
export type WindowsOwner = { readonly application: string } | { readonly manager: string };

export function windowsOwner(project: ProjectView): WindowsOwner | undefined {
  const { trackedBy: application, windowsAppliedBy: manager } = project;
  if (application !== undefined && (manager !== undefined || hasWindowsInGit(project)))
    return { application };
  return manager === undefined ? undefined : { manager };
}

/** By the way that leaves the manifest in an annotation. */
function hasWindowsInGit(project: ProjectView): boolean {
  try {
    const applied = JSON.parse(project.annotations.get(LAST_APPLIED) ?? '{}');
    return applied?.spec?.syncWindows !== undefined;
  } catch {
    return false;
  }
}

function sorted(names: Iterable<string>): readonly string[] {
  return [...new Set(names)].sort(compareText);
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name, index) => name === b[index]);
}
