// What Git wants of an Application: its manifests, in the place where they belong, with the mark of whose they are.

import { type KubeObject, withMetadata } from '../cluster/object-store.ts';
import { kindOf } from '../cluster/served-kinds.ts';
import type { Git } from '../git.ts';
import { type Application, sourceOf } from './application.ts';
import { TRACKING, trackingId } from './live-cache.ts';

/** `Skip`: it is shown, and nothing is done about it. */
type HookPhase = 'PreSync' | 'Sync' | 'PostSync' | 'SyncFail' | 'Skip';

export interface Wanted {
  readonly object: KubeObject;
  readonly hook: HookPhase | undefined;
  readonly wave: number;
}

export class ManifestError extends Error {}

/** The phase of a hook; undefined: it is none. */
export const hookOf = ({ metadata }: KubeObject): string | undefined =>
  metadata.annotations?.['argocd.argoproj.io/hook'];

export const waveOf = ({ metadata }: KubeObject): number =>
  Number(metadata.annotations?.['argocd.argoproj.io/sync-wave'] ?? 0);

const PHASES: ReadonlySet<string> = new Set(['PreSync', 'Sync', 'PostSync', 'SyncFail', 'Skip']);

/** Throws a ManifestError as Argo CD words it. */
export function wantedOf(git: Git, application: Application, revision: string): readonly Wanted[] {
  const source = sourceOf(application);
  const manifests = git.read(source.repoURL, source.path ?? '', revision);
  if (!manifests) {
    throw new ManifestError(
      `Failed to load target state: failed to generate manifest for source 1 of 1: rpc error: code = Unknown desc = ${source.path}: app path does not exist`,
    );
  }
  const { name } = application.metadata;
  const { namespace } = application.spec.destination;
  const known = rendered.get(manifests) ?? new Map<string, readonly Wanted[]>();
  rendered.set(manifests, known);
  const key = `${name} ${namespace}`;
  const wanted = known.get(key) ?? render(manifests, name, namespace);
  known.set(key, wanted);
  return wanted;
}

/** By the names of the Application and of its destination's namespace: every comparison asks for it. */
const rendered = new WeakMap<readonly KubeObject[], Map<string, readonly Wanted[]>>();

function render(
  manifests: readonly KubeObject[],
  application: string,
  namespace: string | undefined,
): readonly Wanted[] {
  return manifests.flatMap((manifest) => {
    const hook = hookOf(manifest) as HookPhase | undefined;
    if (hook !== undefined && !PHASES.has(hook)) return [];
    const object = inPlace(manifest, application, namespace);
    return [{ object, hook, wave: waveOf(manifest) }];
  });
}

/** The branch's head, or the revision that is named. */
export function resolve(git: Git, application: Application): string {
  if (!git.reachable) {
    throw new ManifestError(
      'Failed to load target state: failed to get git client for repo: rpc error: code = Unavailable desc = connection error: connection refused',
    );
  }
  const { repoURL, targetRevision = 'HEAD' } = sourceOf(application);
  return /^[0-9a-f]{40}$/.test(targetRevision) ? targetRevision : git.head(repoURL);
}

function inPlace(
  manifest: KubeObject,
  application: string,
  namespace: string | undefined,
): KubeObject {
  const { namespaced } = kindOf(manifest.apiVersion, manifest.kind);
  const place = namespaced
    ? { namespace: manifest.metadata.namespace ?? namespace ?? 'default' }
    : {};
  const placed = withMetadata(manifest, place);
  const tracking = { [TRACKING]: trackingId(application, placed) };
  return withMetadata(placed, { annotations: { ...manifest.metadata.annotations, ...tracking } });
}
