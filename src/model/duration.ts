// Durations as people write them (90s, 5m, 1h30m), kept as whole seconds.

/** Hours, minutes, seconds, in this order, at least one of them. */
export const DURATION = /^(?=\d)(?:(\d{1,4})h)?(?:(\d{1,5})m)?(?:(\d{1,6})s)?$/;

export const LONGEST_DURATION = 7 * 24 * 3600;

export function parseDuration(text: string): number {
  const [, hours = 0, minutes = 0, seconds = 0] = DURATION.exec(text) ?? [];
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}

export function renderDuration(seconds: number): string {
  if (seconds === 0) return '0s';
  const parts = [
    [Math.floor(seconds / 3600), 'h'],
    [Math.floor((seconds % 3600) / 60), 'm'],
    [seconds % 60, 's'],
  ] as const;
  return parts.map(([count, unit]) => (count ? `${count}${unit}` : '')).join('');
}
