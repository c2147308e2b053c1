// The hold: a deny window on an AppProject that keeps Argo CD from syncing the named Applications automatically, while requested
// syncs go through. Platforms that share an AppProject have a window each. Pure: `src/session/hold/hold-writer.ts` reads and writes.
import { compareText } from '../model/names.ts';
import type { ProjectChange, ProjectView, ProjectWindow } from '../ports/app-projects.ts';

export const HOLD_ANNOTATION = 'tiphys.dev/hold';

/**
 * Active at every moment: a window begins each minute and lasts a year. Both are unusual on purpose; together they mark a
 * window as ours, since windows have no name and Argo CD 3.0 knows no description of them. The minutes of the duration say
 * which annotation names the owner: Argo CD does not take two windows that are alike, and a place in the list can change.
 */
const HOLD_SCHEDULE = '0-59 0-23 * * *';
const HOLD_DURATION = /^8784h(?:([1-9]\d*)m)?$/;

const durationOf = (slot: number): string => (slot === 0 ? '8784h' : `8784h${slot}m`);

/** The annotation that names who holds what the window of this slot has. */
export const annotationOf = (slot: number): string =>
  slot === 0 ? HOLD_ANNOTATION : `${HOLD_ANNOTATION}-${slot}`;

/** What Tiphys holds on a project for one platform. */
export interface Hold {
  /** Undefined if the annotation is gone or not readable: then no owner can be named. */
  readonly platform: string | undefined;
  readonly run: string | undefined;
  /** Which of the holds on the project it is, from 0 on. */
  readonly slot: number;
  /** Sorted, each once. */
  readonly names: readonly string[];
  /** Exactly as Tiphys writes it. False after a change by hand. */
  readonly intact: boolean;
}

type Marked = Pick<ProjectWindow, 'kind' | 'schedule' | 'duration'>;

export const isHoldWindow = (window: Marked): boolean => slotOf(window) !== undefined;

/** Undefined: it is no window of ours. */
function slotOf({ kind, schedule, duration }: Marked): number | undefined {
  const marked = HOLD_DURATION.exec(duration);
  if (kind !== 'deny' || schedule !== HOLD_SCHEDULE || !marked) return undefined;
  return Number(marked[1] ?? 0);
}

export function holdWindow(names: Iterable<string>, slot = 0): ProjectWindow {
  return {
    kind: 'deny',
    schedule: HOLD_SCHEDULE,
    duration: durationOf(slot),
    applications: sorted(names),
    manualSync: true,
    given: undefined,
  };
}

/**
 * What this platform holds there, in all of its windows, else what has no known owner. An annotation that was left without
 * a window holds nothing.
 */
export function holdOf(project: ProjectView, platform: string): Hold | undefined {
  const holds = holdsIn(project);
  const [first, ...more] = holds.filter((hold) => hold.platform === platform);
  if (!first) return holds.find((hold) => hold.platform === undefined);
  if (more.length === 0) return first;
  const names = sorted([first, ...more].flatMap((hold) => hold.names));
  return { ...first, names, intact: false };
}

const holdsIn = (project: ProjectView): readonly Hold[] =>
  [...slotsOf(project)].sort((a, b) => a - b).map((slot) => holdIn(project, slot));

const slotsOf = ({ windows }: ProjectView): ReadonlySet<number> =>
  new Set(windows.flatMap((window) => slotOf(window) ?? []));

function holdIn(project: ProjectView, slot: number): Hold {
  const windows = project.windows.filter((window) => slotOf(window) === slot);
  const owner = /^([^/\s]+)\/([^/\s]+)$/.exec(project.annotations.get(annotationOf(slot)) ?? '');
  const names = sorted(windows.flatMap((window) => window.applications));
  const intact =
    owner !== null && windows.length === 1 && windows.every((one) => isAsWritten(one, names));
  return { platform: owner?.[1], run: owner?.[2], slot, names, intact };
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

/** What to write so that exactly these names are held for the owner. Windows of others stay as they are and where they are. */
export function changeTo(
  project: ProjectView,
  names: Iterable<string>,
  owner: { readonly platform: string; readonly run: string },
): ProjectChange {
  const wanted = sorted(names);
  const hold = holdOf(project, owner.platform);
  const slot = hold && isTakenOver(hold, wanted, owner) ? hold.slot : freeSlot(project);
  const replaced = new Set([slot, ...slotsNamedFor(project, owner.platform)]);
  const window = holdWindow(wanted, slot);
  const held = wanted.length > 0;
  const isOthers = (other: ProjectWindow) => !replaced.has(slotOf(other) ?? -1);
  const at = project.windows.findIndex((one) => !isOthers(one));
  const place = at === -1 ? project.windows.length : at;
  const windows = [
    ...project.windows.slice(0, place).filter(isOthers),
    ...(held ? [window] : []),
    ...project.windows.slice(place).filter(isOthers),
  ];
  const annotations = new Map<string, string | undefined>(
    [...replaced].map((one) => [annotationOf(one), undefined]),
  );
  if (held) annotations.set(annotationOf(slot), `${owner.platform}/${owner.run}`);
  return { windows, annotations };
}

const slotsNamedFor = (project: ProjectView, platform: string): readonly number[] =>
  holdsIn(project).flatMap((hold) => (hold.platform === platform ? [hold.slot] : []));

/** A window without an owner, only if it has nothing else: the rest would be released although another owner holds it. */
function isTakenOver(
  hold: Hold,
  names: readonly string[],
  { platform }: { readonly platform: string },
): boolean {
  return hold.platform === platform || hold.names.every((name) => names.includes(name));
}

function freeSlot(project: ProjectView): number {
  const taken = slotsOf(project);
  let slot = 0;
  while (taken.has(slot)) slot++;
  return slot;
}

export function withNames(names: readonly string[], more: Iterable<string>): readonly string[] {
  return sorted([...names, ...more]);
}

export function withoutNames(names: readonly string[], fewer: Iterable<string>): readonly string[] {
  const out = new Set(fewer);
  return names.filter((name) => !out.has(name));
}

/**
 * Whether this run alone has to do with what is held: exactly as written, by it. `before`: what it held last. A window
 * without an owner that has any of that may be its own; one that has none of it belongs to another owner.
 */
export function isHeldBy(
  project: ProjectView,
  owner: { readonly platform: string; readonly run: string },
  names: readonly string[],
  before: readonly string[] = [],
): boolean {
  const hold = holdOf(project, owner.platform);
  if (names.length === 0) {
    if (hold?.platform === owner.platform) return false;
    return !hold?.names.some((name) => before.includes(name));
  }
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
