// Where `tiphys import` and `tiphys lint` read a platform from.
import { Option } from 'commander';
import { usageError } from '../../errors.ts';
import { ARGOCD_NAMESPACE } from '../../model/settings.ts';
import type { ConnectionOptions } from '../input/connection.ts';

export interface SourceOptions extends ConnectionOptions {
  readonly fromCluster?: boolean;
  readonly from?: string;
  readonly manifests?: string;
  readonly render?: boolean;
  readonly argocdNamespace: string;
}

const SOURCES = '--from-cluster, --from FOLDER or --manifests FOLDER';

export const SOURCE_OPTIONS: readonly Option[] = [
  new Option(
    '--from-cluster',
    'read the Applications of a running Argo CD, with `get` and `list` rights only',
  ),
  new Option('--from <folder>', 'read Applications and what they deploy from a Git working copy'),
  new Option('--render', 'with --from: render charts and overlays with helm and kustomize'),
  new Option(
    '--manifests <folder>',
    'read rendered manifests: APPLICATION.yaml each, or APPLICATION/*.yaml',
  ),
  new Option('--argocd-namespace <name>', 'with --from-cluster: where Argo CD is').default(
    ARGOCD_NAMESPACE,
  ),
];

export function checkSource(options: SourceOptions): void {
  const sources = [options.fromCluster, options.from, options.manifests].filter(
    (one) => one !== undefined,
  );
  if (sources.length === 0)
    throw usageError('The source to read from is missing.', `Give ${SOURCES}.`);
  if (sources.length > 1)
    throw usageError('There is more than one source to read from.', `Give one of ${SOURCES}.`);
  if (options.render && options.from === undefined)
    throw usageError('The option --render goes with --from.', 'Add --from FOLDER.');
}
