// The error message for a cycle: the shortest one, and the lines that create it.
import { TiphysError } from '../errors.ts';
import { type Dependency, dependencyName } from '../model/fields.ts';
import { parseReference } from '../model/names.ts';
import { type PlatformFile, platformFile } from '../model/platform-file.ts';
import { locate, type Path } from '../model/positions.ts';
import type { Source } from '../model/source.ts';
import { parseFile } from '../model/validate.ts';
import { nodeOf, openOf, shortName, targetOf } from './platform-graph.ts';

const SHOWN_MAX = 20;

export function cycleError(source: Source, cycle: readonly string[]): TiphysError {
  const names = cycle.map(shortName);
  const distinct = names.filter((name, at) => name !== names[at - 1]);
  const edges = writtenEdges(parseFile(source, platformFile), cycle);
  const places = locate(
    source,
    edges.map(({ text, path }) => ({ code: 'graph-cycle', message: text, path })),
  );
  const details = shorten(places.map(({ line, message }) => `line ${line}: ${message}`));
  const [first] = places;
  return new TiphysError([
    {
      code: 'graph-cycle',
      message: `These depend on each other: ${shorten([...distinct, distinct[0] ?? '']).join(' -> ')}.`,
      details,
      hint: 'Remove one of these dependencies.',
      file: source.file,
      line: first?.line,
      column: first?.column,
    },
  ]);
}

/** The beginning and the end of a list that would fill the screen. */
function shorten(parts: readonly string[]): string[] {
  if (parts.length <= SHOWN_MAX) return [...parts];
  const half = SHOWN_MAX / 2;
  const left = `... (${parts.length - SHOWN_MAX} more) ...`;
  return [...parts.slice(0, half), left, ...parts.slice(-half)];
}

/**
 * The edges of the cycle that appear in the file; the others come from stacks that contain their members. Positions refer
 * to the whole file: a part that the environment does not have is in no cycle.
 */
function writtenEdges(
  { spec }: PlatformFile,
  cycle: readonly string[],
): { text: string; path: Path }[] {
  const next = new Map(cycle.map((id, at) => [id, cycle[(at + 1) % cycle.length]]));
  const edges: { text: string; path: Path }[] = [];
  const look = (id: string, dependsOn: readonly Dependency[] | undefined, path: Path) => {
    const to = next.get(id);
    if (to === undefined) return;
    const isMeant = (written: Dependency) =>
      targetOf(parseReference(dependencyName(written))) === to;
    const at = dependsOn?.findIndex(isMeant) ?? -1;
    if (at === -1) return;
    const text = `${shortName(id)} dependsOn ${shortName(to)}`;
    edges.push({ text, path: [...path, 'dependsOn', at] });
  };
  for (const [s, stack] of spec.stacks.entries()) {
    const path = ['spec', 'stacks', s];
    look(openOf(stack.name), stack.dependsOn, path);
    for (const [a, { name, dependsOn }] of stack.applications.entries()) {
      look(nodeOf(name), dependsOn, [...path, 'applications', a]);
    }
  }
  return edges;
}
