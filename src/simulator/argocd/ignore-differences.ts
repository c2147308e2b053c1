// What a comparison leaves out on both sides, as the Application asks for: ignoreDifferences with jsonPointers.
import type { Json, KubeObject } from '../cluster/object-store.ts';
import { kindOf } from '../cluster/served-kinds.ts';
import type { Application } from './application.ts';

/** The object itself if nothing of it is ignored. */
export function normalized({ spec }: Application, object: KubeObject): KubeObject {
  const pointers = (spec.ignoreDifferences ?? [])
    .filter((rule) => isMeant(rule, object))
    .flatMap(({ jsonPointers }) => (Array.isArray(jsonPointers) ? jsonPointers.map(String) : []));
  return pointers.reduce((left, pointer) => without(left, partsOf(pointer)) as KubeObject, object);
}

function isMeant(rule: Json, { apiVersion, kind, metadata }: KubeObject): boolean {
  const { namespace = '', name } = metadata;
  const { group } = kindOf(apiVersion, kind);
  const fits = (wanted: unknown, own: string) => wanted === '*' || (wanted ?? '') === own;
  const may = (wanted: unknown, own: string) => !wanted || wanted === own;
  return (
    fits(rule.group, group) &&
    fits(rule.kind, kind) &&
    may(rule.name, name) &&
    may(rule.namespace, namespace)
  );
}

const partsOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));

function without(value: unknown, [part, ...rest]: readonly string[]): unknown {
  if (part === undefined || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value))
    return value.flatMap((one, at) => {
      if (String(at) !== part) return [one];
      return rest.length === 0 ? [] : [without(one, rest)];
    });
  if (!Object.hasOwn(value, part)) return value;
  const { [part]: own, ...others } = value as Json;
  return rest.length === 0 ? others : { ...others, [part]: without(own, rest) };
}
