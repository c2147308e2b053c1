// Names and references of a platform file: each name is unique, and each reference points to something that exists and
// does not contain the referrer.
import { type Dependency, dependencyName } from './fields.ts';
import { generatedProblems } from './generator-keys.ts';
import { APPLICATIONS_MAX } from './limits.ts';
import { parseReference, quote, RESERVED_NAMES, type Reference, renderReference } from './names.ts';
import { suggestFrom } from './nearest.ts';
import type { PlatformFile } from './platform-file.ts';
import type { Path, Problem } from './positions.ts';
import { probeProblems } from './probe-problems.ts';
import type { Classes } from './settings.ts';
import { insideOf, parentProblems } from './stack-tree.ts';

const STACKS: Path = ['spec', 'stacks'];

export function referenceProblems(file: PlatformFile, classes: Classes): Problem[] {
  return [
    ...tooMany(file),
    ...reservedNames(file),
    ...duplicateStacks(file),
    ...duplicateApplications(file),
    ...unknownClasses(file, classes),
    ...parentProblems(file),
    ...wrongReferences(file),
    ...approvalsWithoutApplication(file),
    ...generatedProblems(file),
    ...probeProblems(file),
  ];
}

function tooMany(file: PlatformFile): Problem[] {
  const count = file.spec.stacks.reduce((sum, stack) => sum + stack.applications.length, 0);
  if (count <= APPLICATIONS_MAX) return [];
  const message = `The platform has ${count} applications; the maximum is ${APPLICATIONS_MAX}.`;
  return [{ code: 'applications-too-many', message, hint: 'Split the platform.', path: STACKS }];
}

/** Everything that has a name, with its path. */
function* names(file: PlatformFile): Generator<{ name: string; path: Path }> {
  yield { name: file.metadata.name, path: ['metadata', 'name'] };
  for (const name of Object.keys(file.spec.classes ?? {})) {
    yield { name, path: ['spec', 'classes', name] };
  }
  for (const [s, stack] of file.spec.stacks.entries()) {
    yield { name: stack.name, path: [...STACKS, s, 'name'] };
  }
  yield* applications(file);
}

/** Every Argo CD Application in the file: the root, the stacks' own, and their members. */
function* applications(
  file: PlatformFile,
): Generator<{ name: string; path: Path; stack: string | undefined }> {
  const { root, stacks } = file.spec;
  if (root !== undefined) yield { name: root, path: ['spec', 'root'], stack: undefined };
  for (const [s, stack] of stacks.entries()) {
    if (stack.application !== undefined) {
      yield { name: stack.application, path: [...STACKS, s, 'application'], stack: undefined };
    }
  }
  for (const [s, stack] of stacks.entries()) {
    for (const [a, { name }] of stack.applications.entries()) {
      yield { name, path: [...STACKS, s, 'applications', a, 'name'], stack: stack.name };
    }
  }
}

function reservedNames(file: PlatformFile): Problem[] {
  const found: Problem[] = [];
  for (const { name, path } of names(file)) {
    if (!RESERVED_NAMES.has(name)) continue;
    const message = `The name ${quote(name)} is reserved.`;
    const key = path[1] === 'classes';
    found.push({ code: 'name-reserved', message, hint: 'Choose another name.', path, key });
  }
  return found;
}

function duplicateStacks(file: PlatformFile): Problem[] {
  const seen = new Map<string, Path>();
  return file.spec.stacks.flatMap(({ name }, s): Problem[] => {
    const path = [...STACKS, s, 'name'];
    const first = seen.get(name);
    if (!first) {
      seen.set(name, path);
      return [];
    }
    const message = `There are two stacks with the name ${quote(name)}.`;
    const hint = 'Merge them, or rename one.';
    return [{ code: 'name-duplicate', message, hint, path, first }];
  });
}

function duplicateApplications(file: PlatformFile): Problem[] {
  const found: Problem[] = [];
  const seen = new Map<string, { readonly path: Path; readonly stack: string | undefined }>();
  for (const { name, path, stack } of applications(file)) {
    const before = seen.get(name);
    if (!before) {
      seen.set(name, { path, stack });
      continue;
    }
    const first = before.path;
    const twoStacks = before.stack !== undefined && before.stack !== stack;
    found.push(
      twoStacks
        ? {
            code: 'application-in-two-stacks',
            message: `Application ${quote(name)} is in stack ${quote(before.stack ?? '')} and in stack ${quote(stack ?? '')}.`,
            hint: 'Keep it in one of them.',
            path,
            first,
          }
        : {
            code: 'name-duplicate',
            message: `The Application ${quote(name)} is listed twice.`,
            hint: 'List each Argo CD Application once.',
            path,
            first,
          },
    );
  }
  return found;
}

function unknownClasses(file: PlatformFile, classes: Classes): Problem[] {
  const suggest = suggestFrom([...classes.keys()]);
  return file.spec.stacks.flatMap((stack, s) =>
    stack.applications.flatMap((application, a): Problem[] => {
      const name = application.class;
      if (name === undefined || classes.has(name)) return [];
      const near = suggest(name);
      const message = `There is no class ${quote(name)}.`;
      const hint = near ? `Did you mean "${near}"?` : `Classes: ${[...classes.keys()].join(', ')}.`;
      const path = [...STACKS, s, 'applications', a, 'class'];
      return [{ code: 'class-unknown', message, hint, path }];
    }),
  );
}

/** A stack without an Application only joins its members: it has no gate to wait at. */
function approvalsWithoutApplication(file: PlatformFile): Problem[] {
  return file.spec.stacks.flatMap(({ name, application, gate }, s): Problem[] => {
    if (gate?.approval === undefined || application !== undefined) return [];
    const message = `Stack ${quote(name)} has no Application, so it has no gate to approve.`;
    const hint = 'Give the stack `application`, or move the approval to its last application.';
    const path = [...STACKS, s, 'gate', 'approval'];
    return [{ code: 'approval-without-application', message, hint, path }];
  });
}

/** The owner of a dependency: a stack, or a member of one. */
interface Dependent {
  readonly reference: Reference & { kind: 'stack' | 'app' };
  readonly stack: string;
}

function wrongReferences(file: PlatformFile): Problem[] {
  const known = knownNames(file);
  const found: Problem[] = [];
  const check = (dependent: Dependent, written: readonly Dependency[] | undefined, path: Path) => {
    for (const [d, entry] of (written ?? []).entries()) {
      const text = dependencyName(entry);
      // An entry that could not be read; the schema check has reported it.
      if (text === '') continue;
      const problem = wrongReference(dependent, parseReference(text), known);
      if (problem) found.push({ ...problem, path: [...path, 'dependsOn', d] });
    }
  };
  for (const [s, { name: stack, dependsOn, applications: members }] of file.spec.stacks.entries()) {
    const path = [...STACKS, s];
    check({ reference: { kind: 'stack', name: stack }, stack }, dependsOn, path);
    for (const [a, { name, dependsOn: written }] of members.entries()) {
      check({ reference: { kind: 'app', name }, stack }, written, [...path, 'applications', a]);
    }
  }
  return found;
}

interface KnownNames {
  /** Application -> its stack. */
  readonly members: ReadonlyMap<string, string>;
  readonly stacks: ReadonlySet<string>;
  /** A stack's own Application -> the stack; the root -> `platform`. */
  readonly parents: ReadonlyMap<string, string>;
  readonly isInside: (stack: string, outer: string) => boolean;
  readonly suggestMember: (wrong: string) => string | undefined;
  readonly suggestStack: (wrong: string) => string | undefined;
}

function knownNames(file: PlatformFile): KnownNames {
  const members = new Map<string, string>();
  const parents = new Map<string, string>();
  if (file.spec.root !== undefined) parents.set(file.spec.root, 'platform');
  for (const stack of file.spec.stacks) {
    if (stack.application !== undefined) parents.set(stack.application, `stack:${stack.name}`);
    for (const { name } of stack.applications) members.set(name, stack.name);
  }
  const stacks = new Set(file.spec.stacks.map(({ name }) => name));
  const [suggestMember, suggestStack] = [
    suggestFrom([...members.keys()]),
    suggestFrom([...stacks]),
  ];
  const isInside = insideOf(file.spec.stacks);
  return { members, stacks, parents, isInside, suggestMember, suggestStack };
}

type Finding = Omit<Problem, 'path'>;

function wrongReference(
  { reference: from, stack }: Dependent,
  to: Reference,
  known: KnownNames,
): Finding | undefined {
  const [self, other] = [renderReference(from), renderReference(to)];
  if (self === other) {
    return {
      code: 'reference-self',
      message: `${quote(self)} depends on itself.`,
      hint: 'Remove this dependency.',
    };
  }
  if (to.kind === 'platform') return contains(`The platform contains ${quote(self)}`);
  if (to.kind === 'stack' ? !known.stacks.has(to.name) : !known.members.has(to.name)) {
    const parent = to.kind === 'app' ? known.parents.get(to.name) : undefined;
    const owner = parent?.replace(/^stack:/, '') ?? '';
    if (parent === 'platform' || known.isInside(stack, owner)) {
      return contains(`${quote(to.name)} is the Application of a parent of ${quote(self)}`);
    }
    return unknownReference(to, known);
  }
  if (to.kind === 'stack' && known.isInside(stack, to.name)) {
    return contains(`Stack ${quote(to.name)} contains ${quote(self)}`);
  }
  const place = to.kind === 'stack' ? to.name : (known.members.get(to.name) ?? '');
  if (from.kind === 'stack' && known.isInside(place, stack)) {
    return contains(`Stack ${quote(stack)} contains ${quote(other)}`);
  }
  return undefined;
}

function contains(fact: string): Finding {
  return {
    code: 'reference-contains',
    message: `${fact}, so one cannot wait for the other.`,
    hint: 'Depend on individual applications instead.',
  };
}

function unknownReference(to: Reference & { name: string }, known: KnownNames): Finding {
  const near = known.parents.get(to.name) ?? nearestReference(to, known);
  return {
    code: 'reference-unknown',
    message: `The platform has no ${to.kind === 'app' ? 'application' : 'stack'} ${quote(to.name)}.`,
    hint: near ? `Did you mean "${near}"?` : 'Add it to the platform, or remove the dependency.',
  };
}

/** The same name of the other kind, otherwise a similar name of the same kind. */
function nearestReference(to: Reference & { name: string }, known: KnownNames): string | undefined {
  if (to.kind === 'app') {
    return known.stacks.has(to.name) ? `stack:${to.name}` : known.suggestMember(to.name);
  }
  const near = known.members.has(to.name) ? to.name : undefined;
  const stack = known.suggestStack(to.name);
  return near ?? (stack && `stack:${stack}`);
}
