// Where what lint found is, in the folder that was read. In a cluster nothing has a file.
import { isAbsolute, join } from 'node:path';
import type { Material } from '../../import/material.ts';
import type { LintFinding } from '../../lint/finding.ts';
import { withPlaces } from '../../lint/places.ts';
import type { Io } from '../io.ts';
import { openFolder } from './folder.ts';
import type { SourceOptions } from './source-options.ts';

export function placesIn(
  io: Io,
  { from, manifests }: SourceOptions,
  { applications }: Material,
  findings: readonly LintFinding[],
): readonly LintFinding[] {
  if (findings.length === 0) return findings;
  if (from !== undefined) {
    const sources = new Map(applications.map((one) => [one.name, one.sources]));
    return withPlaces(findings, openFolder(io, from), (name) =>
      (sources.get(name) ?? []).flatMap(({ path }) => path ?? []),
    );
  }
  if (manifests === undefined) return findings;
  const found = withPlaces(findings, openFolder(io, manifests), (name) =>
    ['', '.yaml', '.yml', '.json'].map((ending) => `${name}${ending}`),
  );
  // A folder of a repository, and not the repository.
  return isAbsolute(manifests) ? found : found.map((one) => below(manifests, one));
}

function below(folder: string, finding: LintFinding): LintFinding {
  const { place } = finding;
  return place ? { ...finding, place: { ...place, file: join(folder, place.file) } } : finding;
}
