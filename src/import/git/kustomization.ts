// A Kustomize folder, as far as its text tells: the files that it lists. Patches are left to the program.
import type { ChartUse, KubernetesObject } from '../material.ts';
import { firstFields } from './chart.ts';
import { isFields } from './documents.ts';
import { type FolderFiles, hasFile, hasFolder, isManifest } from './folder-files.ts';
import { objectsOf } from './objects-in-files.ts';
import type { SourceContent } from './source-content.ts';

const NAMES = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'];
const DEPTH_MAX = 16;

export const kustomizationIn = (files: FolderFiles, folder: string): string | undefined =>
  NAMES.map((name) => joined(folder, name)).find((path) => hasFile(files, path));

export function kustomizeText(
  files: FolderFiles,
  folder: string,
  problem: (message: string) => void,
): SourceContent {
  const objects: KubernetesObject[] = [];
  const charts: ChartUse[] = [];
  const values: unknown[] = [];
  const seen = new Set<string>();
  const valuesOf = (chart: Readonly<Record<string, unknown>>, place: string) => {
    const { valuesFile, additionalValuesFiles, valuesInline } = chart;
    const named = [valuesFile, ...listOf(additionalValuesFiles)].filter((one) => one !== undefined);
    const read = named.flatMap((one) => {
      const path = resolved(place, String(one));
      const found = path === undefined ? undefined : firstFields(files, path);
      if (!found) problem(`Its values file ${one} is not in this folder.`);
      return found ?? [];
    });
    return [...read, ...(isFields(valuesInline) ? [valuesInline] : [])];
  };
  const visit = (place: string, depth: number) => {
    const file = kustomizationIn(files, place);
    if (file === undefined || seen.has(file) || depth > DEPTH_MAX) return;
    seen.add(file);
    const content = firstFields(files, file) ?? {};
    for (const chart of listOf(content.helmCharts).filter(isFields)) {
      const { name, repo, version } = chart;
      const repository = typeof repo === 'string' ? { repository: repo } : {};
      charts.push({
        name: String(name),
        ...repository,
        ...(version ? { version: String(version) } : {}),
      });
      // Under its name, as an umbrella chart would have them: a folder may have several charts.
      for (const one of valuesOf(chart, place)) values.push({ [String(name)]: one });
    }
    const entries = [content.resources, content.bases, content.components].flatMap(listOf);
    for (const entry of entries.map(String)) {
      const path = resolved(place, entry);
      if (path === undefined || !(hasFile(files, path) || hasFolder(files, path))) {
        problem(`${file} lists ${entry}, which is not in this folder.`);
      } else if (hasFile(files, path)) {
        if (isManifest(path)) objects.push(...objectsOf(files, [path], problem));
      } else visit(path, depth + 1);
    }
  };
  visit(folder, 0);
  return { objects, charts, values, isWhole: false };
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const joined = (folder: string, name: string) => (folder === '' ? name : `${folder}/${name}`);

/** Undefined where it leads out of the folder, or to another repository. */
function resolved(folder: string, entry: string): string | undefined {
  if (entry.includes('://') || entry.includes('?ref=')) return undefined;
  const parts = folder === '' ? [] : folder.split('/');
  for (const part of entry.split('/')) {
    if (part === '..' && parts.pop() === undefined) return undefined;
    if (part !== '..' && part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}
