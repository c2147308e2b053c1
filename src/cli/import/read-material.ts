// What is imported from: a cluster, a Git working copy, or rendered manifests.
import { TiphysError } from '../../errors.ts';
import type { Material } from '../../import/material.ts';
import type { ReadProgress } from '../../import/read-progress.ts';
import { connectTo } from '../input/connection.ts';
import type { Io } from '../io.ts';
import type { Output } from '../output/output.ts';
import { untilStopped } from '../run/signals.ts';
import type { SourceOptions } from './source-options.ts';

/** As reports and files name it. */
export function sourceText({ fromCluster, from, manifests, render }: SourceOptions): string {
  if (fromCluster) return 'the Applications of a running Argo CD';
  if (from !== undefined) return `the Git working copy ${from}${render ? ', rendered' : ''}`;
  return `the manifests in ${manifests}`;
}

export async function readMaterial(
  io: Io,
  options: SourceOptions,
  output: Output,
): Promise<Material> {
  const progress = tell(io, output);
  const material = await untilStopped(io, ({ stop }) => read(io, options, stop, progress, output), {
    reads: true,
  });
  if (material.applications.length === 0) throw nothingFound(options, material);
  return material;
}

type Progress = (progress: ReadProgress) => void;

async function read(
  io: Io,
  options: SourceOptions,
  signal: AbortSignal,
  progress: Progress,
  output: Output,
): Promise<Material> {
  const { from, manifests, render = false } = options;
  if (from !== undefined) {
    const { readFromFolder } = await import('./read-from-folder.ts');
    return readFromFolder(io, from, { render, signal, progress });
  }
  if (manifests !== undefined) {
    const { readFromManifests } = await import('./read-from-manifests.ts');
    return readFromManifests(io, manifests, { progress });
  }
  const { readFromCluster } = await import('../../engines/import/read-from-cluster.ts');
  const place = { argocdNamespace: options.argocdNamespace };
  const cluster = await connectTo(io, options, place, 'validate', output.warn);
  return readFromCluster(cluster, { signal, progress });
}

/** During a stage, a line every so often; and one at its end. */
const TOLD_EVERY_MS = 2_000;

function tell(io: Io, output: Output): Progress {
  let last = { stage: '', at: 0 };
  return ({ stage, done, total }) => {
    const now = io.clock.now();
    const isSoon = stage === last.stage && now - last.at < TOLD_EVERY_MS;
    if (isSoon && done < total) return;
    last = { stage, at: now };
    output.note(`reading ${stage}: ${done} of ${total}`);
  };
}

export function nothingFound(options: SourceOptions, { problems }: Material): TiphysError {
  const message = options.fromCluster
    ? `The running Argo CD has no Applications in namespace ${options.argocdNamespace}.`
    : `There is no Application in ${sourceText(options)}.`;
  const details = problems.map(({ subject, message: said }) => `${subject}: ${said}`);
  const isTemplate = problems.some(({ message: said }) => said.includes('template'));
  const hint = options.fromCluster
    ? 'Name the namespace of Argo CD with --argocd-namespace, or another cluster with --context.'
    : isTemplate
      ? 'Render these templates into a file of the folder, for example with `helm template`, or read the running Argo CD with --from-cluster.'
      : 'Name the folder that has them.';
  return new TiphysError([{ code: 'import-empty', message, details, hint }]);
}
