// Properties run on the same random values every time, and have time to do so on a busy machine.
import fc from 'fast-check';
import { vi } from 'vitest';

export function repeatable(seed: number, numRuns: number): void {
  fc.configureGlobal({ seed, numRuns });
  vi.setConfig({ testTimeout: 60_000 });
}
