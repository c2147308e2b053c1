// The names of a platform file, of all environments. The file is being edited: what can be read of it counts.
import { parseDocument } from '../../model/document.ts';
import { APPLICATION_NAME } from '../../model/names.ts';
import type { Source } from '../../model/source.ts';

interface Names {
  readonly applications: readonly string[];
  readonly stacks: readonly string[];
}

export interface PlatformNames extends Names {
  /** Of those that require an approval. */
  readonly approvals: Names;
}

/** Throws where the text is not YAML. */
export function platformNames(source: Source): PlatformNames {
  const stacks = listOf(at(at(parseDocument(source), 'spec'), 'stacks'));
  const applications = stacks.flatMap((stack) => listOf(at(stack, 'applications')));
  const asks = (one: unknown) => at(at(one, 'gate'), 'approval') !== undefined;
  return {
    applications: namesOf(applications),
    stacks: namesOf(stacks),
    approvals: {
      applications: namesOf(applications.filter(asks)),
      stacks: namesOf(stacks.filter(asks)),
    },
  };
}

function at(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Readonly<Record<string, unknown>>)[key]
    : undefined;
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const namesOf = (entries: readonly unknown[]): string[] =>
  entries
    .map((one) => at(one, 'name'))
    .filter((name) => typeof name === 'string' && APPLICATION_NAME.test(name)) as string[];
