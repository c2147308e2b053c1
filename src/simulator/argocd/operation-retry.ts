// How often and when a failed operation is tried again: five times for what is automated, unless its policy says otherwise.
import { parseDuration } from '../../model/duration.ts';
import type { Operation } from './application.ts';

interface Strategy {
  readonly limit?: number;
  readonly backoff?: {
    readonly duration?: string;
    readonly factor?: number;
    readonly maxDuration?: string;
  };
}

const SECOND = 1_000;

/** Milliseconds until the next try; undefined where there is none. */
export function pauseBefore({ retry }: Operation, tried: number): number | undefined {
  const { limit = 0, backoff = {} } = (retry ?? {}) as Strategy;
  if (limit >= 0 && tried >= limit) return undefined;
  const seconds = (text: string | undefined, usual: number) => (text ? parseDuration(text) : usual);
  const first = seconds(backoff.duration, 5);
  const longest = seconds(backoff.maxDuration, 180);
  return Math.min(longest, first * (backoff.factor ?? 2) ** tried) * SECOND;
}

/** As Argo CD says a time of day: 3:04PM. */
export function kitchenTime(calendar: number): string {
  const at = new Date(calendar);
  const [hours, minutes] = [at.getUTCHours(), at.getUTCMinutes()];
  const half = hours < 12 ? 'AM' : 'PM';
  return `${hours % 12 || 12}:${String(minutes).padStart(2, '0')}${half}`;
}
