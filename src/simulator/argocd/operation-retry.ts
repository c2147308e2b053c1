// How often and when a failed operation is tried again: five times for what is automated, unless its policy says otherwise.
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
const UNITS: Readonly<Record<string, number>> = { h: 3_600, m: 60, s: 1 };

/** Milliseconds until the next try; undefined where there is none. */
export function pauseBefore({ retry }: Operation, tried: number): number | undefined {
  const { limit = 0, backoff = {} } = (retry ?? {}) as Strategy;
  if (limit >= 0 && tried >= limit) return undefined;
  const first = seconds(backoff.duration) ?? 5;
  const longest = seconds(backoff.maxDuration) ?? 180;
  return Math.min(longest, first * (backoff.factor ?? 2) ** tried) * SECOND;
}

function seconds(text: string | undefined): number | undefined {
  const parts = [...(text ?? '').matchAll(/(\d+)([hms])/g)];
  if (parts.length === 0) return undefined;
  return parts.reduce((sum, [, number, unit = '']) => sum + Number(number) * (UNITS[unit] ?? 0), 0);
}

/** As Argo CD says a time of day: 3:04PM. */
export function kitchenTime(calendar: number): string {
  const at = new Date(calendar);
  const [hours, minutes] = [at.getUTCHours(), at.getUTCMinutes()];
  const half = hours < 12 ? 'AM' : 'PM';
  return `${hours % 12 || 12}:${String(minutes).padStart(2, '0')}${half}`;
}
