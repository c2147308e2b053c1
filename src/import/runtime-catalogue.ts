// What well-known operators install once an object asks them for it, which no manifest shows: the kind of the object -> GROUP/KIND, or a
// GROUP for all of its kinds.

const ISTIO = [
  ...['extensions.istio.io', 'networking.istio.io', 'security.istio.io', 'telemetry.istio.io'],
];
const CLUSTERS = [
  ...['cluster.open-cluster-management.io', 'hive.openshift.io', 'agent-install.openshift.io'],
];

/** Sorted. */
export const MADE_BY_OBJECTS: Readonly<Record<string, readonly string[]>> = {
  'install.istio.io/IstioOperator': ISTIO,
  'multicluster.openshift.io/MultiClusterEngine': CLUSTERS,
  'operator.knative.dev/KnativeEventing': [
    ...['eventing.knative.dev', 'messaging.knative.dev', 'sources.knative.dev'],
  ],
  'operator.knative.dev/KnativeServing': ['serving.knative.dev'],
  'operator.open-cluster-management.io/MultiClusterHub': [
    ...['apps.open-cluster-management.io', 'policy.open-cluster-management.io'],
    ...['agent.open-cluster-management.io', 'observability.open-cluster-management.io'],
    ...CLUSTERS,
  ],
  'operator.tekton.dev/TektonConfig': ['tekton.dev', 'triggers.tekton.dev'],
};
