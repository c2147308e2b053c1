// Progress on stderr, with the seconds since the command began. Results go to stdout.

const began = performance.now();

export const secondsSince = (start: number) => ((performance.now() - start) / 1000).toFixed(1);

export function progress(text: string): void {
  process.stderr.write(`stack ${secondsSince(began).padStart(7)} s  ${text}\n`);
}
