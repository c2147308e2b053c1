// Everything that can be found wrong before the first write of a teardown: what is missing, what may not be done.
import { type Diagnostic, TiphysError } from '../../errors.ts';
import type { Inventory } from '../../inventory/inventory.ts';
import { quote } from '../../model/names.ts';
import type { Plan } from '../../plan/plan.ts';
import type { ClusterRight, Target } from '../../ports/target.ts';
import { projectProblems, projectsOf } from '../check-cluster.ts';
import { lacking, onApplication, type Right } from '../check-rights.ts';

/** Throws with everything that is wrong. */
export async function teardownPreflight(
  plan: Plan,
  approved: Inventory,
  target: Target,
): Promise<void> {
  const nodes = plan.nodes.filter(({ application }) => application !== null);
  const problems = [
    ...projectProblems(nodes, await projectsOf(nodes, target)),
    ...(await lacking(rightsFor(approved, target), target)),
    ...(await lackingInCluster(approved, target)),
  ];
  if (problems.length > 0) throw new TiphysError(problems);
}

/** An operation in the way is terminated, which is a matter of `sync`; what makes Applications again is held. */
function rightsFor({ applications }: Inventory, target: Target): Iterable<Right> {
  const rights = new Map<string, Right>();
  for (const one of applications) {
    const projects = ['projects', 'update', one.project] as const;
    const own = ['delete', 'sync'].map((verb) => onApplication(verb, one, target));
    for (const right of [...own, projects]) rights.set(right.join(' '), right);
  }
  return rights.values();
}

async function lackingInCluster(
  { makers, namespaces, definitions, snapshots }: Inventory,
  target: Target,
): Promise<Diagnostic[]> {
  const sets = makers.filter(({ kind }) => kind === 'ApplicationSet');
  const places = [...new Set(sets.map(({ namespace }) => namespace))];
  const rights: ClusterRight[] = [
    ...places.map((namespace) => ({ ...APPLICATION_SETS, namespace })),
    ...(namespaces.some(({ why }) => why === null) ? [NAMESPACES] : []),
    ...(definitions.length > 0 ? [DEFINITIONS] : []),
    ...[...new Set(snapshots.map(({ namespace }) => namespace))].map((namespace) => ({
      ...{ ...SNAPSHOTS, namespace },
    })),
  ];
  const answers = await Promise.all(
    rights.map(async (right) => ({ right, given: await target.mayInCluster(right) })),
  );
  return answers.filter(({ given }) => !given).map(({ right }) => missing(right));
}

const APPLICATION_SETS = { verb: 'delete', group: 'argoproj.io', resource: 'applicationsets' };
const SNAPSHOTS = {
  ...{ verb: 'create', group: 'snapshot.storage.k8s.io', resource: 'volumesnapshots' },
};
const NAMESPACES = { verb: 'delete', group: '', resource: 'namespaces' };
const DEFINITIONS = {
  ...{ verb: 'delete', group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions' },
};

function missing({ verb, resource, namespace }: ClusterRight): Diagnostic {
  const where = namespace === undefined ? '' : ` in namespace ${quote(namespace)}`;
  const without = resource === 'namespaces' ? ', or plan with --keep-namespaces' : '';
  return {
    code: 'cluster-forbidden',
    message: `The user of the kubeconfig may not ${verb} ${resource}${where}.`,
    hint: `Grant it by a Role and a RoleBinding${without}.`,
  };
}
