// One source of an Application -> its content, from the folder.
import type { RawSource } from '../application-object.ts';
import { chartText } from './chart.ts';
import {
  type FolderFiles,
  hasFile,
  hasFolder,
  isManifest,
  matchesPath,
  pathsIn,
  plainPath,
} from './folder-files.ts';
import { type GivenValues, givenValues, valuesOf } from './helm-values.ts';
import { kustomizationIn, kustomizeText } from './kustomization.ts';
import { objectsIn, objectsOf } from './objects-in-files.ts';
import type { ChartRequest, Rendered, Renderer } from './renderer.ts';
import { NOTHING, type SourceContent } from './source-content.ts';

export interface SourceContext {
  readonly files: FolderFiles;
  /** Undefined: nothing is rendered. */
  readonly renderer: Renderer | undefined;
  readonly isLocal: (source: RawSource) => boolean;
  readonly localRefs: ReadonlySet<string>;
  readonly release: string;
  readonly namespace: string;
  readonly problem: (message: string) => void;
}

export async function readGitSource(
  source: RawSource,
  context: SourceContext,
): Promise<SourceContent> {
  const { files, problem } = context;
  if (source.chart !== '' || source.repoURL.startsWith('oci://'))
    return remoteChart(source, context);
  // It is there for its files alone.
  if (source.ref !== '' && source.path === '') return { ...NOTHING, isWhole: true };
  const folder = plainPath(source.path);
  if (!context.isLocal(source) || !hasFolder(files, folder)) {
    problem(`Its source ${source.path} is not in this folder.`);
    return NOTHING;
  }
  if (source.plugin !== undefined) {
    problem('Its source is rendered by a plugin, which is not started: only its text is read.');
    return { ...textOf(source, folder, context), isWhole: false };
  }
  if (hasFile(files, plainPath(`${folder}/Chart.yaml`))) return localChart(source, folder, context);
  if (kustomizationIn(files, folder) !== undefined) return kustomized(folder, context);
  return plainText(source, folder, context);
}

function textOf(source: RawSource, folder: string, context: SourceContext): SourceContent {
  const { files, localRefs, problem } = context;
  if (hasFile(files, plainPath(`${folder}/Chart.yaml`))) {
    const given = givenValues(source, files, localRefs, problem);
    return chartText(files, folder, valuesOf(given, files));
  }
  if (kustomizationIn(files, folder) !== undefined) return kustomizeText(files, folder, problem);
  return plainText(source, folder, context);
}

function plainText(
  source: RawSource,
  folder: string,
  { files, problem }: SourceContext,
): SourceContent {
  const objects = objectsOf(files, plainFiles(source, folder, files), problem);
  return { ...NOTHING, objects, isWhole: true };
}

function plainFiles({ directory }: RawSource, folder: string, files: FolderFiles) {
  const { recurse = false, include = '', exclude = '' } = directory ?? {};
  const start = folder === '' ? 0 : folder.length + 1;
  const globsOf = (text: string) =>
    text
      .replace(/^\{|\}$/g, '')
      .split(',')
      .filter(Boolean);
  const matches = (globs: readonly string[], path: string) =>
    globs.some((glob) => matchesPath(glob, path.slice(start)));
  const [included, excluded] = [globsOf(include), globsOf(exclude)];
  return pathsIn(files, folder, recurse).filter(
    (path) =>
      isManifest(path) &&
      (included.length === 0 || matches(included, path)) &&
      !matches(excluded, path),
  );
}

async function kustomized(folder: string, context: SourceContext): Promise<SourceContent> {
  const { files, renderer, problem } = context;
  const rendered = renderer && (await renderer.kustomize(folder));
  const whole = rendered && wholeOf(rendered, context);
  if (whole) return whole;
  if (!renderer)
    problem(`${folder} is rendered by Kustomize: patches are not applied without --render.`);
  return kustomizeText(files, folder, problem);
}

async function localChart(source: RawSource, folder: string, context: SourceContext) {
  const { files, localRefs, problem } = context;
  const given = givenValues(source, files, localRefs, problem);
  const text = chartText(files, folder, valuesOf(given, files));
  const whole = await renderedChart(source, { path: folder }, given, context);
  if (whole) return { ...whole, charts: text.charts };
  if (!context.renderer)
    problem(`${folder} is a Helm chart: its templates are not known without --render.`);
  return text;
}

async function remoteChart(source: RawSource, context: SourceContext): Promise<SourceContent> {
  const { files, localRefs, problem } = context;
  const given = givenValues(source, files, localRefs, problem);
  const { chart: name, repoURL: repository, targetRevision: version } = source;
  const whole = await renderedChart(source, { name, repository, version }, given, context);
  return whole ?? { ...NOTHING, values: valuesOf(given, files) };
}

async function renderedChart(
  { helm }: RawSource,
  chart: ChartRequest['chart'],
  { files: valueFiles, inline: values }: GivenValues,
  context: SourceContext,
): Promise<SourceContent | undefined> {
  if (!context.renderer) return undefined;
  const { namespace } = context;
  const release = helm?.releaseName || context.release;
  const request = { release, namespace, chart, valueFiles, values };
  return wholeOf(await context.renderer.helm(request), context);
}

function wholeOf(rendered: Rendered, { problem }: SourceContext): SourceContent | undefined {
  const objects = 'text' in rendered ? objectsIn(rendered.text) : undefined;
  if (objects) return { ...NOTHING, objects, isWhole: true };
  problem('problem' in rendered ? rendered.problem : 'What was rendered is not YAML.');
  return undefined;
}
