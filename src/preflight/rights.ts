// RFC 3.2.4, "cluster-admin or equivalent": every permission that bootstrap, deploy and teardown use in Kubernetes. test/stack/bare/ does
// everything with exactly these permissions.
import type { ClusterRight } from '../ports/target.ts';
import { onCluster } from './cluster.ts';
import type { ClusterReader } from './preflight-context.ts';
import { failure, type Prerequisite, pass, prerequisitesOf, type Verdict, warning } from './row.ts';

interface Need {
  readonly group: string;
  /** RESOURCE or RESOURCE/SUBRESOURCE. */
  readonly resource: string;
  readonly verbs: readonly string[];
}

const READ = ['get', 'list', 'watch'];
const MANAGE = [...READ, 'create', 'update', 'patch', 'delete'];
const RBAC = 'rbac.authorization.k8s.io';
const ARGO = 'argoproj.io';

const managed = (group: string, ...resources: readonly string[]): Need[] =>
  resources.map((resource) => ({ group, resource, verbs: MANAGE }));

/** Creating a role requires all its permissions, except with these; Argo CD's own role has all. */
const EVERYTHING: readonly ClusterRight[] = ['clusterroles', 'roles'].flatMap((resource) =>
  ['escalate', 'bind'].map((verb) => ({ verb, group: RBAC, resource })),
);

/** Only with these can a teardown see everything that it leaves behind. */
const SIGHT: readonly ClusterRight[] = [
  { verb: 'get', group: '*', resource: '*' },
  { verb: 'list', group: '*', resource: '*' },
];

const NEEDS: readonly Need[] = [
  // Preflight itself reads these.
  { group: '', resource: 'nodes', verbs: ['list'] },
  { group: 'storage.k8s.io', resource: 'storageclasses', verbs: ['list'] },
  // What charts consist of, and where Helm stores its releases.
  ...managed('', 'namespaces', 'configmaps', 'secrets', 'serviceaccounts', 'services'),
  ...managed('', 'persistentvolumeclaims', 'resourcequotas'),
  { group: '', resource: 'pods', verbs: READ },
  { group: '', resource: 'pods/log', verbs: ['get'] },
  { group: '', resource: 'events', verbs: ['list'] },
  ...managed('apps', 'deployments', 'statefulsets'),
  // Helm reads them to see whether a Deployment is ready.
  { group: 'apps', resource: 'replicasets', verbs: READ },
  ...managed('batch', 'jobs'),
  ...managed('networking.k8s.io', 'networkpolicies'),
  ...managed('scheduling.k8s.io', 'priorityclasses'),
  ...managed(RBAC, 'roles', 'rolebindings', 'clusterroles', 'clusterrolebindings'),
  ...managed('apiextensions.k8s.io', 'customresourcedefinitions'),
  // What keeps the pods of Workflows from changing the settings of Argo CD.
  ...managed('admissionregistration.k8s.io', 'validatingadmissionpolicies'),
  ...managed('admissionregistration.k8s.io', 'validatingadmissionpolicybindings'),
  // The configuration of the primitives.
  ...managed(ARGO, 'applications', 'applicationsets', 'appprojects'),
  ...managed(ARGO, 'workflows', 'workflowtemplates', 'clusterworkflowtemplates'),
  ...managed(ARGO, 'eventbus', 'eventsources', 'sensors'),
  ...managed('bitnami.com', 'sealedsecrets'),
  // A run: its Lease, and Argo CD through the Kubernetes API.
  { group: 'coordination.k8s.io', resource: 'leases', verbs: ['get', 'create', 'update'] },
  { group: '', resource: 'services/proxy', verbs: ['get', 'create', 'delete'] },
];

const { must, should } = prerequisitesOf('3.2.4');

export const rightPrerequisites = (): readonly Prerequisite[] => [
  must(
    'right:cluster-admin',
    'cluster-admin or equivalent: can grant permissions that it does not have',
    onCluster((cluster) => judgeRights(EVERYTHING, cluster)),
  ),
  should(
    'right:everything',
    'can get, list objects of every kind, for a teardown',
    onCluster(judgeEverything),
  ),
  ...NEEDS.map((need) => {
    const name = need.group ? `${need.resource}.${need.group}` : need.resource;
    const rights = need.verbs.map((verb) => rightOf(need, verb));
    return must(
      `right:${name}`,
      `can ${need.verbs.join(', ')} ${name}`,
      onCluster((cluster) => judgeRights(rights, cluster)),
    );
  }),
];

/** Without this permission only the view is incomplete. */
async function judgeEverything(cluster: ClusterReader): Promise<Verdict> {
  const verdict = await judgeRights(SIGHT, cluster);
  if (verdict.verdict === 'pass') return verdict;
  const remedy =
    'Without it a teardown cannot prove that nothing is left. Grant it at least for a teardown.';
  return warning(verdict.seen, remedy);
}

function rightOf({ group, resource: name }: Need, verb: string): ClusterRight {
  const [resource = '', subresource] = name.split('/');
  return { verb, group, resource, ...(subresource === undefined ? {} : { subresource }) };
}

/** One after the other: the rows run concurrently, which is enough load for an API server. */
async function judgeRights(
  rights: readonly ClusterRight[],
  { may }: ClusterReader,
): Promise<Verdict> {
  const isOne = new Set(rights.map(({ resource }) => resource)).size === 1;
  const lacking: string[] = [];
  for (const right of rights) {
    if (!(await may(right))) lacking.push(isOne ? right.verb : `${right.verb} ${right.resource}`);
  }
  if (lacking.length === 0) return pass('yes');
  const remedy = 'Grant it to the user of the kubeconfig, or use one with cluster-admin.';
  return failure('cluster-forbidden', `cannot ${lacking.join(', ')}`, remedy);
}
