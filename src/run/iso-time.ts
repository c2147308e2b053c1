/** Milliseconds since 1970 -> `2026-11-15T06:47:17.250Z`. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
