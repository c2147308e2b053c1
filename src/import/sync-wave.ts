// The sync wave of an object, by its annotation.
import type { KubernetesObject } from './material.ts';

export const SYNC_WAVE = 'argocd.argoproj.io/sync-wave';

/** What is no whole number does not count, as for Argo CD. */
export function waveIn(annotations: ReadonlyMap<string, string>): number | undefined {
  const given = annotations.get(SYNC_WAVE);
  // At most 12 characters.
  return given !== undefined && given.length <= 12 && /^-?\d+$/.test(given)
    ? Number(given)
    : undefined;
}

export function waveOf({ metadata }: KubernetesObject): number | undefined {
  const { annotations } = metadata ?? {};
  const isFields = typeof annotations === 'object' && annotations !== null;
  const given = isFields ? (annotations as Record<string, unknown>)[SYNC_WAVE] : undefined;
  return given === undefined ? undefined : waveIn(new Map([[SYNC_WAVE, String(given)]]));
}
