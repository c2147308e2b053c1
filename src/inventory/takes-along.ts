// Which Applications would take one along that stays: Argo CD deletes with an Application whatever it has, other Applications
// and whole Namespaces included, in whatever order the plan has them.
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

/** Why `one` cannot go without taking along one of those that stay; undefined: it can. */
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

/** Where what it has could not be read, its status still names that. */
function namespacesIn({ objects, view }: Found): ReadonlySet<string> {
  return new Set([...(objects ?? view.resources), ...view.hooks].map((one) => one.namespace));
}

function reason(object: ManagedObject, { view }: Found): string {
  const name = quote(view.name);
  if (isApplication(object)) return 'which stays';
  return isNamespace(object)
    ? `in which there is something of ${name}, which stays`
    : `which owns ${name}, which stays`;
}
