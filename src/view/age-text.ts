// How long ago something was seen, as kubectl says it: the largest unit that makes sense, and no more.

const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
] as const;

/** Seconds; null: never. A clock that is behind does not make it negative. */
export function renderAge(seconds: number | null): string {
  if (seconds === null) return '-';
  // Below two of a unit the smaller one tells more.
  const [unit, size] = UNITS.find(([, length]) => seconds >= 2 * length) ?? ['s', 1];
  return `${Math.max(0, Math.floor(seconds / size))}${unit} ago`;
}

/** To the second: milliseconds are for machines. */
export const renderInstant = (iso: string): string => iso.replace(/\.\d{1,9}Z$/, 'Z');
