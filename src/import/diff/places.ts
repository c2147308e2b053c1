// Where in the file a finding is meant.
import { parseDocument } from '../../model/document.ts';
import { type Dependency, dependencyName } from '../../model/fields.ts';
import { parseReference, renderReference } from '../../model/names.ts';
import type { PlatformFile } from '../../model/platform-file.ts';
import { type Path, placesIn } from '../../model/positions.ts';
import type { Source } from '../../model/source.ts';
import type { DiffFinding, FilePlace } from './diff-finding.ts';

export interface Position {
  readonly line: number;
  readonly column: number;
}

/** The file must be one that could be planned. */
export function locateFindings(
  source: Source,
  findings: readonly DiffFinding[],
): (DiffFinding & Partial<Position>)[] {
  const paths = pathsOf(parseDocument(source) as PlatformFile);
  const positionOf = placesIn(source);
  return findings.map((finding) => {
    const path = finding.place && paths.get(placeKey(finding.place));
    return path ? { ...finding, ...positionOf(path) } : finding;
  });
}

const placeKey = ({ owner, dependency = '' }: FilePlace): string => `${owner} ${dependency}`;

function pathsOf({ spec }: PlatformFile): ReadonlyMap<string, Path> {
  const paths = new Map<string, Path>();
  const add = (owner: string, path: Path, written: readonly Dependency[] | undefined) => {
    paths.set(placeKey({ owner }), [...path, 'name']);
    for (const [at, one] of (written ?? []).entries()) {
      const dependency = renderReference(parseReference(dependencyName(one)));
      paths.set(placeKey({ owner, dependency }), [...path, 'dependsOn', at]);
    }
  };
  paths.set(placeKey({ owner: 'platform' }), ['spec', 'root']);
  for (const [s, stack] of spec.stacks.entries()) {
    const path = ['spec', 'stacks', s];
    add(`stack:${stack.name}`, path, stack.dependsOn);
    for (const [a, application] of stack.applications.entries()) {
      add(`app:${application.name}`, [...path, 'applications', a], application.dependsOn);
    }
  }
  return paths;
}
