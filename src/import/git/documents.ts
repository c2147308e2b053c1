// YAML text -> documents, with bounds on what it can become.
import { loadAll, YAMLException } from 'js-yaml';
import { MARKS_MAX, NESTING_MAX } from '../../model/limits.ts';
import type { Path } from '../../model/positions.ts';

const ALIASES_MAX = 1_000;
/** Values in all documents of a text, each alias counted as what it stands for. */
const VALUES_MAX = 2_000_000;

/** Undefined where it is no YAML, or too much of it. */
export const documentsIn = (text: string): readonly unknown[] | undefined =>
  documentsWithPaths(text)?.map(({ document }) => document);

interface PathedDocument {
  readonly document: unknown;
  /** Where in the text's document it is: that can be a List. */
  readonly path: Path;
}

export function documentsWithPaths(text: string): readonly PathedDocument[] | undefined {
  if (text.length > MARKS_MAX) return undefined;
  try {
    const documents = loadAll(text, { maxDepth: NESTING_MAX, maxAliases: ALIASES_MAX });
    return isBounded(documents) ? documents.flatMap(itemsOf) : undefined;
  } catch {
    return undefined;
  }
}

/** What is in a List is what counts. */
function itemsOf(document: unknown): readonly PathedDocument[] {
  if (document === null || document === undefined) return [];
  const { kind, items } = document as { readonly kind?: unknown; readonly items?: unknown };
  const isList = typeof kind === 'string' && kind.endsWith('List') && Array.isArray(items);
  if (!isList) return [{ document, path: [] }];
  return items.map((item: unknown, at) => ({ document: item, path: ['items', at] }));
}

function isBounded(documents: readonly unknown[]): boolean {
  const stack: unknown[] = [...documents];
  for (let seen = 0; stack.length > 0; seen++) {
    if (seen > VALUES_MAX || stack.length > VALUES_MAX) return false;
    const value = stack.pop();
    if (typeof value === 'object' && value !== null) {
      for (const member of Object.values(value)) stack.push(member);
    }
  }
  return true;
}

export const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Why a text has no documents, as far as that can be said. */
export function notYaml(text: string): string {
  if (text.includes('{{')) return 'It is a template, not YAML';
  if (text.length > MARKS_MAX) return `It has more than ${MARKS_MAX} characters`;
  try {
    loadAll(text, { maxDepth: NESTING_MAX, maxAliases: ALIASES_MAX });
    return 'It has too many values';
  } catch (error) {
    const line = error instanceof YAMLException ? error.mark?.line : undefined;
    return line === undefined
      ? 'It is not YAML'
      : `It is not YAML, or nests too deep, at line ${line + 1}`;
  }
}
