// Which rights in Argo CD are missing, and what would grant them.
import type { Diagnostic } from '../errors.ts';
import { quote } from '../model/names.ts';
import type { ApplicationAddress } from '../model/platform.ts';
import { PROBES_NAMESPACE } from '../model/settings.ts';
import type { Plan } from '../plan/plan.ts';
import type { Cluster } from '../ports/target.ts';

/** What, which verb, on which object. */
export type Right = readonly [resource: string, verb: string, object: string];

/** Applications outside of Argo CD's own namespace have theirs in the name. */
export function onApplication(
  verb: string,
  { name, namespace, project }: ApplicationAddress,
  target: Pick<Cluster, 'namespace'>,
): Right {
  const object = namespace === target.namespace ? name : `${namespace}/${name}`;
  return ['applications', verb, `${project}/${object}`];
}

/** Each right is asked for once, however often it is named. */
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
  return forbidden(answers.filter(({ given }) => !given).map(({ right }) => right));
}

/** A gate that asks for approval cannot open for whoever may not read one. */
export async function unreadableApprovals(
  plan: Plan,
  { rights, namespace }: Pick<Cluster, 'rights' | 'namespace'>,
): Promise<Diagnostic[]> {
  if (plan.nodes.every(({ gate }) => gate.approval === undefined)) return [];
  const right = { verb: 'list', group: '', resource: 'configmaps', namespace };
  if (await rights.inCluster(right)) return [];
  const message = `Approvals cannot be read: the right to list configmaps in namespace ${quote(namespace)} is missing.`;
  const hint = 'Grant it, as workflows/rights.yaml does.';
  return [{ code: 'cluster-forbidden', message, hint }];
}

/** A gate with a probe cannot open for whoever may not make its Job, or where it has no namespace. */
export async function impossibleProbes(
  plan: Plan,
  { rights, probes }: Pick<Cluster, 'rights' | 'probes'>,
): Promise<Diagnostic[]> {
  if (plan.nodes.every(({ gate }) => gate.probe === undefined)) return [];
  const { namespace } = probes;
  const hint = `Apply workflows/rights.yaml, which makes the namespace ${quote(PROBES_NAMESPACE)} with its rights, or name another one in \`probes.namespace\` of environment.yaml.`;
  const lacks = (message: string): Diagnostic => ({ code: 'cluster-forbidden', message, hint });
  if ((await probes.isNamespaceThere()) === false)
    return [lacks(`Probes cannot be run: there is no namespace ${quote(namespace)}.`)];
  const wanted = ['create', 'get'].map((verb) => ({
    ...{ verb, group: 'batch', resource: 'jobs', namespace },
  }));
  const given = await Promise.all(wanted.map((right) => rights.inCluster(right)));
  return wanted
    .filter((_, at) => !given[at])
    .map(({ verb }) =>
      lacks(
        `Probes cannot be run: the right to ${verb} jobs in namespace ${quote(namespace)} is missing.`,
      ),
    );
}

/** One error for each kind of right and project, however many applications lack it. */
function forbidden(rights: readonly Right[]): Diagnostic[] {
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
        message: `The Argo CD token may not ${verb} ${resource} ${quote(object)}${more}.`,
        hint: `Grant it in argocd-rbac-cm: p, role:tiphys, ${resource}, ${verb}, ${granted}, allow`,
      },
    ];
  });
}
