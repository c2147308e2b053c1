// Which permissions are missing, in Argo CD and in Kubernetes, and what would grant them.
import type { Diagnostic } from '../errors.ts';
import { quote } from '../model/names.ts';
import type { ApplicationAddress } from '../model/platform.ts';
import { PROBES_NAMESPACE } from '../model/settings.ts';
import type { Plan } from '../plan/plan.ts';
import type { TokenHolder } from '../ports/argocd-accounts.ts';
import type { Cluster } from '../ports/target.ts';

/** The resource, the verb and the object. */
export type Right = readonly [resource: string, verb: string, object: string];

/** The name of an Application outside Argo CD's own namespace includes its namespace. */
export function onApplication(
  verb: string,
  { name, namespace, project }: ApplicationAddress,
  target: Pick<Cluster, 'namespace'>,
): Right {
  const object = namespace === target.namespace ? name : `${namespace}/${name}`;
  return ['applications', verb, `${project}/${object}`];
}

/** Each permission is checked once, however often it is needed. */
export async function lacking(
  rights: readonly Right[],
  target: Pick<Cluster, 'rights'>,
): Promise<Diagnostic[]> {
  const unique = new Map(rights.map((right) => [right.join(' '), right]));
  const answers = await Promise.all(
    [...unique.values()].map(async (right) => ({
      right,
      given: await target.rights.inArgocd(...right),
    })),
  );
  const refused = answers.filter(({ given }) => !given).map(({ right }) => right);
  return refused.length === 0 ? [] : forbidden(refused, await target.rights.tokenHolder());
}

/** The hold is a write to the AppProject, in Kubernetes. */
export async function unholdable(
  projects: Iterable<string>,
  { rights, namespace }: Pick<Cluster, 'rights' | 'namespace'>,
): Promise<Diagnostic[]> {
  const answers = await Promise.all(
    [...new Set(projects)].sort().map(async (name) => {
      const patch = { verb: 'patch', group: 'argoproj.io', resource: 'appprojects' };
      return { name, given: await rights.inCluster({ ...patch, namespace, name }) };
    }),
  );
  return answers
    .filter(({ given }) => !given)
    .map(({ name }) => ({
      code: 'cluster-forbidden',
      message: `Applications of project ${quote(name)} cannot be put on hold: permission to patch the AppProject ${quote(name)} in namespace ${quote(namespace)} is missing.`,
      hint: 'Grant it to the user of the kubeconfig with a Role and a RoleBinding, as in workflows/rights.yaml.',
    }));
}

/** A gate with approval cannot open without the permission to read approvals. */
export async function unreadableApprovals(
  plan: Plan,
  { rights, namespace }: Pick<Cluster, 'rights' | 'namespace'>,
): Promise<Diagnostic[]> {
  if (plan.nodes.every(({ gate }) => gate.approval === undefined)) return [];
  const right = { verb: 'list', group: '', resource: 'configmaps', namespace };
  if (await rights.inCluster(right)) return [];
  const message = `Approvals cannot be read: permission to list configmaps in namespace ${quote(namespace)} is missing.`;
  const hint = 'Grant it, as in workflows/rights.yaml.';
  return [{ code: 'cluster-forbidden', message, hint }];
}

/** A gate with a probe cannot open without the permission to create its Job, or without its namespace. */
export async function impossibleProbes(
  plan: Plan,
  { rights, probes }: Pick<Cluster, 'rights' | 'probes'>,
): Promise<Diagnostic[]> {
  if (plan.nodes.every(({ gate }) => gate.probe === undefined)) return [];
  const { namespace } = probes;
  const hint = `Apply workflows/rights.yaml, which creates the namespace ${quote(PROBES_NAMESPACE)} with its permissions, or set another one in \`probes.namespace\` of environment.yaml.`;
  const lacks = (message: string): Diagnostic => ({ code: 'cluster-forbidden', message, hint });
  if ((await probes.isNamespaceThere()) === false)
    return [lacks(`Probes cannot run: namespace ${quote(namespace)} does not exist.`)];
  const wanted = ['create', 'get'].map((verb) => ({
    ...{ verb, group: 'batch', resource: 'jobs', namespace },
  }));
  const given = await Promise.all(wanted.map((right) => rights.inCluster(right)));
  return wanted
    .filter((_, at) => !given[at])
    .map(({ verb }) =>
      lacks(
        `Probes cannot run: permission to ${verb} jobs in namespace ${quote(namespace)} is missing.`,
      ),
    );
}

/** One error for each kind of permission and project, for any number of applications. */
function forbidden(rights: readonly Right[], holder: TokenHolder): Diagnostic[] {
  const groups = new Map<string, Right[]>();
  for (const right of rights) {
    const [resource, verb, object] = right;
    const key = `${resource} ${verb} ${object.split('/')[0]}`;
    groups.set(key, [...(groups.get(key) ?? []), right]);
  }
  return [...groups.values()].flatMap(([first, ...others]): Diagnostic[] => {
    if (!first) return [];
    const [resource, verb, object] = first;
    const project = object.split('/')[0];
    const more =
      others.length > 0 ? ` and ${others.length} more of project ${quote(project ?? '')}` : '';
    const granted = others.length > 0 ? `${project}/*` : object;
    return [
      {
        code: 'argocd-forbidden',
        message: `${subjectOf(holder)} cannot ${verb} ${resource} ${quote(object)}${more}.`,
        hint: `${otherAccount(holder)}Grant it in argocd-rbac-cm: p, ${holder.account ?? 'role:tiphys'}, ${resource}, ${verb}, ${granted}, allow`,
      },
    ];
  });
}

function subjectOf({ account, secret }: TokenHolder): string {
  const whose =
    account === undefined ? 'The Argo CD token' : `The Argo CD account ${quote(account)}`;
  return secret === undefined ? whose : `${whose} (Secret ${quote(secret)})`;
}

/** There is an account for this, but its token was not found. */
function otherAccount({ insteadOf }: TokenHolder): string {
  if (insteadOf === undefined) return '';
  return `The Secret ${quote(insteadOf)} has no token: create it with \`tiphys bootstrap --only argocd\`. Or: `;
}
