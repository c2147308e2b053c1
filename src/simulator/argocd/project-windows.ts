// Sync windows, as Argo CD judges them.
import { Cron } from 'croner';
import { parseDuration } from '../../model/duration.ts';
import { matchesGlob } from '../../model/glob.ts';
import type { Application } from './application.ts';
import type { Control } from './control.ts';

export interface Window {
  readonly kind: 'allow' | 'deny';
  readonly schedule: string;
  readonly duration: string;
  readonly applications?: readonly string[];
  readonly namespaces?: readonly string[];
  readonly clusters?: readonly string[];
  readonly manualSync?: boolean;
  readonly timeZone?: string;
}

/** Those of its project that concern this Application. */
export function windowsOf(controller: Control, application: Application): readonly Window[] {
  const { namespace = '', server, name = '' } = application.spec.destination;
  const windows = controller.project(application)?.spec?.syncWindows;
  return ((windows as readonly Window[] | undefined) ?? []).filter(
    ({ applications, namespaces, clusters }) =>
      (applications && isIn(applications, application.metadata.name)) ||
      namespaces?.some((pattern) => matchesGlob(pattern, namespace)) ||
      clusters?.some((pattern) => matchesGlob(pattern, server ?? name)),
  );
}

/** A hold has a list of names, asked about with each comparison of an Application that it holds. */
const split = new WeakMap<
  readonly string[],
  { readonly names: ReadonlySet<string>; readonly globs: readonly string[] }
>();

function isIn(patterns: readonly string[], text: string): boolean {
  const known = split.get(patterns) ?? {
    names: new Set(patterns),
    globs: patterns.filter((pattern) => pattern.includes('*')),
  };
  split.set(patterns, known);
  return known.names.has(text) || known.globs.some((glob) => matchesGlob(glob, text));
}

/** Whether this Application may be synced now. */
export function maySync(controller: Control, application: Application, isManual: boolean): boolean {
  const windows = windowsOf(controller, application);
  return canSync(windows, isManual, controller.parts.time.calendar);
}

/** The beginning of a window that was found last: most questions are about the same one. */
const lastBegin = new Map<string, number>();

export function isActive({ schedule, duration, timeZone }: Window, now: number): boolean {
  const lasts = parseDuration(duration) * 1000;
  const zone = timeZone || 'UTC';
  const key = `${schedule} ${duration} ${zone}`;
  const known = lastBegin.get(key);
  if (known !== undefined && known <= now && now < known + lasts) return true;
  const begin = new Cron(schedule, { timezone: zone, paused: true }).nextRun(new Date(now - lasts));
  if (!begin || begin.getTime() > now) return false;
  lastBegin.set(key, begin.getTime());
  return true;
}

/** Denies are looked at first: one that lets requested syncs through opens what a closed `allow` would shut. */
function canSync(windows: readonly Window[], isManual: boolean, now: number): boolean {
  const active = windows.filter((window) => isActive(window, now));
  const denies = active.filter(({ kind }) => kind === 'deny');
  const manual = (some: readonly Window[]) =>
    isManual && some.every(({ manualSync }) => manualSync === true);
  if (denies.length > 0) return manual(denies);
  if (active.length > 0) return true;
  const allows = windows.filter(({ kind }) => kind === 'allow');
  return allows.length === 0 || manual(allows);
}
