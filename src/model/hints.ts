// Hints for mistakes where the rule alone does not tell what to write.
import { quote } from './names.ts';
import type { Path, Problem } from './positions.ts';

/** Undefined where the keys that there are say enough. */
export function keyHint(path: Path): string | undefined {
  if (path.at(-1) !== 'approval' || path.at(-2) !== 'gate') return undefined;
  return 'An approval is for one Application: put it into `gate` of an application, or of a stack that has `application`.';
}

export function emptyList(path: Path, where: string): Problem {
  const hint = 'Add an entry, or remove the key.';
  return { code: 'value-range', message: `${where} must not be an empty list.`, hint, path };
}

/** Undefined where blanks are not what is wrong. */
export function blankHint(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.trim() === '' || value === value.trimStart())
    return undefined;
  return `Remove the blank at the beginning: ${quote(value.trim())}.`;
}
