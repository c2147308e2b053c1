// Which nodes a plan acts on, and which nodes outside it must be ready first.
import { TiphysError } from '../errors.ts';
import { type Graph, numberOf } from '../graph/graph.ts';
import { reach } from '../graph/reach.ts';
import {
  compareText,
  parseReference,
  quote,
  REFERENCE,
  type Reference,
  renderReference,
} from '../model/names.ts';
import { suggestFrom } from '../model/nearest.ts';
import type { Platform } from '../model/platform.ts';
import { insideOf } from '../model/stack-tree.ts';
import { closeOf, nodeOf, openOf, type PlatformGraph } from './platform-graph.ts';

/** Parses references from users: each once, in a fixed order. An empty list means the platform. */
export function parseScope(
  texts: readonly string[],
  { platform, subjects }: PlatformGraph,
): Reference[] {
  const wrong = texts.filter((text) => !REFERENCE.test(text));
  const references = texts.filter((text) => REFERENCE.test(text)).map(parseReference);
  const unknown = references.filter((reference) => !isKnown(reference, subjects));
  if (wrong.length + unknown.length > 0) {
    const stacks = platform.stacks.map(({ name }) => `stack:${name}`);
    const applications = platform.stacks.flatMap((stack) => stack.applications);
    const suggest = suggestFrom([...stacks, ...applications.map(({ name }) => name)]);
    throw new TiphysError([
      ...wrong.map((text) => ({
        code: 'reference-invalid' as const,
        message: `The scope ${quote(text)} is not a valid reference.`,
        hint: 'Write platform, stack:NAME, or app:NAME (or just NAME).',
      })),
      ...unknown.flatMap((reference) =>
        reference.kind === 'platform'
          ? []
          : [absentScope(reference, platform) ?? unknownScope(reference, subjects, suggest)],
      ),
    ]);
  }
  const distinct = [...new Set(references.map(renderReference))].sort(compareText);
  const whole = distinct.length === 0 || distinct.includes('platform');
  return whole ? [{ kind: 'platform' }] : distinct.map(parseReference);
}

function isKnown(reference: Reference, subjects: PlatformGraph['subjects']): boolean {
  if (reference.kind === 'platform') return true;
  return subjects.has(reference.kind === 'stack' ? openOf(reference.name) : nodeOf(reference.name));
}

function absentScope(reference: Reference, { absent, environment = '' }: Platform) {
  const text = renderReference(reference);
  if (!absent.some((one) => renderReference(one.reference) === text)) return undefined;
  return {
    code: 'reference-absent' as const,
    message: `Environment ${quote(environment)} does not have ${quote(text)}.`,
    hint: 'Pass another environment file with -e, or add the environment to its `environments`.',
  };
}

function unknownScope(
  reference: Reference & { name: string },
  subjects: PlatformGraph['subjects'],
  suggest: (wrong: string) => string | undefined,
) {
  const { kind, name } = reference;
  const other = kind === 'app' && subjects.has(openOf(name)) ? `stack:${name}` : undefined;
  const near = other ?? suggest(kind === 'app' ? name : `stack:${name}`);
  const text = kind === 'app' ? name : `stack:${name}`;
  return {
    code: 'reference-unknown' as const,
    message: `The platform has no ${quote(text)}.`,
    hint: near ? `Did you mean "${near}"?` : 'Run `tiphys plan` to list everything in it.',
  };
}

export interface Selection {
  /** 1 for each node that the plan acts on. */
  readonly inside: Uint8Array;
  /** 1 for each node outside that a node inside depends on, directly or transitively. */
  readonly required: Uint8Array;
}

/** The graph of the action: for a teardown, with reversed edges. */
export function select(
  graph: Graph,
  compiled: PlatformGraph,
  scope: readonly Reference[],
  withDependencies: boolean,
): Selection {
  const seeds = scope.flatMap((reference) => nodesOf(reference, compiled));
  const numbers = seeds.map((id) => numberOf(graph.numbers, id));
  const closure = reach(graph.dependencies, numbers);
  if (withDependencies) return { inside: closure, required: new Uint8Array(closure.length) };
  const inside = new Uint8Array(closure.length);
  for (const number of numbers) inside[number] = 1;
  return { inside, required: closure.map((marked, node) => (inside[node] === 1 ? 0 : marked)) };
}

function nodesOf(reference: Reference, { platform, graph }: PlatformGraph): readonly string[] {
  switch (reference.kind) {
    case 'platform':
      return graph.ids;
    case 'app':
      return [nodeOf(reference.name)];
    case 'stack': {
      const isInside = insideOf(platform.stacks);
      const inner = platform.stacks.filter(({ name }) => isInside(name, reference.name));
      return inner.flatMap(({ name, applications }) => [
        openOf(name),
        ...applications.map((application) => nodeOf(application.name)),
        closeOf(name),
      ]);
    }
  }
}
