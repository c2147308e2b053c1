// Makes all mutants of the guarded code at once: each is a branch that is taken only while its id is the active one.
import { readdirSync, readFileSync } from 'node:fs';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import { EXCLUDED_MUTATIONS, partOf } from './scope.ts';

export interface Mutant {
  readonly id: string;
  /** From the repository's root. */
  readonly file: string;
  /** From 0, as the instrumenter counts. */
  readonly start: { readonly line: number; readonly column: number };
  readonly end: { readonly line: number; readonly column: number };
  readonly mutator: string;
  readonly replacement: string;
  /** Why it does not count: the reason that a comment in the code gives. */
  readonly ignored: string | undefined;
}

export interface Instrumented {
  readonly code: ReadonlyMap<string, string>;
  readonly mutants: readonly Mutant[];
}

const silent = {
  isDebugEnabled: () => false,
  debug: () => {},
  info: () => {},
  warn: () => {},
};

/** All of the guarded code, or what begins with one of the paths. */
export async function instrument(paths: readonly string[]): Promise<Instrumented> {
  const names = sourceFiles().filter(
    (name) => paths.length === 0 || paths.some((path) => name.startsWith(path)),
  );
  const files = names.map((name) => ({ name, content: readFileSync(name, 'utf8'), mutate: true }));
  // biome-ignore lint/suspicious/noExplicitAny: the instrumenter asks for a whole logger and uses four calls of it.
  const instrumenter = new Instrumenter(silent as any);
  const result = await instrumenter.instrument(files, {
    plugins: null,
    excludedMutations: [...EXCLUDED_MUTATIONS],
    ignorers: [],
  });
  return {
    code: new Map(result.files.map(({ name, content }) => [name, content])),
    mutants: result.mutants
      .filter(
        ({ statusReason }) =>
          !EXCLUDED_MUTATIONS.some((name) => statusReason?.includes(`"${name}"`)),
      )
      .map((mutant) => ({
        id: mutant.id,
        file: mutant.fileName,
        start: mutant.location.start,
        end: mutant.location.end,
        mutator: mutant.mutatorName,
        replacement: mutant.replacement,
        ignored: mutant.status === 'Ignored' ? (mutant.statusReason ?? 'ignored') : undefined,
      })),
  };
}

function sourceFiles(): string[] {
  const all = readdirSync('src', { recursive: true, encoding: 'utf8' }).map(
    (name) => `src/${name}`,
  );
  return all
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .filter((name) => partOf(name) !== undefined)
    .sort();
}
