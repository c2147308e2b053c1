// What well-known operators install when they run, which no manifest shows: by package of the Operator Lifecycle Manager, and by
// the object that asks an operator for it. Kinds are GROUP/KIND; a GROUP alone stands for all of its kinds.

type Made = Readonly<Record<string, readonly string[]>>;

const CERT_MANAGER = ['cert-manager.io', 'acme.cert-manager.io'];
const CNPG = ['postgresql.cnpg.io'];
const EXTERNAL_SECRETS = ['external-secrets.io', 'generators.external-secrets.io'];
const ISTIO = [
  ...['extensions.istio.io', 'networking.istio.io', 'security.istio.io', 'telemetry.istio.io'],
];
const STRIMZI = ['kafka.strimzi.io', 'core.strimzi.io'];

/** By the name of the package, sorted. */
export const OLM_PACKAGES: Made = {
  'advanced-cluster-management': ['operator.open-cluster-management.io'],
  'amq-streams': STRIMZI,
  'argocd-operator': ['argoproj.io/ArgoCD'],
  'cert-manager': CERT_MANAGER,
  'cloud-native-postgresql': ['postgresql.k8s.enterprisedb.io'],
  'cloudnative-pg': CNPG,
  'cluster-logging': ['logging.openshift.io', 'observability.openshift.io/ClusterLogForwarder'],
  'cluster-observability-operator': ['monitoring.rhobs', 'observability.openshift.io/UIPlugin'],
  'compliance-operator': ['compliance.openshift.io'],
  'costmanagement-metrics-operator': ['costmanagement-metrics-cfg.openshift.io'],
  'cpd-platform-operator': ['cpd.ibm.com'],
  'datapower-operator': ['datapower.ibm.com'],
  devspaces: ['org.eclipse.che'],
  'devworkspace-operator': ['workspace.devfile.io', 'controller.devfile.io'],
  'dynatrace-operator': ['dynatrace.com'],
  'external-secrets-operator': ['operator.external-secrets.io', ...EXTERNAL_SECRETS],
  'file-integrity-operator': ['fileintegrity.openshift.io'],
  'gatekeeper-operator-product': ['operator.gatekeeper.sh'],
  'gpu-operator-certified': ['nvidia.com'],
  'grafana-operator': ['grafana.integreatly.org'],
  'group-sync-operator': ['redhatcop.redhat.io/GroupSync'],
  'ibm-aiops-orchestrator': ['orchestrator.aiops.ibm.com'],
  'ibm-apiconnect': ['apiconnect.ibm.com'],
  'ibm-appconnect': ['appconnect.ibm.com'],
  'ibm-common-service-operator': ['operator.ibm.com'],
  'ibm-cp4a-operator': ['icp4a.ibm.com'],
  'ibm-eventstreams': ['eventstreams.ibm.com'],
  'ibm-integration-platform-navigator': ['integration.ibm.com'],
  'ibm-mq': ['mq.ibm.com'],
  'jaeger-product': ['jaegertracing.io'],
  'keycloak-operator': ['k8s.keycloak.org'],
  'kiali-ossm': ['kiali.io'],
  'kubernetes-nmstate-operator': ['nmstate.io'],
  'kubevirt-hyperconverged': ['hco.kubevirt.io', 'kubevirt.io', 'cdi.kubevirt.io'],
  'kueue-operator': ['kueue.openshift.io'],
  'local-storage-operator': ['local.storage.openshift.io'],
  'loki-operator': ['loki.grafana.com'],
  'lvms-operator': ['lvm.topolvm.io'],
  'metallb-operator': ['metallb.io'],
  'multicluster-engine': ['multicluster.openshift.io'],
  'namespace-configuration-operator': [
    ...['redhatcop.redhat.io/GroupConfig', 'redhatcop.redhat.io/NamespaceConfig'],
    'redhatcop.redhat.io/UserConfig',
  ],
  nfd: ['nfd.openshift.io'],
  'ocs-operator': ['ocs.openshift.io'],
  'odf-operator': ['odf.openshift.io', 'ocs.openshift.io', 'noobaa.io'],
  'openshift-cert-manager-operator': ['operator.openshift.io/CertManager', ...CERT_MANAGER],
  'openshift-external-secrets-operator': [
    'operator.openshift.io/ExternalSecretsConfig',
    ...EXTERNAL_SECRETS,
  ],
  'openshift-gitops-operator': ['argoproj.io/ArgoCD', 'pipelines.openshift.io'],
  'openshift-pipelines-operator-rh': [
    ...['operator.tekton.dev', 'tekton.dev', 'triggers.tekton.dev', 'pipelinesascode.tekton.dev'],
  ],
  'opentelemetry-operator': ['opentelemetry.io'],
  'opentelemetry-product': ['opentelemetry.io'],
  'patch-operator': ['redhatcop.redhat.io/Patch'],
  prometheus: ['monitoring.coreos.com'],
  'quay-operator': ['quay.redhat.com'],
  'redhat-oadp-operator': ['oadp.openshift.io', 'velero.io'],
  'rhacs-operator': ['platform.stackrox.io'],
  'rhbk-operator': ['k8s.keycloak.org'],
  'rhods-operator': ['datasciencecluster.opendatahub.io', 'dscinitialization.opendatahub.io'],
  'serverless-operator': ['operator.knative.dev'],
  servicemeshoperator: ['maistra.io', 'federation.maistra.io', ...ISTIO],
  servicemeshoperator3: ['sailoperator.io', ...ISTIO],
  'strimzi-kafka-operator': STRIMZI,
  'tempo-operator': ['tempo.grafana.com'],
  'tempo-product': ['tempo.grafana.com'],
};

/** By the kind of the object, sorted. */
export const MADE_BY_OBJECTS: Made = {
  'install.istio.io/IstioOperator': ISTIO,
  'multicluster.openshift.io/MultiClusterEngine': [
    ...['cluster.open-cluster-management.io', 'hive.openshift.io', 'agent-install.openshift.io'],
  ],
  'operator.knative.dev/KnativeEventing': [
    ...['eventing.knative.dev', 'messaging.knative.dev', 'sources.knative.dev'],
  ],
  'operator.knative.dev/KnativeServing': ['serving.knative.dev'],
  'operator.open-cluster-management.io/MultiClusterHub': [
    ...['apps.open-cluster-management.io', 'policy.open-cluster-management.io'],
  ],
};
