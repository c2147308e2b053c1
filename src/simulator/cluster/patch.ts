// A merge patch, as the API server carries it out: on the newest object, and where it names a version only on that one.
import type { KubeObject, Objects } from './object-store.ts';
import { WriteRefused } from './object-store.ts';

export function patched(objects: Objects, now: KubeObject, patch: unknown): KubeObject {
  const next = withoutEmptyTexts(merged(now, patch) as KubeObject);
  checkProject(next);
  return objects.replace({ ...next, apiVersion: now.apiVersion, kind: now.kind });
}

/** RFC 7396: what is null is removed. */
export function merged(target: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
  const base =
    typeof target === 'object' && target !== null && !Array.isArray(target) ? target : {};
  const result: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = merged(result[key], value);
  }
  return result;
}

/** Labels and annotations that are left without any are none. */
function withoutEmptyTexts(object: KubeObject): KubeObject {
  const { labels, annotations, ...rest } = object.metadata;
  const some = <T extends object>(key: string, texts: T | undefined) =>
    texts && Object.keys(texts).length > 0 ? { [key]: texts } : {};
  const metadata = { ...rest, ...some('labels', labels), ...some('annotations', annotations) };
  return { ...object, metadata };
}

/** Of its schema, what a wrong patch of windows would violate. */
function checkProject({ kind, metadata, spec }: KubeObject): void {
  if (kind !== 'AppProject') return;
  const invalid = (why: string) =>
    new WriteRefused('invalid', `AppProject.argoproj.io "${metadata.name}" is invalid: ${why}`);
  if (spec === undefined) throw invalid('spec: Required value');
  const { syncWindows } = spec;
  if (syncWindows === undefined || Array.isArray(syncWindows)) return;
  const value = typeof syncWindows;
  throw invalid(
    `spec.syncWindows: Invalid value: "${value}": spec.syncWindows in body must be of type array: "${value}"`,
  );
}
