// Reading objects that may have any shape: every field is checked before it is believed.
import { type Kind, kindName } from '../../health/health-check.ts';
import type { ApplicationMaterial, KubernetesObject } from '../material.ts';

export type Fields = Readonly<Record<string, unknown>>;

const OF_ARGO_CD = new Set(['Application', 'ApplicationSet', 'AppProject']);
/** Nothing in Kubernetes is nested deeper. */
const DEPTH_MAX = 64;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The field at the end of a way, or undefined. */
export function at(value: unknown, ...way: readonly string[]): unknown {
  return way.reduce<unknown>((held, key) => fieldsOf(held)[key], value);
}

export function kindOf(object: KubernetesObject): Kind {
  const version = textOf(object.apiVersion) ?? '';
  const group = version.includes('/') ? version.slice(0, version.indexOf('/')) : '';
  return { group, kind: textOf(object.kind) ?? '' };
}

export function isKind(object: KubernetesObject, group: string, ...kinds: readonly string[]) {
  const { group: own, kind } = kindOf(object);
  return own === group && kinds.includes(kind);
}

export function nameOf(object: KubernetesObject): string {
  return textOf(object.metadata?.name) ?? '';
}

/** KIND/NAME, as people write it. */
export function whereOf(object: KubernetesObject): string {
  return `${kindOf(object).kind}/${nameOf(object)}`;
}

export function namespaceOf(object: KubernetesObject, application: ApplicationMaterial): string {
  return textOf(object.metadata?.namespace) ?? application.destination.namespace;
}

export function annotation(object: KubernetesObject, key: string): string | undefined {
  return textOf(at(object.metadata, 'annotations', key));
}

export function label(object: KubernetesObject, key: string): string | undefined {
  return textOf(at(object.metadata, 'labels', key));
}

/** Every field below, with its key and what holds it. */
export function walk(
  value: unknown,
  look: (key: string, value: unknown, way: readonly string[]) => void,
  way: readonly string[] = [],
): void {
  if (way.length > DEPTH_MAX) return;
  if (Array.isArray(value)) {
    for (const item of value) walk(item, look, [...way, '']);
    return;
  }
  if (!isFields(value)) return;
  for (const [key, held] of Object.entries(value)) {
    look(key, held, way);
    if (typeof held === 'object') walk(held, look, [...way, key]);
  }
}

/** What is listed but was not read becomes an object with nothing but its name. */
export function objectsOf(application: ApplicationMaterial): KubernetesObject[] {
  const objects = application.objects.filter(isManifest);
  const known = new Set(objects.map((object) => identity(kindOf(object), object, application)));
  const listed = application.resources
    .map(({ group, kind, namespace, name }) => ({
      apiVersion: group === '' ? 'v1' : `${group}/v1`,
      kind,
      metadata: namespace === '' ? { name } : { name, namespace },
    }))
    .filter(isManifest)
    .filter((object) => !known.has(identity(kindOf(object), object, application)));
  return [...objects, ...listed];
}

function identity(kind: Kind, object: KubernetesObject, application: ApplicationMaterial): string {
  return `${kindName(kind)} ${namespaceOf(object, application)}/${nameOf(object)}`;
}

/** What a parent creates speaks for itself, and Argo CD is there before anything that it deploys. */
function isOfArgoCd({ group, kind }: Kind): boolean {
  return group === 'argoproj.io' && OF_ARGO_CD.has(kind);
}

/** Templates of other programs lie in the same folders: their names are not filled in. */
function isManifest(object: KubernetesObject): boolean {
  if (!isFields(object) || typeof object.kind !== 'string') return false;
  const kind = kindOf(object);
  return (
    !nameOf(object).includes('{{') && kind.group !== 'kustomize.config.k8s.io' && !isOfArgoCd(kind)
  );
}
