// Hints for mistakes where the rule alone does not say what to write.
import { quote, visible } from './names.ts';
import type { Path, Problem } from './positions.ts';

/** Options that people look for in a config file. In other files these keys are as unknown. */
const SAFEGUARDS = new Set([
  'yes',
  'confirm',
  'expect',
  'argocdInsecure',
  'unsafeRemoveFinalizers',
]);

export const KEYS_HINT =
  'Run `tiphys schema` for every key of a platform file, or see docs/files.md.';

/** Undefined if the list of known keys is enough. */
export function keyHint(path: Path): string | undefined {
  if (path.length === 1 && SAFEGUARDS.has(String(path[0])))
    return 'It weakens a safeguard: use the option on the command line.';
  if (path.at(-1) !== 'approval' || path.at(-2) !== 'gate') return undefined;
  return 'An approval belongs to one Application: move it to `gate` of an application, or of a stack with `application`.';
}

const EMPTY_LIST_HINT = 'Add an entry, or remove the key.';

export function emptyList(path: Path, where: string): Problem {
  const message = `${where} must not be an empty list.`;
  return { code: 'value-range', message, hint: EMPTY_LIST_HINT, path };
}

/** Undefined if blanks are not the problem. */
export function blankHint(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.trim() === '' || value === value.trimStart())
    return undefined;
  return `Remove the space at the beginning: ${quote(value.trim())}.`;
}

/** `name:api` is one text in YAML; undefined if that is not what is wrong. */
export function withSpace(text: string, keys: readonly string[]): string | undefined {
  const [, key = '', value = ''] = /^(\w+):(\S.*)$/.exec(text) ?? [];
  return keys.includes(key) ? visible(`${key}: ${value}`) : undefined;
}

const NAMED = new Set(['applications', 'stacks']);

/** For a value of the wrong type. */
export function typeHint(path: Path, expected: string, value: unknown): string {
  const isText = typeof value === 'string';
  if (expected === 'object' && isText && NAMED.has(String(path.at(-2)))) {
    const spaced = withSpace(value, ['name']);
    return spaced ? `Did you mean "${spaced}"?` : `Write {name: ${visible(value)}}.`;
  }
  if (expected === 'string' && ['number', 'boolean'].includes(typeof value)) {
    return `Put it in quotes: "${value}".`;
  }
  if (['number', 'int'].includes(expected) && isText && /^\d+$/.test(value)) {
    return `Remove the quotes: ${value}.`;
  }
  if (expected === 'array' && isText) return `Write [${visible(value)}].`;
  if (expected === 'array' && value === null) return EMPTY_LIST_HINT;
  return KEYS_HINT;
}
