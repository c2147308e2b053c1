// A stack with an Application of its own that makes its members: automated from the start, as real ones are, so that only
// the hold keeps Argo CD from going ahead.

import type { Files } from './repository.ts';
import type { Scratch } from './scratch.ts';

export interface Member {
  /** What stands behind the scratch's name in the Application's, and the directory in Git. */
  readonly suffix: string;
  readonly manifests: object | readonly object[];
  /** Suffixes. */
  readonly dependsOn?: readonly string[];
}

export const memberName = (scratch: Scratch, suffix: string) => `${scratch.name}-${suffix}`;

/** Commits it and makes the parent. Returns the stack for the platform file. */
export async function family(scratch: Scratch, members: readonly Member[]): Promise<object> {
  const files: Files = Object.fromEntries(
    members.flatMap(({ suffix, manifests }) => [
      [`${suffix}/manifests.yaml`, manifests],
      [`parent/${suffix}.yaml`, child(scratch, suffix)],
    ]),
  );
  await scratch.repository.commit(files);
  const name = (suffix: string) => memberName(scratch, suffix);
  return {
    name: 'family',
    application: await scratch.application('parent', { path: 'parent' }),
    applications: members.map(({ suffix, dependsOn = [] }) => ({
      name: name(suffix),
      dependsOn: dependsOn.map(name),
    })),
  };
}

/** An Application as its parent's Git has it, of the directory of its own name. */
export function child(scratch: Scratch, suffix: string, wave?: number) {
  const annotations = { 'argocd.argoproj.io/sync-wave': String(wave) };
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: {
      name: memberName(scratch, suffix),
      namespace: 'argocd',
      ...(wave === undefined ? {} : { annotations }),
    },
    spec: {
      project: scratch.name,
      source: { repoURL: scratch.repository.url, path: suffix, targetRevision: 'main' },
      destination: { server: 'https://kubernetes.default.svc', namespace: scratch.namespace },
      syncPolicy: { automated: { selfHeal: true } },
    },
  };
}

/** An ApplicationSet that makes an Application of each folder, with the scratch's name as their team. */
export function generator(scratch: Scratch, suffix: string, folders: readonly string[]) {
  const { metadata, spec } = child(scratch, '{{folder}}');
  const labels = { team: scratch.name };
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { name: memberName(scratch, suffix), namespace: 'argocd' },
    spec: {
      generators: [{ list: { elements: folders.map((folder) => ({ folder })) } }],
      template: { metadata: { name: metadata.name, labels }, spec },
    },
  };
}
