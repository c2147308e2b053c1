// Everything that can be found wrong before the first write of a teardown: what is missing, what is not permitted.
import { type Diagnostic, TiphysError } from '../../errors.ts';
import type { Inventory, MadeNamespace, ReachedCluster } from '../../inventory/inventory.ts';
import { quote } from '../../model/names.ts';
import type { Plan } from '../../plan/plan.ts';
import type { Cluster, ClusterRight, Place } from '../../ports/target.ts';
import { readProjects } from '../check-cluster.ts';
import { lacking, onApplication, type Right, unholdable } from '../check-rights.ts';
import { assertReached } from './destinations.ts';

/** Throws one error with every problem. */
export async function teardownPreflight(
  plan: Plan,
  approved: Inventory,
  target: Cluster,
): Promise<void> {
  const problems = [
    ...(await readProjects(plan.nodes, target)).missing,
    ...(await lacking(rightsFor(approved, target), target)),
    ...(await unholdable(projectsOf(approved), target)),
    ...(await lackingInClusters(approved, target)),
  ];
  if (problems.length > 0) throw new TiphysError(problems);
}

/** Terminating a blocking operation needs the permission `sync`. */
function rightsFor({ applications }: Inventory, target: Cluster): Right[] {
  return applications.flatMap((one): Right[] => [
    onApplication('delete', one, target),
    onApplication('sync', one, target),
  ]);
}

/** What would recreate Applications is put on hold. */
const projectsOf = ({ applications }: Inventory): readonly string[] =>
  applications.map(({ project }) => project);

/** In the cluster that runs Argo CD, and in every other one that is cleaned up. */
async function lackingInClusters(approved: Inventory, target: Cluster): Promise<Diagnostic[]> {
  const { clusters = [] } = approved;
  for (const one of clusters) await assertReached(one, target.at(one.cluster));
  const all = [undefined, ...clusters];
  return (await Promise.all(all.map((where) => lackingIn(where, approved, target)))).flat();
}

/** `where` undefined: the cluster that runs Argo CD. */
async function lackingIn(
  where: ReachedCluster | undefined,
  approved: Inventory,
  target: Cluster,
): Promise<Diagnostic[]> {
  const cluster = where?.cluster ?? '';
  const isThere = (one: { readonly cluster?: string }) => (one.cluster ?? '') === cluster;
  const makers = where ? [] : approved.makers;
  const namespaces = approved.namespaces.filter((one) => isThere(one) && one.why === null);
  const definitions = approved.definitions.filter(isThere);
  const snapshots = approved.snapshots.filter(isThere);
  const sets = makers.filter(({ kind }) => kind === 'ApplicationSet');
  const inEach = (right: ClusterRight, places: readonly { readonly namespace: string }[]) =>
    [...new Set(places.map(({ namespace }) => namespace))].map((namespace) => ({
      ...right,
      namespace,
    }));
  const rights: ClusterRight[] = [
    ...inEach(APPLICATION_SETS, sets),
    ...(namespaces.length > 0 ? [NAMESPACES] : []),
    ...(await stillThere(namespaces, target.at(cluster))).map((namespace) => ({
      ...SECRETS,
      namespace,
    })),
    ...(definitions.length > 0 ? [DEFINITIONS] : []),
    ...inEach(SNAPSHOTS, snapshots),
  ];
  const { rights: rightsThere } = target.at(cluster);
  const answers = await Promise.all(
    rights.map(async (right) => ({ right, given: await rightsThere.inCluster(right) })),
  );
  return answers.filter(({ given }) => !given).map(({ right }) => missing(right, where));
}

/** A resumed teardown may find less, and a permission in a namespace is deleted with it. */
async function stillThere(
  namespaces: readonly MadeNamespace[],
  { objects }: Pick<Place, 'objects'>,
): Promise<string[]> {
  const found = await Promise.all(
    namespaces.map(async ({ name }) => {
      const there = await objects.get({ group: '', kind: 'Namespace', namespace: '', name });
      return there === undefined ? [] : [name];
    }),
  );
  return found.flat();
}

const APPLICATION_SETS = { verb: 'delete', group: 'argoproj.io', resource: 'applicationsets' };
const SNAPSHOTS = {
  verb: 'create',
  group: 'snapshot.storage.k8s.io',
  resource: 'volumesnapshots',
};
/** A namespace is deleted only if it is known to be empty, and roles often leave out this kind. */
const SECRETS = { verb: 'list', group: '', resource: 'secrets' };
const NAMESPACES = { verb: 'delete', group: '', resource: 'namespaces' };
const DEFINITIONS = {
  verb: 'delete',
  group: 'apiextensions.k8s.io',
  resource: 'customresourcedefinitions',
};

function missing(
  { verb, resource, namespace }: ClusterRight,
  reached: ReachedCluster | undefined,
): Diagnostic {
  const user = reached ? `context ${quote(reached.context)}` : 'kubeconfig';
  const where = namespace === undefined ? '' : ` in namespace ${quote(namespace)}`;
  const isForNamespaces = resource === NAMESPACES.resource || resource === SECRETS.resource;
  const without = isForNamespaces ? ', or plan with --keep-namespaces' : '';
  return {
    code: 'cluster-forbidden',
    message: `The user of the ${user} cannot ${verb} ${resource}${where}.`,
    hint: `Grant it with a Role and a RoleBinding${without}.`,
  };
}
