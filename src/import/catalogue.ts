// What well-known Helm charts bring along and what they cannot do without, for charts whose manifests were not rendered.
// Kinds are GROUP/KIND; a GROUP alone stands for all of its kinds.

export interface KnownChart {
  /** Kinds whose definitions it installs. */
  readonly defines?: readonly string[];
  /** These come only where a value says so. */
  readonly definesByValue?: boolean;
  /** Groups that it reconciles, where that is not what it defines. */
  readonly operates?: readonly string[];
  readonly ingressClass?: string;
  readonly storageClass?: string;
  /** Kinds of others that its manifests have unless told otherwise: a sync fails without. */
  readonly uses?: readonly string[];
  /** Kinds of others that its controllers watch: they do not get ready without. */
  readonly watches?: readonly string[];
  /** Kinds that one of its values switches on: the end of the value's way. */
  readonly switches?: Readonly<Record<string, string>>;
}

const CERTIFICATE = 'cert-manager.io/Certificate';
const GATEWAY_API = 'gateway.networking.k8s.io';
const PROMETHEUS = 'monitoring.coreos.com';

/** By the name of the chart, sorted. */
export const CATALOGUE: Readonly<Record<string, KnownChart>> = {
  'ack-s3-controller': { defines: ['s3.services.k8s.aws'] },
  'actions-runner-controller': { defines: ['actions.summerwind.dev'], uses: [CERTIFICATE] },
  'argo-cd': { defines: ['argoproj.io/Application', 'argoproj.io/AppProject'] },
  'argo-events': {
    defines: ['argoproj.io/EventBus', 'argoproj.io/EventSource', 'argoproj.io/Sensor'],
  },
  'argo-rollouts': {
    defines: [
      ...['argoproj.io/AnalysisRun', 'argoproj.io/AnalysisTemplate'],
      ...['argoproj.io/ClusterAnalysisTemplate', 'argoproj.io/Experiment', 'argoproj.io/Rollout'],
    ],
  },
  'argo-workflows': {
    defines: [
      ...['argoproj.io/ClusterWorkflowTemplate', 'argoproj.io/CronWorkflow'],
      ...['argoproj.io/Workflow', 'argoproj.io/WorkflowTemplate'],
    ],
  },
  'aws-load-balancer-controller': { defines: ['elbv2.k8s.aws'], ingressClass: 'alb' },
  'azure-service-operator': { defines: ['resources.azure.com'], uses: [CERTIFICATE] },
  base: { defines: ['networking.istio.io', 'security.istio.io', 'telemetry.istio.io'] },
  'cert-manager': {
    defines: ['cert-manager.io', 'acme.cert-manager.io'],
    definesByValue: true,
    switches: { 'prometheus.servicemonitor.enabled': `${PROMETHEUS}/ServiceMonitor` },
  },
  'cert-manager-approver-policy': {
    defines: ['policy.cert-manager.io'],
    watches: ['cert-manager.io/CertificateRequest'],
  },
  cilium: { defines: ['cilium.io'], ingressClass: 'cilium' },
  'cloudnative-pg': { defines: ['postgresql.cnpg.io'] },
  cluster: {
    uses: ['postgresql.cnpg.io/Cluster'],
    switches: { 'cluster.monitoring.enabled': `${PROMETHEUS}/PodMonitor` },
  },
  'cluster-api-operator': { defines: ['operator.cluster.x-k8s.io'], uses: [CERTIFICATE] },
  contour: { defines: ['projectcontour.io'], ingressClass: 'contour' },
  crossplane: {
    defines: ['pkg.crossplane.io', 'apiextensions.crossplane.io', 'ops.crossplane.io'],
  },
  dapr: { defines: ['dapr.io'] },
  'eck-operator': {
    defines: [
      ...['agent.k8s.elastic.co', 'apm.k8s.elastic.co', 'beat.k8s.elastic.co'],
      ...['elasticsearch.k8s.elastic.co', 'kibana.k8s.elastic.co', 'logstash.k8s.elastic.co'],
    ],
  },
  'external-dns': { defines: ['externaldns.k8s.io'] },
  'external-secrets': { defines: ['external-secrets.io', 'generators.external-secrets.io'] },
  'external-snapshotter': { defines: ['snapshot.storage.k8s.io'] },
  'flink-kubernetes-operator': { defines: ['flink.apache.org'], uses: [CERTIFICATE] },
  gatekeeper: { defines: ['templates.gatekeeper.sh', 'config.gatekeeper.sh'] },
  'gateway-api': { defines: [GATEWAY_API] },
  'gateway-helm': { defines: ['gateway.envoyproxy.io', GATEWAY_API] },
  gloo: { defines: ['gateway.solo.io', 'gloo.solo.io'] },
  'grafana-operator': { defines: ['grafana.integreatly.org'] },
  'haproxy-ingress': { ingressClass: 'haproxy' },
  'ingress-nginx': { ingressClass: 'nginx' },
  istiod: { watches: ['networking.istio.io'] },
  'jaeger-operator': { defines: ['jaegertracing.io'], uses: [CERTIFICATE] },
  k8ssandra: { defines: ['k8ssandra.io'], uses: [CERTIFICATE] },
  kargo: { defines: ['kargo.akuity.io'], uses: [CERTIFICATE] },
  karpenter: { operates: ['karpenter.sh', 'karpenter.k8s.aws'] },
  'karpenter-crd': { defines: ['karpenter.sh', 'karpenter.k8s.aws'] },
  keda: { defines: ['keda.sh', 'eventing.keda.sh'] },
  'keycloak-operator': { defines: ['k8s.keycloak.org'] },
  kong: { defines: ['configuration.konghq.com'], ingressClass: 'kong' },
  'kube-prometheus-stack': { defines: [PROMETHEUS] },
  kubevirt: { defines: ['kubevirt.io'] },
  kyverno: {
    defines: ['kyverno.io', 'reports.kyverno.io', 'wgpolicyk8s.io', 'policies.kyverno.io'],
  },
  'kyverno-policies': { uses: ['kyverno.io/ClusterPolicy'] },
  'linkerd-control-plane': { watches: ['policy.linkerd.io'] },
  'linkerd-crds': { defines: ['linkerd.io', 'policy.linkerd.io'] },
  'local-path-provisioner': { storageClass: 'local-path' },
  longhorn: { defines: ['longhorn.io'], storageClass: 'longhorn' },
  'mariadb-cluster': { uses: ['k8s.mariadb.com/MariaDB'] },
  'mariadb-operator': { defines: ['k8s.mariadb.com'], operates: ['k8s.mariadb.com'] },
  'mariadb-operator-crds': { defines: ['k8s.mariadb.com'] },
  metallb: { defines: ['metallb.io'] },
  'minio-operator': { defines: ['minio.min.io', 'sts.min.io'] },
  'mysql-operator': { defines: ['mysql.oracle.com'] },
  'nfs-subdir-external-provisioner': { storageClass: 'nfs-client' },
  'nginx-ingress': { defines: ['k8s.nginx.org'], ingressClass: 'nginx' },
  'opentelemetry-operator': { defines: ['opentelemetry.io'], uses: [CERTIFICATE] },
  operator: { defines: ['minio.min.io', 'sts.min.io'] },
  'origin-ca-issuer': {
    operates: ['cert-manager.k8s.cloudflare.com'],
    watches: ['cert-manager.io/CertificateRequest'],
  },
  'postgres-operator': { defines: ['acid.zalan.do'] },
  'prometheus-operator-crds': { defines: [PROMETHEUS] },
  'rabbitmq-cluster-operator': { defines: ['rabbitmq.com'] },
  'redis-operator': { defines: ['redis.redis.opstreelabs.in'] },
  'rook-ceph': { defines: ['ceph.rook.io', 'objectbucket.io'] },
  'rook-ceph-cluster': { uses: ['ceph.rook.io/CephCluster'] },
  'sealed-secrets': { defines: ['bitnami.com'] },
  'snapshot-controller': { defines: ['snapshot.storage.k8s.io'] },
  'spark-operator': { defines: ['sparkoperator.k8s.io'] },
  'strimzi-kafka-operator': { defines: ['kafka.strimzi.io', 'core.strimzi.io'] },
  'tailscale-operator': { defines: ['tailscale.com'], ingressClass: 'tailscale' },
  'tempo-operator': { defines: ['tempo.grafana.com'], uses: [CERTIFICATE] },
  'tigera-operator': { defines: ['operator.tigera.io', 'crd.projectcalico.org'] },
  traefik: { defines: ['traefik.io', 'hub.traefik.io'], ingressClass: 'traefik' },
  'traefik-crds': { defines: ['traefik.io', 'hub.traefik.io', GATEWAY_API] },
  'trust-manager': { defines: ['trust.cert-manager.io'], uses: [CERTIFICATE] },
  'vault-operator': { defines: ['vault.banzaicloud.com'] },
  'vault-secrets-operator': { defines: ['secrets.hashicorp.com'] },
  velero: { defines: ['velero.io'] },
  'vertical-pod-autoscaler': { defines: ['autoscaling.k8s.io'] },
  'victoria-metrics-operator': { defines: ['operator.victoriametrics.com'] },
  volsync: { defines: ['volsync.backube'] },
  vpa: { defines: ['autoscaling.k8s.io'] },
};
