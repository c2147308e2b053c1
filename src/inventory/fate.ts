// What happens to an object when its Application is deleted with all its resources, following Argo CD's rules.
import type { Plan } from '../plan/plan.ts';
import {
  type ApplicationView,
  isNamespace,
  type ManagedObject,
  type ResourceName,
} from '../ports/application-view.ts';
import type { Deleted, Kept, Policy } from './inventory.ts';

/** An existing Application of the plan with its resources; undefined if they could not be read, with the reason. */
export interface Found {
  readonly id: string;
  readonly view: ApplicationView;
  /** Its name in tracking ids. */
  readonly instance: string;
  readonly objects: readonly ManagedObject[] | undefined;
  readonly problem: string | undefined;
  /** The Application's own sync option `Delete`, if this version of Argo CD obeys it: `false`, `confirm`. An object's own option wins. */
  readonly deleteOption: string | undefined;
  readonly place: FoundPlace;
}

/** The cluster that has an Application's objects. */
export interface FoundPlace {
  /** Its name in the inventory; '' is the one that runs Argo CD. */
  readonly cluster: string;
  /** Whether it is read: Argo CD's own, and others through a context. */
  readonly isSeen: boolean;
  /** It is not read, but known to be another one than Argo CD's own. */
  readonly isOther?: boolean;
  /** Why it is not read, although it has a context. */
  readonly unseen?: string;
  /** The context reaches another cluster: the proof. */
  readonly wrong?: string;
}

/** For an Application whose destination has no context. */
export const placeWithout = (remoteCluster: string | undefined): FoundPlace => ({
  cluster: remoteCluster ?? '',
  isSeen: remoteCluster === undefined,
});

/** With what happens to all its resources. */
export interface Fated extends Found {
  readonly deletes: readonly Deleted[];
  readonly keeps: readonly Kept[];
  /** Those of `keeps` that are deleted if two destinations are one cluster, which is unknown. */
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
        } else
          deletes.push({ ...resource, why: `its Namespace is deleted with "${by}"`, ...identity });
      }
    }
    return { ...one, deletes, keeps, doubtful };
  });
}

/** Whether an object is an Application of the plan: each has its own node. */
function planned(plan: Plan, found: readonly Found[]) {
  // A deleted one may still appear with its parent, whose cache is behind.
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

/** Why it stays; undefined if it is deleted. */
function keeper(object: ManagedObject, found: Found): string | undefined {
  if (object.kind === 'CustomResourceDefinition') {
    return 'Argo CD does not delete CRDs with an Application';
  }
  return ownKeeper(object, found);
}

/** A CRD that would be deleted if Argo CD deleted any. */
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

/** Its deletion option: `false`, `confirm`; undefined: none. */
export function deletionOf(object: ManagedObject, { deleteOption }: Found): string | undefined {
  return deleteOptionIn(object.syncOptions) ?? deleteOption;
}

/** The first one counts. */
export function deleteOptionIn(syncOptions: readonly string[]): string | undefined {
  const start = 'Delete=';
  return syncOptions.find((option) => option.startsWith(start))?.slice(start.length);
}

/** Claims of a StatefulSet do not belong to the Application: Kubernetes keeps them by default. */
function claims(object: ManagedObject, found: Found): Fate[] {
  if (keeper(object, found) !== undefined) return [];
  const why = object.deletesClaims
    ? ALONG
    : `created by StatefulSet ${object.name}, which does not delete it`;
  return object.claimTemplates.map((template) => ({
    ...{ group: '', kind: 'PersistentVolumeClaim', namespace: object.namespace },
    ...{ name: `${template}-${object.name}-*`, why, uid: null },
  }));
}

interface EmptiedNamespace {
  readonly name: string;
  /** The Application that it is deleted with. */
  readonly by: Found;
}

/** Namespaces that are deleted with an Application, by cluster and name: everything in them is deleted too. */
export function emptiedNamespaces(found: readonly Found[]): ReadonlyMap<string, EmptiedNamespace> {
  const emptied = new Map<string, EmptiedNamespace>();
  for (const one of found) {
    for (const { name } of deletedObjects(one).filter(isNamespace))
      emptied.set(placeIn(one.place.cluster, name), { name, by: one });
  }
  return emptied;
}

/** If one of two places is not read, they may be one cluster with two names. */
export function mayBeSame(one: FoundPlace, other: FoundPlace): boolean {
  if (one.cluster === other.cluster) return true;
  if (one.cluster === '' || other.cluster === '') return mayBeOwn(one) && mayBeOwn(other);
  return !one.isSeen || !other.isSeen;
}

/** A cluster that is not known to be another one can still be Argo CD's own. */
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
  return [{ ...resource, why: `its Namespace may be the one that is deleted with "${by}"` }];
}

export function isApplication({ group, kind }: ResourceName): boolean {
  return group === 'argoproj.io' && kind === 'Application';
}

export function nameOf({ group, kind, namespace, name }: ResourceName): ResourceName {
  return { group, kind, namespace, name };
}

/** What Argo CD deletes itself, wave by wave. */
export function deletedObjects(one: Found): ManagedObject[] {
  return (one.objects ?? []).filter((object) => keeper(object, one) === undefined);
}
