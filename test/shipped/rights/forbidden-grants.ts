// What no role, binding or Argo CD policy of the project may grant: everything at once, Secrets that nobody has named, more rights,
// programs in other people's pods.
import { loadAll } from 'js-yaml';

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

const READS = ['get', 'list', 'watch'];
const SELF_MADE = ['escalate', 'bind', 'impersonate', 'approve', 'sign'];
/** To be inside a pod, on a node, or another account. */
const REACHING = [
  ...['pods/exec', 'pods/attach', 'pods/portforward', 'pods/ephemeralcontainers', 'pods/proxy'],
  ...['nodes/proxy', 'serviceaccounts/token', 'certificatesigningrequests/approval'],
];
/** Whoever writes one runs any program with any ServiceAccount of the namespace. */
const PODS = [
  ...['pods', 'replicationcontrollers', 'deployments', 'daemonsets', 'statefulsets', 'replicasets'],
  ...['jobs', 'cronjobs', 'cronworkflows', 'workflowtemplates', 'clusterworkflowtemplates'],
  ...['sensors', 'eventsources', 'eventbus'],
];
/** Whoever writes one decides what others may do, or what they are told. */
const POWERS = [
  ...['roles', 'rolebindings', 'clusterroles', 'clusterrolebindings', 'serviceaccounts', 'nodes'],
  ...['mutatingwebhookconfigurations', 'validatingwebhookconfigurations', 'apiservices'],
  ...['mutatingadmissionpolicies', 'mutatingadmissionpolicybindings'],
  ...['validatingadmissionpolicies', 'validatingadmissionpolicybindings'],
  ...['customresourcedefinitions', 'certificatesigningrequests', 'persistentvolumes'],
];

/** Of one rule of a Role or ClusterRole. */
function inRule(rule: Fields): string[] {
  const [groups, resources, verbs, names] = [
    ...[rule.apiGroups, rule.resources, rule.verbs, rule.resourceNames].map(texts),
  ] as [string[], string[], string[], string[]];
  const isNamed = names.length > 0 && !names.includes('*');
  const writes = verbs.filter((verb) => !READS.includes(verb));
  const some = (list: readonly string[]) => resources.filter((one) => list.includes(one));
  return [
    ...(verbs.includes('*') ? ['all verbs'] : []),
    ...(groups.includes('*') ? ['all API groups'] : []),
    ...resources.filter((one) => one.includes('*')).map((one) => `all resources: ${one}`),
    ...texts(rule.nonResourceURLs).filter((one) => one.includes('*')),
    ...verbs.filter((verb) => SELF_MADE.includes(verb)),
    ...(resources.includes('secrets') && !isNamed ? ['secrets without names'] : []),
    ...(resources.includes('services/proxy') && !isNamed ? ['services/proxy without names'] : []),
    ...some(REACHING),
    ...(writes.length > 0 ? some([...PODS, ...POWERS]).map((one) => `${writes} ${one}`) : []),
    // Applications change through argocd-server; of AppProjects the hold is patched, under a policy.
    ...(writes.length > 0 ? some(['applications']).map((one) => `${writes} ${one}`) : []),
    ...(writes.some((verb) => verb !== 'patch')
      ? some(['appprojects']).map((one) => `${writes} ${one}`)
      : []),
  ];
}

const ROLES = ['Role', 'ClusterRole'];
const BINDINGS = ['RoleBinding', 'ClusterRoleBinding'];

/** Roles of Kubernetes have Secrets, or wildcards; groups of Kubernetes have anybody. `own`: the roles of the file, which are judged. */
function inBinding({ roleRef, subjects }: Fields, own: readonly string[]): string[] {
  const role = isFields(roleRef) ? String(roleRef.name) : '';
  const bound = (Array.isArray(subjects) ? subjects : []).filter(isFields);
  return [
    ...(role.startsWith('tiphys-') || own.includes(role) ? [] : [`the role ${role}`]),
    ...bound
      .filter(({ kind }) => kind !== 'ServiceAccount')
      .map(({ name }) => `to ${String(name)}`),
  ];
}

/** Every mapping in it, however deep. */
function mappings(value: unknown): Fields[] {
  if (Array.isArray(value)) return value.flatMap(mappings);
  return isFields(value) ? [value, ...Object.values(value).flatMap(mappings)] : [];
}

/** Namespaces in which a pod has nothing to take: no Secret, no right beyond a restricted one, no ServiceAccount of the file. */
function emptyNamespaces(all: readonly Fields[]): readonly string[] {
  const of = (kind: string) =>
    all
      .filter((one) => one.kind === kind && isFields(one.metadata))
      .map((one) => ({ ...one, metadata: one.metadata as Fields }));
  const isRestricted = ({ metadata: { labels } }: { readonly metadata: Fields }) =>
    isFields(labels) && labels['pod-security.kubernetes.io/enforce'] === 'restricted';
  const without = of('ResourceQuota').flatMap((quota: Fields & { readonly metadata: Fields }) => {
    const hard = isFields(quota.spec) && isFields(quota.spec.hard) ? quota.spec.hard : {};
    return hard.secrets === '0' ? [String(quota.metadata.namespace)] : [];
  });
  const inhabited = of('ServiceAccount').map(({ metadata }) => String(metadata.namespace));
  return of('Namespace')
    .filter(isRestricted)
    .map(({ metadata }) => String(metadata.name))
    .filter((name) => without.includes(name) && !inhabited.includes(name));
}

/** Of a file with manifests, tasks or variables. */
export function grantsIn(file: string, text: string): string[] {
  const all = loadAll(text).flatMap(mappings);
  const empty = emptyNamespaces(all);
  const own = all.flatMap(({ kind, metadata }) =>
    ROLES.includes(String(kind)) && isFields(metadata) ? String(metadata.name) : [],
  );
  const found = all.flatMap((one) => {
    const { kind, metadata, rules } = one;
    const name = `${String(kind)} ${isFields(metadata) ? String(metadata.name) : ''}`;
    const wrong = [
      ...(ROLES.includes(String(kind)) && Array.isArray(rules)
        ? rules.filter(isFields)
        : []
      ).flatMap(inRule),
      ...(ROLES.includes(String(kind)) && one.aggregationRule ? ['what others add'] : []),
      ...(BINDINGS.includes(String(kind)) ? inBinding(one, own) : []),
    ];
    const place = isFields(metadata) ? String(metadata.namespace) : '';
    const isAllowed = (what: string) =>
      kind === 'Role' && what === 'create jobs' && empty.includes(place);
    return wrong.filter((what) => !isAllowed(what)).map((what) => `${file}: ${name}: ${what}`);
  });
  const policies = all
    .flatMap((one) => Object.values(one))
    .filter((one) => typeof one === 'string');
  return [...found, ...policies.flatMap((one) => policyGrants(file, one))];
}

type ArgocdRights = Readonly<Record<string, readonly string[]>>;

/** What the role of each account may have. Everything else is somebody else's to give. */
const IN_ARGOCD: Readonly<Record<string, ArgocdRights>> = {
  'role:tiphys-validate': { applications: ['get'] },
  'role:tiphys': { applications: ['get', 'sync'] },
  'role:tiphys-teardown': { applications: ['get', 'sync', 'delete'] },
};

/** Of a text that may be a policy of Argo CD, in whose lines there are rights (p) and groups (g). */
export function policyGrants(file: string, text: string): string[] {
  const lines = text.split('\n').map((line) => line.split(',').map((part) => part.trim()));
  return lines.flatMap(([type, subject = '', ...rest]) => {
    if (type === 'g' && rest.length === 1) {
      const [role = ''] = rest;
      const isOwn = role in IN_ARGOCD && role === `role:${subject}`;
      return isOwn ? [] : [`${file}: Argo CD: ${role} to ${subject}`];
    }
    const [resource = '', verb = '', object = '', effect] = rest;
    if (type !== 'p' || effect === undefined) return [];
    const [project = ''] = object.split('/');
    const isKnown = IN_ARGOCD[subject]?.[resource]?.includes(verb) && !/[*?[{]/.test(project);
    return isKnown ? [] : [`${file}: Argo CD: ${subject}: ${verb} ${resource} ${object}`];
  });
}
