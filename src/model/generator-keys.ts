// Members that represent the Applications of a generator: the rules between their keys, and which names they can match.
import { LABELS_MAX } from './limits.ts';
import { quote } from './names.ts';
import type { ApplicationEntry, PlatformFile } from './platform-file.ts';
import type { Path, Problem } from './positions.ts';
import { ARGOCD_PROJECT } from './settings.ts';
import { containersOf } from './stack-tree.ts';

/** Which Applications belong to a generated member, in addition to the pattern of their names. */
export interface Generated {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly applicationSet?: string;
  /** The minimum number of Applications. */
  readonly atLeast: number;
}

const ANY_NAME = '*';

export const isGenerated = ({ selector, applicationSet }: ApplicationEntry): boolean =>
  selector !== undefined || applicationSet !== undefined;

export function generatedOf(entry: ApplicationEntry): Generated | undefined {
  if (!isGenerated(entry)) return undefined;
  const { selector, applicationSet, atLeast = 1 } = entry;
  return {
    ...(selector ? { matchLabels: selector.matchLabels } : {}),
    ...(applicationSet === undefined ? {} : { applicationSet }),
    atLeast,
  };
}

/** The name of its Application, or the pattern in the hold that covers all its Applications. */
export const nameOrPattern = (entry: ApplicationEntry): string =>
  isGenerated(entry) ? (entry.names ?? ANY_NAME) : entry.name;

/** Whether the pattern matches a name. */
export function fits(pattern: string, name: string): boolean {
  const [prefix = '', suffix = ''] = pattern.split('*');
  if (name.length < prefix.length + suffix.length) return false;
  return name.startsWith(prefix) && name.endsWith(suffix);
}

/** Whether some name matches both patterns: the text between the two ends is arbitrary. */
export function overlap(one: string, other: string): boolean {
  const [[prefix = '', suffix = ''], [start = '', end = '']] = [one.split('*'), other.split('*')];
  const begins = prefix.startsWith(start) || start.startsWith(prefix);
  return begins && (suffix.endsWith(end) || end.endsWith(suffix));
}

export function generatedProblems(file: PlatformFile): Problem[] {
  const found: Problem[] = [];
  for (const [s, { applications }] of file.spec.stacks.entries()) {
    for (const [a, entry] of applications.entries()) {
      found.push(...wrongKeys(entry, ['spec', 'stacks', s, 'applications', a]));
    }
  }
  return [...found, ...sharedNames(file)];
}

const invalid = (message: string, hint: string, path: Path): Problem => ({
  code: 'generated-invalid',
  message,
  hint,
  path,
});

function wrongKeys(entry: ApplicationEntry, path: Path): Problem[] {
  const { selector, applicationSet, names, atLeast, gate } = entry;
  const name = quote(entry.name);
  if (!isGenerated(entry)) {
    const key = names !== undefined ? 'names' : 'atLeast';
    if (names === undefined && atLeast === undefined) return [];
    const hint = 'Add `selector` or `applicationSet`, or remove the key.';
    return [
      invalid(`${name} is a single Application, so it cannot have "${key}".`, hint, [...path, key]),
    ];
  }
  const found: Problem[] = [];
  if (selector && applicationSet !== undefined) {
    const hint = 'Keep the one that selects the right Applications.';
    const message = `${name} has both "selector" and "applicationSet".`;
    found.push(invalid(message, hint, [...path, 'applicationSet']));
  }
  const labels = Object.keys(selector?.matchLabels ?? {}).length;
  if (selector && (labels === 0 || labels > LABELS_MAX)) {
    const hint = 'Use the labels that the generator sets on its Applications.';
    const message = `${name} must select by 1 to ${LABELS_MAX} labels.`;
    found.push(invalid(message, hint, [...path, 'selector', 'matchLabels']));
  }
  for (const key of ['approval', 'probe'] as const) {
    if (gate?.[key] === undefined) continue;
    const hint =
      'Set it on a stack with `application`, or on an application that depends on this member.';
    const message = `${name} is a generated member, which cannot be combined with "${key}".`;
    found.push(invalid(message, hint, [...path, 'gate', key]));
  }
  return found;
}

interface Named {
  /** The path in the file. */
  readonly name: string;
  readonly pattern: string;
  readonly project: string;
  readonly isGenerated: boolean;
  readonly path: Path;
}

/** A pattern in the hold must match no other Application: the run would hold that one as well. */
function sharedNames(file: PlatformFile): Problem[] {
  const { stacks } = file.spec;
  if (!stacks.some(({ applications }) => applications.some(isGenerated))) return [];
  const all = namesIn(file);
  const generated = all.filter((one) => one.isGenerated);
  return generated.flatMap((one, at): Problem[] => {
    const isShared = (other: Named) =>
      other.project === one.project &&
      (other.isGenerated ? overlap(one.pattern, other.pattern) : fits(one.pattern, other.pattern));
    const plain = all.filter((other) => !other.isGenerated);
    const other = [...plain, ...generated.slice(0, at)].find(isShared);
    if (!other) return [];
    const message = `${quote(one.name)} matches every Application ${quote(one.pattern)} in project ${quote(one.project)}, and ${quote(other.name)} can be one of them.`;
    const hint =
      'Give it `names` that match no other Application, or a separate AppProject (`argocd.project`).';
    return [{ code: 'generated-names', message, hint, path: one.path }];
  });
}

/** Every Application and pattern in the file, with its AppProject. */
function namesIn({ spec }: PlatformFile): Named[] {
  const containers = containersOf(spec.stacks);
  const projectOf = (levels: readonly ({ readonly project?: string | undefined } | undefined)[]) =>
    [...levels, spec.argocd].find((level) => level?.project)?.project ?? ARGOCD_PROJECT;
  const plain = (name: string, project: string): Named => ({
    ...{ name, pattern: name, project, isGenerated: false, path: [] },
  });
  const found = spec.root === undefined ? [] : [plain(spec.root, projectOf([]))];
  for (const [s, stack] of spec.stacks.entries()) {
    const levels = [stack, ...containers(stack)].map(({ argocd }) => argocd);
    if (stack.application !== undefined) found.push(plain(stack.application, projectOf(levels)));
    for (const [a, entry] of stack.applications.entries()) {
      const pattern = nameOrPattern(entry);
      const path = ['spec', 'stacks', s, 'applications', a, ...(entry.names ? ['names'] : [])];
      const project = projectOf([entry.argocd, ...levels]);
      found.push({ name: entry.name, pattern, project, isGenerated: isGenerated(entry), path });
    }
  }
  return found;
}
