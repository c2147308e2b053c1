// Whether the sync windows of others forbid a sync. Our own deny window with `manualSync` would open an `allow` window that
// is closed, as Argo CD looks at denies first; so the others are judged alone, as if ours were not there.

import type { ProjectWindow } from '../ports/app-projects.ts';
import type { SyncWindow } from '../ports/argocd-applications.ts';
import { isHoldWindow } from './hold.ts';
import { isoTime } from './iso-time.ts';
import { openingOf, type TimedWindow } from './window-time.ts';

export interface Blocked {
  /** The windows that forbid it. */
  readonly by: readonly SyncWindow[];
  /** Milliseconds of the calendar; undefined if it cannot be said. */
  readonly at: number | undefined;
  /** For messages: `until 2026-11-15T22:00:00.000Z`, and which window it is. */
  readonly until: string;
}

/**
 * `windows` are those that apply to one Application, ours among them or not. Time zones are known only of the project's
 * windows: where they are given, the end can be told for windows in other zones than UTC too.
 */
export function blockedByOthers(
  windows: readonly SyncWindow[],
  now: number,
  project: readonly ProjectWindow[] = [],
): Blocked | undefined {
  const others = windows.filter((window) => !isHoldWindow(window));
  const by = forbidding(others);
  if (by.length === 0) return undefined;
  const timed = others.map((window) => ({ ...window, timeZone: zoneOf(window, project) }));
  const at = openingOf(timed, now, (states) => forbidding(states).length === 0);
  return { by, at, until: untilText(by, at) };
}

/** Argo CD's `CanSync` for a requested sync, and which windows are in its way. */
function forbidding<W extends SyncWindow>(windows: readonly W[]): readonly W[] {
  const denies = windows.filter(({ kind, active }) => kind === 'deny' && active);
  // With a deny that is active, allow windows are not looked at any more.
  if (denies.length > 0) return denies.filter(({ manualSync }) => !manualSync);
  const allows = windows.filter(({ kind }) => kind === 'allow');
  if (allows.some(({ active }) => active)) return [];
  return allows.filter(({ manualSync }) => !manualSync);
}

/** Argo CD names no zone in its answer for an Application. Windows that differ in nothing else leave it open. */
function zoneOf(window: SyncWindow, project: readonly ProjectWindow[]): TimedWindow['timeZone'] {
  const alike = project.filter(
    ({ kind, schedule, duration, manualSync }) =>
      kind === window.kind &&
      schedule === window.schedule &&
      duration === window.duration &&
      manualSync === window.manualSync,
  );
  const zones = new Set(alike.map(({ given }) => zoneIn(given)));
  const [zone] = zones;
  return zones.size > 1 ? undefined : (zone ?? 'UTC');
}

function zoneIn(given: unknown): string {
  if (typeof given !== 'object' || given === null || !('timeZone' in given)) return 'UTC';
  return typeof given.timeZone === 'string' && given.timeZone !== '' ? given.timeZone : 'UTC';
}

function untilText(by: readonly SyncWindow[], at: number | undefined): string {
  const names = by.map(({ kind, schedule, duration, active }) => {
    return `${active ? '' : 'closed '}${kind} window "${schedule}" for ${duration}`;
  });
  const when = at === undefined ? 'for an unknown time' : `until ${isoTime(at)}`;
  return `${when} (${names.join(', ')})`;
}
