// Properties run on the same random values every time, then on some that nobody has seen; and they have time to do so on a busy machine.
import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { vi } from 'vitest';

const LARGEST = 2 ** 31;
/** Of the values that are new in this run. */
const NEW_SEED = Number(process.env.PROPERTY_SEED ?? randomInt(LARGEST));
/** So many runs are new for each that is not. */
const NEW_SHARE = 0.2;

export function repeatable(seed: number, numRuns: number): void {
  fc.configureGlobal({ seed, numRuns });
  vi.setConfig({ testTimeout: 60_000 });
  console.log(`some runs are new; to repeat them: PROPERTY_SEED=${NEW_SEED}`);
}

/** Throws with the seed and the values for which it does not hold. */
export function holds<T>(property: fc.IProperty<T>, parameters: fc.Parameters<T> = {}): void {
  fc.assert(property, parameters);
  const { numRuns = 0 } = { ...fc.readConfigureGlobal(), ...parameters };
  const isNew = { seed: NEW_SEED, numRuns: Math.ceil(numRuns * NEW_SHARE) };
  fc.assert(property, { ...parameters, ...isNew });
}
