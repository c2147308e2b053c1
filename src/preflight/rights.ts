// RFC 3.2.4, "cluster-admin or equivalent": every right that bootstrap, deploy and teardown use in Kubernetes.
// test/stack/bare/ does everything with these rights and no others.
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

/** Whoever makes a role must hold all that is in it, but for these; Argo CD's own role holds everything. */
const EVERYTHING: readonly ClusterRight[] = ['clusterroles', 'roles'].flatMap((resource) =>
  ['escalate', 'bind'].map((verb) => ({ verb, group: RBAC, resource })),
);

/** Whoever takes something down sees only so what it leaves behind. */
const SIGHT: readonly ClusterRight[] = [
  { verb: 'get', group: '*', resource: '*' },
  { verb: 'list', group: '*', resource: '*' },
];

const NEEDS: readonly Need[] = [
  // Phase 0 itself looks at these.
  { group: '', resource: 'nodes', verbs: ['list'] },
  { group: 'storage.k8s.io', resource: 'storageclasses', verbs: ['list'] },
  // What charts are made of, and where Helm keeps its releases.
  ...managed('', 'namespaces', 'configmaps', 'secrets', 'serviceaccounts', 'services'),
  ...managed('', 'persistentvolumeclaims', 'resourcequotas'),
  { group: '', resource: 'pods', verbs: READ },
  { group: '', resource: 'pods/log', verbs: ['get'] },
  { group: '', resource: 'events', verbs: ['list'] },
  ...managed('apps', 'deployments', 'statefulsets'),
  // Helm looks at them to see whether a Deployment is ready.
  { group: 'apps', resource: 'replicasets', verbs: READ },
  ...managed('batch', 'jobs'),
  ...managed('networking.k8s.io', 'networkpolicies'),
  ...managed('scheduling.k8s.io', 'priorityclasses'),
  ...managed(RBAC, 'roles', 'rolebindings', 'clusterroles', 'clusterrolebindings'),
  ...managed('apiextensions.k8s.io', 'customresourcedefinitions'),
  // What keeps the pods of Workflows from the settings of Argo CD.
  ...managed('admissionregistration.k8s.io', 'validatingadmissionpolicies'),
  ...managed('admissionregistration.k8s.io', 'validatingadmissionpolicybindings'),
  // What the primitives are told.
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
    'cluster-admin or equivalent: may give rights that it does not hold',
    onCluster((cluster) => judgeRights(EVERYTHING, cluster)),
  ),
  should(
    'right:everything',
    'may get, list objects of every kind, for a teardown',
    onCluster(judgeEverything),
  ),
  ...NEEDS.map((need) => {
    const name = need.group ? `${need.resource}.${need.group}` : need.resource;
    const rights = need.verbs.map((verb) => rightOf(need, verb));
    return must(
      `right:${name}`,
      `may ${need.verbs.join(', ')} ${name}`,
      onCluster((cluster) => judgeRights(rights, cluster)),
    );
  }),
];

/** A right that is missing only spoils the view. */
async function judgeEverything(cluster: ClusterReader): Promise<Verdict> {
  const verdict = await judgeRights(SIGHT, cluster);
  if (verdict.verdict === 'pass') return verdict;
  const remedy =
    'Without it a teardown cannot say that nothing is left. Grant it, at least for that.';
  return warning(verdict.seen, remedy);
}

function rightOf({ group, resource: name }: Need, verb: string): ClusterRight {
  const [resource = '', subresource] = name.split('/');
  return { verb, group, resource, ...(subresource === undefined ? {} : { subresource }) };
}

/** One after the other: the rows are asked side by side, and that is enough at once for an API server. */
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
  const remedy = 'Grant it to the user of the kubeconfig, or take one with cluster-admin.';
  return failure('cluster-forbidden', `may not ${lacking.join(', ')}`, remedy);
}
