// The parts of a platform file that an environment has: `environments` of stacks and applications, and optional
// dependencies.
import { type Dependency, dependencyName } from './fields.ts';
import { parseReference, quote, type Reference, renderReference } from './names.ts';
import type { PlatformFile, StackEntry } from './platform-file.ts';
import type { Path, Problem } from './positions.ts';
import { containersOf } from './stack-tree.ts';

/** A part of the file that the environment does not have. */
export interface Absent {
  readonly reference: Reference;
  /** The stack that excludes it, if it is not excluded itself. */
  readonly with: string | undefined;
}

export interface Present {
  /** The file without its absent parts and without the dependencies on them. */
  readonly file: PlatformFile;
  readonly absent: readonly Absent[];
  readonly problems: readonly Problem[];
}

type Entry = Pick<StackEntry, 'environments' | 'dependsOn'>;

/** The first place that needs an environment when none is given. Tiphys does not guess. */
export function withoutEnvironment(file: PlatformFile): Problem[] {
  for (const { entry, path } of entries(file)) {
    if (entry.environments === undefined) continue;
    const message = 'This entry belongs to some environments only, and no environment is given.';
    const hint = 'Pass the environment file with -e.';
    return [{ code: 'environment-unknown', message, hint, path: [...path, 'environments'] }];
  }
  return [];
}

function* entries(file: PlatformFile): Generator<{ entry: Entry; path: Path }> {
  for (const [s, stack] of file.spec.stacks.entries()) {
    const path = ['spec', 'stacks', s];
    yield { entry: stack, path };
    for (const [a, application] of stack.applications.entries()) {
      yield { entry: application, path: [...path, 'applications', a] };
    }
  }
}

export function presentIn(file: PlatformFile, environment: string): Present {
  const absent = absentFrom(file, environment);
  if (absent.length === 0) return { file, absent, problems: [] };
  const missing = new Set(absent.map(({ reference }) => renderReference(reference)));
  const isMissing = (written: Dependency) =>
    missing.has(renderReference(parseReference(dependencyName(written))));
  const problems: Problem[] = [];
  const kept = <E extends Entry>(entry: E, path: Path): E => {
    for (const [d, written] of (entry.dependsOn ?? []).entries()) {
      if (typeof written === 'string' && isMissing(written))
        problems.push({ ...needed(written, environment), path: [...path, 'dependsOn', d] });
    }
    return { ...entry, dependsOn: entry.dependsOn?.filter((written) => !isMissing(written)) };
  };
  const stacks = file.spec.stacks.flatMap((stack, s) => {
    if (missing.has(`stack:${stack.name}`)) return [];
    const path = ['spec', 'stacks', s];
    const applications = stack.applications.flatMap((application, a) =>
      missing.has(`app:${application.name}`)
        ? []
        : [kept(application, [...path, 'applications', a])],
    );
    return [{ ...kept(stack, path), applications }];
  });
  if (stacks.every(isEmpty)) problems.push(nothingLeft(file, environment));
  return { file: { ...file, spec: { ...file.spec, stacks } }, absent, problems };
}

const isEmpty = ({ application, applications }: StackEntry): boolean =>
  application === undefined && applications.length === 0;

/** A misspelt environment must not pass for a platform that is up. */
function nothingLeft(file: PlatformFile, environment: string): Problem {
  const named = new Set([...entries(file)].flatMap(({ entry }) => entry.environments ?? []));
  return {
    code: 'environment-empty',
    message: `Environment ${quote(environment)} has none of the applications of this platform.`,
    hint: `Correct the name in the environment file; this file uses ${[...named].sort().map(quote).join(', ')}.`,
    path: ['spec', 'stacks'],
  };
}

function absentFrom({ spec }: PlatformFile, environment: string): Absent[] {
  const has = ({ environments }: Entry) => environments?.includes(environment) ?? true;
  const containers = containersOf(spec.stacks);
  return spec.stacks.flatMap((stack): Absent[] => {
    const around = containers(stack).find((outer) => !has(outer))?.name;
    const isHere = around === undefined && has(stack);
    const members = stack.applications
      .filter((application) => !isHere || !has(application))
      .map(
        ({ name }): Absent => ({
          reference: { kind: 'app', name },
          with: isHere ? undefined : stack.name,
        }),
      );
    const own: Absent = { reference: { kind: 'stack', name: stack.name }, with: around };
    return isHere ? members : [own, ...members];
  });
}

function needed(written: string, environment: string): Omit<Problem, 'path'> {
  return {
    code: 'reference-absent',
    message: `Environment ${quote(environment)} does not have ${quote(written)}, so it cannot be a dependency there.`,
    hint: `Write {name: ${written}, optional: true} if it can be absent, or give both the same environments.`,
  };
}
