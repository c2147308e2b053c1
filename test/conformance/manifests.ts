// Manifests for the folders of a case's repository.
import type { Manifest } from './argocd-world.ts';

type Annotations = Readonly<Record<string, string>>;

const ARGOCD = 'argocd.argoproj.io';
export const REFRESH = `${ARGOCD}/refresh`;
export const TRACKING = `${ARGOCD}/tracking-id`;
/** Deletes what was deployed before the Application goes. */
export const CASCADE = 'resources-finalizer.argocd.argoproj.io';

export function configMap(name: string, data: Readonly<Record<string, string>> = {}): Manifest {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data };
}

export function annotated(manifest: Manifest, annotations: Annotations): Manifest {
  const { metadata } = manifest;
  const all = { ...metadata.annotations, ...annotations };
  return { ...manifest, metadata: { ...metadata, annotations: all } };
}

export const inWave = (wave: number, manifest: Manifest) =>
  annotated(manifest, { [`${ARGOCD}/sync-wave`]: String(wave) });

export const hook = (type: string, manifest: Manifest, policy?: string) =>
  annotated(manifest, {
    [`${ARGOCD}/hook`]: type,
    ...(policy === undefined ? {} : { [`${ARGOCD}/hook-delete-policy`]: policy }),
  });

export const withOption = (option: string, manifest: Manifest) =>
  annotated(manifest, { [`${ARGOCD}/sync-options`]: option });

/** It stays, with a deletionTimestamp, until somebody takes this off. */
export const FOREIGN = 'example.com/wait';
export const guarded = (manifest: Manifest): Manifest => ({
  ...manifest,
  metadata: { ...manifest.metadata, finalizers: [FOREIGN] },
});

/** No cluster takes an object of this name. */
export const INVALID_NAME = 'Not_Valid';

/** Always active; requested syncs pass. */
export const DENY = {
  kind: 'deny',
  schedule: '* * * * *',
  duration: '1h',
  manualSync: true,
} as const;

/** Opens on the 29th of February for a minute. */
export const CLOSED_ALLOW = { kind: 'allow', schedule: '0 0 29 2 *', duration: '1m' } as const;

/** An object that the cluster refuses, beside one that it takes, and one in the next wave. */
export const refusedBeside = (taken: Manifest): readonly Manifest[] => [
  taken,
  configMap(INVALID_NAME),
  inWave(1, configMap('late')),
];
