// Well-known charts from A to J, by their names, sorted.
import type { KnownChart } from './known-chart.ts';

const CERTIFICATE = 'cert-manager.io/Certificate';
const GATEWAY_API = 'gateway.networking.k8s.io';
const PROMETHEUS = 'monitoring.coreos.com';

export const CHARTS_A_TO_J: Readonly<Record<string, KnownChart>> = {
  'ack-s3-controller': { defines: ['s3.services.k8s.aws'] },
  'actions-runner-controller': {
    defines: ['actions.summerwind.dev'],
    uses: [CERTIFICATE],
    unless: { certManagerEnabled: false },
  },
  'alloy-operator': { defines: ['collectors.grafana.com'] },
  'altinity-clickhouse-operator': {
    defines: ['clickhouse.altinity.com', 'clickhouse-keeper.altinity.com'],
  },
  'apisix-ingress-controller': { defines: ['apisix.apache.org'] },
  'argo-cd': {
    defines: ['argoproj.io/Application', 'argoproj.io/ApplicationSet', 'argoproj.io/AppProject'],
  },
  'argo-events': {
    defines: ['argoproj.io/EventBus', 'argoproj.io/EventSource', 'argoproj.io/Sensor'],
  },
  'argo-rollouts': {
    defines: [
      'argoproj.io/AnalysisRun',
      'argoproj.io/AnalysisTemplate',
      'argoproj.io/ClusterAnalysisTemplate',
      'argoproj.io/Experiment',
      'argoproj.io/Rollout',
    ],
  },
  'argo-workflows': {
    defines: [
      'argoproj.io/ClusterWorkflowTemplate',
      'argoproj.io/CronWorkflow',
      'argoproj.io/Workflow',
      'argoproj.io/WorkflowTemplate',
    ],
  },
  'aws-load-balancer-controller': { defines: ['elbv2.k8s.aws'], ingressClass: 'alb' },
  'aws-privateca-issuer': { defines: ['awspca.cert-manager.io'] },
  'azure-service-operator': { defines: ['resources.azure.com'], uses: [CERTIFICATE] },
  base: {
    repository: 'istio',
    defines: ['networking.istio.io', 'security.istio.io', 'telemetry.istio.io'],
  },
  'camel-k': { defines: ['camel.apache.org'] },
  capsule: { defines: ['capsule.clastix.io'] },
  'cass-operator': {
    defines: ['cassandra.datastax.com', 'control.k8ssandra.io'],
    uses: [CERTIFICATE],
    unless: { 'admissionWebhooks.enabled': false },
  },
  'cert-manager': {
    defines: ['cert-manager.io', 'acme.cert-manager.io'],
    definesByValue: true,
    switches: { 'prometheus.servicemonitor.enabled': `${PROMETHEUS}/ServiceMonitor` },
  },
  'cert-manager-approver-policy': {
    defines: ['policy.cert-manager.io'],
    watches: ['cert-manager.io/CertificateRequest'],
  },
  'chaos-mesh': { defines: ['chaos-mesh.org'] },
  cilium: { defines: ['cilium.io'], ingressClass: 'cilium' },
  'cloudnative-pg': { defines: ['postgresql.cnpg.io'] },
  cluster: {
    repository: 'cloudnative-pg',
    uses: ['postgresql.cnpg.io/Cluster'],
    switches: { 'cluster.monitoring.enabled': `${PROMETHEUS}/PodMonitor` },
  },
  'cluster-api-operator': { defines: ['operator.cluster.x-k8s.io'], uses: [CERTIFICATE] },
  'community-operator': { defines: ['mongodbcommunity.mongodb.com'] },
  'confluent-for-kubernetes': { defines: ['platform.confluent.io'] },
  connect: { repository: '1password', defines: ['onepassword.com'] },
  consul: { defines: ['consul.hashicorp.com'] },
  contour: { defines: ['projectcontour.io'], ingressClass: 'contour' },
  crossplane: {
    defines: ['pkg.crossplane.io', 'apiextensions.crossplane.io', 'ops.crossplane.io'],
  },
  dapr: { defines: ['dapr.io'] },
  'dask-kubernetes-operator': { defines: ['kubernetes.dask.org'] },
  'datadog-operator': { defines: ['datadoghq.com'] },
  'doppler-kubernetes-operator': { defines: ['secrets.doppler.com'] },
  'druid-operator': { defines: ['druid.apache.org'] },
  'dynatrace-operator': { defines: ['dynatrace.com'] },
  'eck-operator': {
    defines: [
      'agent.k8s.elastic.co',
      'apm.k8s.elastic.co',
      'beat.k8s.elastic.co',
      'elasticsearch.k8s.elastic.co',
      'kibana.k8s.elastic.co',
      'logstash.k8s.elastic.co',
    ],
  },
  'eck-operator-crds': {
    defines: [
      'agent.k8s.elastic.co',
      'apm.k8s.elastic.co',
      'beat.k8s.elastic.co',
      'elasticsearch.k8s.elastic.co',
      'kibana.k8s.elastic.co',
      'logstash.k8s.elastic.co',
    ],
  },
  'emissary-crds': { defines: ['getambassador.io'] },
  'external-dns': { defines: ['externaldns.k8s.io'] },
  'external-secrets': { defines: ['external-secrets.io', 'generators.external-secrets.io'] },
  'external-snapshotter': { defines: ['snapshot.storage.k8s.io'] },
  flagger: { defines: ['flagger.app'] },
  'fleet-crd': { defines: ['fleet.cattle.io'] },
  'flink-kubernetes-operator': {
    defines: ['flink.apache.org'],
    uses: [CERTIFICATE],
    unless: { 'webhook.create': false },
  },
  'fluent-operator': { defines: ['fluentbit.fluent.io', 'fluentd.fluent.io'] },
  flux2: {
    defines: [
      'source.toolkit.fluxcd.io',
      'kustomize.toolkit.fluxcd.io',
      'helm.toolkit.fluxcd.io',
      'notification.toolkit.fluxcd.io',
      'image.toolkit.fluxcd.io',
    ],
  },
  gatekeeper: { defines: ['templates.gatekeeper.sh', 'config.gatekeeper.sh'] },
  'gateway-api': { defines: [GATEWAY_API] },
  'gateway-crds-helm': { defines: ['gateway.envoyproxy.io', GATEWAY_API] },
  'gateway-helm': { defines: ['gateway.envoyproxy.io', GATEWAY_API] },
  'gha-runner-scale-set': { uses: ['actions.github.com/AutoscalingRunnerSet'] },
  'gha-runner-scale-set-controller': { defines: ['actions.github.com'] },
  gloo: { defines: ['gateway.solo.io', 'gloo.solo.io'] },
  'gpu-operator': { repository: 'nvidia', defines: ['nvidia.com'] },
  'grafana-operator': { defines: ['grafana.integreatly.org'] },
  'haproxy-ingress': { ingressClass: 'haproxy' },
  'ingress-nginx': { ingressClass: 'nginx' },
  'intel-device-plugins-operator': {
    defines: ['deviceplugin.intel.com', 'fpga.intel.com'],
    uses: [CERTIFICATE],
  },
  istiod: { watches: ['networking.istio.io'] },
  'jaeger-operator': {
    defines: ['jaegertracing.io'],
    uses: [CERTIFICATE],
    unless: { 'certs.certificate.create': false },
  },
};
