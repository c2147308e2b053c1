// A Helm chart in a folder, as far as its text tells: what it depends on, its values, and what in it is plain YAML.

import { withoutPasswords } from '../../errors.ts';
import type { ChartUse } from '../material.ts';
import { documentsIn, isFields } from './documents.ts';
import { type FolderFiles, hasFile, isManifest, pathsIn } from './folder-files.ts';
import { objectsIn } from './objects-in-files.ts';
import type { SourceContent } from './source-content.ts';

/** Not whole: templates are not rendered. */
export function chartText(
  files: FolderFiles,
  folder: string,
  values: readonly unknown[],
): SourceContent {
  const below = (name: string) => (folder === '' ? name : `${folder}/${name}`);
  const chart = firstFields(files, below('Chart.yaml'));
  const own = firstFields(files, below('values.yaml'));
  const plain = [
    ...pathsIn(files, below('crds'), true),
    ...pathsIn(files, below('templates'), true),
  ].filter(isManifest);
  const objects = plain.flatMap((path) => {
    const text = files.read(path) ?? '';
    // What is valid YAML by chance is a template all the same.
    return text.includes('{{') ? [] : (objectsIn(text) ?? []);
  });
  const isWhole = false;
  return { objects, charts: chartsOf(chart), values: own ? [own, ...values] : values, isWhole };
}

export function firstFields(files: FolderFiles, path: string) {
  const text = hasFile(files, path) ? files.read(path) : undefined;
  const [first] = (text === undefined ? undefined : documentsIn(text)) ?? [];
  return isFields(first) ? first : undefined;
}

/** Its dependencies; a chart without any is a copy of what it is called. */
function chartsOf(chart: Readonly<Record<string, unknown>> = {}): readonly ChartUse[] {
  const dependencies = Array.isArray(chart.dependencies) ? chart.dependencies.filter(isFields) : [];
  return (dependencies.length > 0 ? dependencies : [chart]).flatMap(
    ({ name, repository, version }) =>
      typeof name !== 'string'
        ? []
        : [
            {
              name,
              ...(typeof repository === 'string'
                ? { repository: withoutPasswords(repository) }
                : {}),
              ...(version === undefined ? {} : { version: String(version) }),
            },
          ],
  );
}
