// What becomes of an object when its Application is deleted with all that it has, as Argo CD decides it.
import type { Plan } from '../plan/plan.ts';
import {
  type ApplicationView,
  isNamespace,
  type ManagedObject,
  type ResourceName,
} from '../ports/application-view.ts';
import type { Deleted, Kept, Policy } from './inventory.ts';

/** An Application of the plan that exists, with what it has; undefined where that could not be read, with the reason. */
export interface Found {
  readonly id: string;
  readonly view: ApplicationView;
  /** As tracking ids call it. */
  readonly instance: string;
  readonly objects: readonly ManagedObject[] | undefined;
  readonly problem: string | undefined;
  /** The Application's own sync option `Delete`, where this Argo CD obeys it: `false`, `confirm`. An object's own wins. */
  readonly deleteOption: string | undefined;
  readonly place: FoundPlace;
}

/** The cluster that has an Application's objects. */
export interface FoundPlace {
  /** As the inventory calls it; '' is Argo CD's own. */
  readonly cluster: string;
  /** It is looked at: Argo CD's own, and others through a context. */
  readonly isSeen: boolean;
  /** It is not looked at, but known to be another one than Argo CD's own. */
  readonly isOther?: boolean;
  /** Why it is not, though a context is named for it. */
  readonly unseen?: string;
  /** The context reaches another cluster: what shows that. */
  readonly wrong?: string;
}

/** For an Application whose destination no context is named for. */
export const placeWithout = (remoteCluster: string | undefined): FoundPlace => ({
  cluster: remoteCluster ?? '',
  isSeen: remoteCluster === undefined,
});

/** With what becomes of all that it has. */
export interface Fated extends Found {
  readonly deletes: readonly Deleted[];
  readonly keeps: readonly Kept[];
  /** Those of `keeps` that go if two destinations are one cluster, which nobody can tell. */
  readonly doubtful: readonly Deleted[];
}

export function fatesOf(
  plan: Plan,
  found: readonly Found[],
  { crds }: Pick<Policy, 'crds'>,
): readonly Fated[] {
  const isOfPlan = planned(plan, found);
  const emptied = emptiedNamespaces(found);
  return found.map((one) => {
    // Argo CD does not show the options of hooks.
    const { hooks } = one.view;
    const staying = one.deleteOption === 'false';
    const deletes: Deleted[] = staying ? [] : hooks.map((hook) => ({ ...hook, why: 'a hook' }));
    const keeps: Kept[] = staying ? hooks.map((hook) => ({ ...hook, why: OPTION, uid: null })) : [];
    const doubtful: Deleted[] = [];
    for (const object of one.objects ?? []) {
      if (isOfPlan(object, one)) continue;
      if (crds && one.place.isSeen && isGoingDefinition(object, one)) continue;
      for (const { why, uid, ...resource } of [fate(object, one), ...claims(object, one)]) {
        const by = emptied.get(placeIn(one.place.cluster, resource.namespace))?.by.view.name;
        const identity = uid !== null && IDENTIFIED.has(resource.kind) ? { uid } : {};
        if (why === GOES || why === ALONG) deletes.push({ ...resource, why, ...identity });
        else if (by === undefined) {
          keeps.push({ ...resource, why, uid });
          doubtful.push(...doubtsAbout(resource, one, emptied));
        } else deletes.push({ ...resource, why: `its Namespace goes with "${by}"`, ...identity });
      }
    }
    return { ...one, deletes, keeps, doubtful };
  });
}

/** Whether an object is an Application of the plan: each has its own node. */
function planned(plan: Plan, found: readonly Found[]) {
  // One that is gone may still be seen with its parent, whose cache is behind.
  const names = new Set(
    plan.nodes.map(({ argocd, application }) => `${argocd?.namespace}/${application}`),
  );
  const uids = new Set(found.map(({ view }) => view.uid));
  return (object: ManagedObject, of: Found): boolean => {
    if (!isApplication(object)) return false;
    return of.place.cluster === ''
      ? names.has(`${object.namespace}/${object.name}`)
      : uids.has(object.uid);
  };
}

/** Clusters may have namespaces of the same name. */
export const placeIn = (cluster: string, namespace: string): string => `${cluster} ${namespace}`;

const GOES = null;
const ALONG = 'its StatefulSet deletes it (whenDeleted: Delete)';

/** All others have no uid in an inventory, which must fit into a ConfigMap. */
const IDENTIFIED: ReadonlySet<string> = new Set(['Namespace', 'PersistentVolumeClaim']);

type Fate = ResourceName & { readonly why: string | null; readonly uid: string | null };

function fate(object: ManagedObject, found: Found): Fate {
  return { ...nameOf(object), why: keeper(object, found) ?? GOES, uid: object.uid };
}

/** Why it stays; undefined where it goes. */
function keeper(object: ManagedObject, found: Found): string | undefined {
  if (object.kind === 'CustomResourceDefinition') {
    return 'Argo CD deletes no definitions with an Application';
  }
  return ownKeeper(object, found);
}

/** A definition that would go, if Argo CD deleted any. */
export function isGoingDefinition(object: ManagedObject, found: Found): boolean {
  return object.defines !== undefined && ownKeeper(object, found) === undefined;
}

const OPTION = 'Delete=false, a sync option of its Application';

function ownKeeper(object: ManagedObject, found: Found): string | undefined {
  const { instance } = found;
  if (deletionOf(object, found) === 'false') {
    return deleteOptionIn(object.syncOptions) === undefined ? OPTION : 'Delete=false';
  }
  if (object.keptByHelm) return 'helm.sh/resource-policy: keep';
  if (object.tracker !== undefined && object.tracker !== instance) {
    return `it belongs to Application "${object.tracker}"`;
  }
  if (object.owner !== undefined) return `left to its owner, ${object.owner}`;
  return undefined;
}

/** What is said about its deletion: `false`, `confirm`; undefined: nothing. */
export function deletionOf(object: ManagedObject, { deleteOption }: Found): string | undefined {
  return deleteOptionIn(object.syncOptions) ?? deleteOption;
}

/** The first one counts. */
export function deleteOptionIn(syncOptions: readonly string[]): string | undefined {
  const start = 'Delete=';
  return syncOptions.find((option) => option.startsWith(start))?.slice(start.length);
}

/** Claims that a StatefulSet made are not its own: Kubernetes keeps them unless it is told otherwise. */
function claims(object: ManagedObject, found: Found): Fate[] {
  if (keeper(object, found) !== undefined) return [];
  const why = object.deletesClaims ? ALONG : `made by StatefulSet ${object.name}, and not its own`;
  return object.claimTemplates.map((template) => ({
    ...{ group: '', kind: 'PersistentVolumeClaim', namespace: object.namespace },
    ...{ name: `${template}-${object.name}-*`, why, uid: null },
  }));
}

interface EmptiedNamespace {
  readonly name: string;
  /** The Application that it goes with. */
  readonly by: Found;
}

/** Namespaces that go with an Application, by cluster and name: whatever is in them goes too. */
export function emptiedNamespaces(found: readonly Found[]): ReadonlyMap<string, EmptiedNamespace> {
  const emptied = new Map<string, EmptiedNamespace>();
  for (const one of found) {
    for (const { name } of deletedObjects(one).filter(isNamespace))
      emptied.set(placeIn(one.place.cluster, name), { name, by: one });
  }
  return emptied;
}

/** Where one of two places is not looked at, they may be one cluster by two names. */
export function mayBeSame(one: FoundPlace, other: FoundPlace): boolean {
  if (one.cluster === other.cluster) return true;
  if (one.cluster === '' || other.cluster === '') return mayBeOwn(one) && mayBeOwn(other);
  return !one.isSeen || !other.isSeen;
}

/** One that is not known to be Argo CD's own cluster still can be that one. */
export const mayBeOwn = ({ cluster, isSeen, isOther }: FoundPlace): boolean =>
  cluster === '' || !(isSeen || isOther);

function doubtsAbout(
  resource: ResourceName,
  { place }: Found,
  emptied: ReadonlyMap<string, EmptiedNamespace>,
): Deleted[] {
  const isIt = ({ name, by }: EmptiedNamespace) =>
    name === resource.namespace && mayBeSame(place, by.place);
  const by = [...emptied.values()].find(isIt)?.by.view.name;
  if (by === undefined) return [];
  return [{ ...resource, why: `its Namespace may be the one that goes with "${by}"` }];
}

export function isApplication({ group, kind }: ResourceName): boolean {
  return group === 'argoproj.io' && kind === 'Application';
}

export function nameOf({ group, kind, namespace, name }: ResourceName): ResourceName {
  return { group, kind, namespace, name };
}

/** What Argo CD deletes itself, one wave after another. */
export function deletedObjects(one: Found): ManagedObject[] {
  return (one.objects ?? []).filter((object) => keeper(object, one) === undefined);
}
