// When a sync window begins and ends. Only to tell people until when they wait: whether one is active is what Argo CD says.
import { Cron } from 'croner';
import type { SyncWindow } from '../ports/argocd-applications.ts';
import { isoTime } from './iso-time.ts';

export interface TimedWindow extends SyncWindow {
  /** Undefined: not known. */
  readonly timeZone: string | undefined;
}

/** How far ahead is looked, in beginnings and ends of windows. */
const STEPS_MAX = 100;

/**
 * The first moment after `now` when these windows let a sync through, by `open`. Undefined if that is not in sight, or if
 * what Argo CD says of now shows that its reckoning is another one.
 */
export function openingOf<W extends TimedWindow>(
  windows: readonly W[],
  now: number,
  open: (windows: readonly W[]) => boolean,
): number | undefined {
  const calendars = windows.map(calendarOf);
  let at = now;
  for (let step = 0; step < STEPS_MAX; step++) {
    const states = calendars.map((calendar) => calendar && stateAt(calendar, at));
    const shown = windows.map((window, index) => {
      return { ...window, active: states[index]?.active ?? window.active };
    });
    if (step === 0 && !agrees(windows, states)) return undefined;
    if (step > 0 && open(shown)) return at;
    const changes = states.flatMap((state) => state?.changes ?? []);
    if (changes.length === 0) return undefined;
    at = Math.min(...changes);
  }
  return undefined;
}

/** It begins again before it ends, so that it never does: the way to write a window that is always active. */
const EVERY_MINUTE = '* * * * *';
const MINUTE_MS = 60_000;

interface Calendar {
  readonly durationMs: number;
  /** The first beginning after this moment. */
  readonly next: (after: number) => number | undefined;
  readonly isEndless: boolean;
}

interface State {
  readonly active: boolean;
  /** When that may change; undefined if never. */
  readonly changes: number | undefined;
}

function agrees(windows: readonly TimedWindow[], states: readonly (State | undefined)[]): boolean {
  return windows.every(({ active }, index) => states[index]?.active === active);
}

/** A window is active for its duration from each beginning on. Where the next one overlaps, the next step finds that. */
function stateAt({ durationMs, next, isEndless }: Calendar, at: number): State {
  if (isEndless) return { active: true, changes: undefined };
  const begin = next(at - durationMs);
  if (begin === undefined || begin > at) return { active: false, changes: begin };
  return { active: true, changes: begin + durationMs };
}

function calendarOf({ schedule, duration, timeZone }: TimedWindow): Calendar | undefined {
  const durationMs = goDuration(duration);
  if (durationMs === undefined || timeZone === undefined) return undefined;
  // Argo CD takes UTC for a zone that it does not know.
  for (const timezone of [timeZone, 'UTC']) {
    try {
      const cron = new Cron(schedule, { mode: '5-part', sloppyRanges: true, timezone });
      const next = (after: number) => cron.nextRun(isoTime(after))?.getTime();
      next(0);
      const isEndless = schedule === EVERY_MINUTE && durationMs >= MINUTE_MS;
      return { durationMs, next, isEndless };
    } catch {}
  }
  return undefined;
}

const UNITS_MS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

const LONGEST_DURATION = 64;

/** `1h30m`, `1.5h`, `90s`: what Go takes for a duration. */
function goDuration(text: string): number | undefined {
  if (text.length > LONGEST_DURATION) return undefined;
  if (!/^(?:\d+(?:\.\d*)?(?:ns|us|µs|ms|s|m|h))+$/.test(text)) return undefined;
  // At most 64 characters.
  const parts = [...text.matchAll(/(\d+\.?\d*)(ns|us|µs|ms|s|m|h)/g)];
  return parts.reduce(
    (sum, [, count, unit]) => sum + Number(count) * (UNITS_MS[unit ?? ''] ?? 0),
    0,
  );
}
