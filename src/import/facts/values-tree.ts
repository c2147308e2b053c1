// Helm values of several files as one tree, the later file over the earlier one.
import { type Fields, isFields } from './object.ts';

const DEPTH_MAX = 64;

export function mergedValues(files: readonly unknown[]): Fields {
  return files.filter(isFields).reduce((below, over) => merge(below, over, 0), {});
}

function merge(below: Fields, over: Fields, depth: number): Fields {
  if (depth > DEPTH_MAX) return over;
  const merged = new Map(Object.entries(below));
  for (const [key, value] of Object.entries(over)) {
    const old = merged.get(key);
    merged.set(key, isFields(old) && isFields(value) ? merge(old, value, depth + 1) : value);
  }
  return Object.fromEntries(merged);
}

/** Helm's templates often take the word for the truth value. */
export function isOn(value: unknown): boolean {
  return value === true || value === 'true';
}

export function isOff(value: unknown): boolean {
  return value === false || value === 'false';
}
