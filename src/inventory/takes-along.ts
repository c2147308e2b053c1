// Which Applications would delete one that stays: Argo CD deletes all resources of an Application with it, including other Applications
// and whole Namespaces, in any order of the plan.
import { quote } from '../model/names.ts';
import { isNamespace, type ManagedObject } from '../ports/application-view.ts';
import {
  deletedObjects,
  type Found,
  type FoundPlace,
  isApplication,
  mayBeOwn,
  mayBeSame,
} from './fate.ts';

/** Why `one` cannot be deleted without deleting one of those that stay; undefined: it can. */
export function takesAlong(one: Found, staying: readonly Found[]): string | undefined {
  for (const object of deletedObjects(one).filter(isTaking)) {
    const taken = staying.find((other) => isTaken(other, object, one.place));
    if (taken) return `it has the ${object.kind} ${quote(object.name)}, ${reason(object, taken)}`;
  }
  return undefined;
}

const isApplicationSet = ({ group, kind }: ManagedObject): boolean =>
  group === 'argoproj.io' && kind === 'ApplicationSet';

const isTaking = (object: ManagedObject): boolean =>
  isApplication(object) || isApplicationSet(object) || isNamespace(object);

function isTaken(other: Found, object: ManagedObject, place: FoundPlace): boolean {
  const { view } = other;
  if (isApplication(object)) return view.uid === object.uid;
  if (isApplicationSet(object)) {
    const isOwner = view.applicationSet === object.name && view.namespace === object.namespace;
    return mayBeOwn(place) && isOwner;
  }
  if (mayBeOwn(place) && view.namespace === object.name) return true;
  return mayBeSame(place, other.place) && namespacesIn(other).has(object.name);
}

/** If its resources could not be read, its status still names them. */
function namespacesIn({ objects, view }: Found): ReadonlySet<string> {
  return new Set([...(objects ?? view.resources), ...view.hooks].map((one) => one.namespace));
}

function reason(object: ManagedObject, { view }: Found): string {
  const name = quote(view.name);
  if (isApplication(object)) return 'which stays';
  return isNamespace(object)
    ? `which contains objects of ${name}, which stays`
    : `which owns ${name}, which stays`;
}
