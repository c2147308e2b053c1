// Every variable of the environment that is read is declared: in the table of `tiphys config view`, or in docs/executor.md.
import { type SourceFile, withoutComments } from './source-file.ts';

/** They read names that they are given, or that the table of options has. */
const BY_NAME = new Set([
  'src/cli/defaults/read-defaults.ts',
  'src/cli/defaults/find-defaults.ts',
  'src/cli/preflight/open-context.ts',
  'src/executor/executor-settings.ts',
]);

/** Set by Tiphys in the pods that it makes. */
const OWN_PODS = new Set(['PROBE', 'WORKFLOW', 'WORKFLOW_STARTED']);

const READ = /\b(?:environment|variable|variables\.(?:text|choice|matching))\(\s*([^)\s,]*)/g;
/** Elsewhere nothing may use it. */
const PROCESS = 'src/process.ts';
const OF_PROCESS = /\bprocess\.env\.(\w+)/g;

export interface Declared {
  /** For `tiphys`. */
  readonly table: readonly string[];
  /** The text of docs/executor.md. */
  readonly executor: string;
}

export function variableViolations(files: readonly SourceFile[], declared: Declared): string[] {
  return files
    .filter(({ path }) => path.startsWith('src/') && !path.endsWith('.test.ts'))
    .flatMap(({ path, text }) => {
      const code = withoutComments(text);
      const isDeclared = declaredFor(path, declared);
      const reads = [...code.matchAll(READ)].flatMap(([, name = '']) => nameOf(path, name));
      const direct = path === PROCESS ? [...code.matchAll(OF_PROCESS)] : [];
      return [...reads, ...direct.map(([, name = '']) => name)]
        .filter((name) => !isDeclared(name))
        .map((name) => `${path}: reads ${name}; declare it in src/cli/defaults/variables.ts`);
    });
}

function nameOf(path: string, argument: string): string[] {
  const literal = /^'(\w+)'$/.exec(argument)?.[1];
  if (literal !== undefined) return [literal];
  // A declaration has no argument, or one with a type.
  if (BY_NAME.has(path) || argument === '' || argument.endsWith(':')) return [];
  return [argument];
}

function declaredFor(path: string, { table, executor }: Declared): (name: string) => boolean {
  const isOfExecutor = path.startsWith('src/executor/');
  return (name) =>
    table.includes(name) ||
    (isOfExecutor && (OWN_PODS.has(name) || executor.includes(`\`${name}\``)));
}
