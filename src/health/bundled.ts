// The kinds that Argo CD has a Lua check for. Copied from Argo CD 3.2.11, with which a suite of the stack compares them; a wildcard is
// written like Argo CD's folder, with `_`.

/** One line for each group: its kinds. */
const BUNDLED = `
_.crossplane.io: _
_.upbound.io: _
acid.zalan.do: postgresql
addons.cluster.x-k8s.io: ClusterResourceSet
apiextensions.k8s.io: CustomResourceDefinition
apps.3scale.net: APIManager
apps.kruise.io: AdvancedCronJob BroadcastJob CloneSet DaemonSet StatefulSet
apps.openshift.io: DeploymentConfig
argoproj.io: AnalysisRun ApplicationSet CronWorkflow EventBus Experiment Rollout
astra.netapp.io: AppVault Application Backup ExecHook ExecHooksRun ResourceBackup ResticVolumeBackup Schedule Snapshot
batch: CronJob
beat.k8s.elastic.co: Beat
bitnami.com: SealedSecret
camel.apache.org: Integration
capabilities.3scale.net: ActiveDoc Application ApplicationAuth Backend CustomPolicyDefinition DeveloperAccount DeveloperUser OpenAPI Product ProxyConfigPromote Tenant
cassandra.rook.io: Cluster
cdi.kubevirt.io: DataVolume
cert-manager.io: Certificate ClusterIssuer Issuer
certmanager.k8s.io: Certificate Issuer
clickhouse-keeper.altinity.com: ClickHouseKeeperInstallation
clickhouse.altinity.com: ClickHouseInstallation
cloudfront.aws.crossplane.io: Distribution
cloudfunctions.cnrm.cloud.google.com: CloudFunctionsFunction
cloudscheduler.cnrm.cloud.google.com: CloudSchedulerJob
cluster.x-k8s.io: Cluster Machine MachineDeployment MachineHealthCheck MachinePool
compute.cnrm.cloud.google.com: ComputeDisk
controlplane.cluster.x-k8s.io: AWSManagedControlPlane
coralogix.com: Alert RecordingRuleGroupSet
core.humio.com: HumioAction HumioAlert HumioCluster HumioIngestToken HumioParser HumioRepository HumioView
core.spinkube.dev: SpinApp
datadoghq.com: DatadogMetric
db.atlasgo.io: AtlasMigration AtlasSchema
elasticsearch.k8s.elastic.co: Elasticsearch
external-secrets.io: ClusterExternalSecret ClusterSecretStore ExternalSecret PushSecret SecretStore
flagger.app: Canary
flink.apache.org: FlinkDeployment
game.kruise.io: GameServer GameServerSet
gateway.networking.k8s.io: GRPCRoute Gateway HTTPRoute
gateway.solo.io: Gateway MatchableHttpGateway RouteOption RouteTable VirtualHostOption VirtualService
gloo.solo.io: Proxy Settings Upstream UpstreamGroup
grafana.integreatly.org: Grafana GrafanaDashboard GrafanaDatasource GrafanaFolder
helm.toolkit.fluxcd.io: HelmRelease
iam.aws.crossplane.io: Policy Role RolePolicyAttachment
iam.cnrm.cloud.google.com: IAMPartialPolicy IAMPolicy IAMPolicyMember IAMServiceAccount
iammanager.keikoproj.io: Iamrole
image.toolkit.fluxcd.io: ImagePolicy ImageRepository ImageUpdateAutomation
install.istio.io: IstioOperator
jaegertracing.io: Jaeger
k8s.keycloak.org: Keycloak
k8s.mariadb.com: Backup Database Grant MariaDB SqlJob User
kafka.banzaicloud.io: KafkaCluster
kafka.strimzi.io: Kafka KafkaBridge KafkaConnect KafkaConnector KafkaTopic KafkaUser
karpenter.k8s.aws: EC2NodeClass
karpenter.sh: NodePool
keda.sh: ScaledObject
kiali.io: Kiali
kubernetes-client.io: ExternalSecret
kubevirt.io: VirtualMachine VirtualMachineInstance
kustomize.toolkit.fluxcd.io: Kustomization
kyverno.io: Policy
lifecycle.keptn.sh: KeptnAppVersion KeptnEvaluation KeptnTask KeptnWorkloadInstance KeptnWorkloadVersion
logstash.k8s.elastic.co: Logstash
mariadb.mmontes.io: MariaDB
metrics.keptn.sh: Analysis KeptnMetric
minio.min.io: Tenant
monitoring.coreos.com: Prometheus
networking.gke.io: ManagedCertificate
notification.toolkit.fluxcd.io: Receiver
numaflow.numaproj.io: InterStepBufferService MonoVertex Pipeline Vertex
numaplane.numaproj.io: ISBServiceRollout MonoVertexRollout NumaflowControllerRollout PipelineRollout
ocs.openshift.io: StorageCluster
onepassword.com: OnePasswordItem
openfaas.com: Function
opentelemetry.io: OpenTelemetryCollector
operator.knative.dev: KnativeEventing KnativeServing
operator.openshift.io: IngressController
operators.coreos.com: Subscription
pkg.crossplane.io: Provider
platform.confluent.io: Connect Connector ControlCenter Kafka KsqlDB SchemaRegistry Zookeeper
policy: PodDisruptionBudget
policy.open-cluster-management.io: CertificatePolicy ConfigurationPolicy OperatorPolicy Policy
postgresql.cnpg.io: Cluster
proclaim.dogmatiq.io: DNSSDServiceInstance
projectcontour.io: ExtensionService HTTPProxy
promoter.argoproj.io: ArgoCDCommitStatus ChangeTransferPolicy CommitStatus PromotionStrategy PullRequest
psmdb.percona.com: PerconaServerMongoDB
pubsub.cnrm.cloud.google.com: PubSubSubscription PubSubTopic
pxc.percona.com: PerconaXtraDBCluster
rabbitmq.com: Binding Exchange Permission Policy Queue RabbitmqCluster Shovel User Vhost
rds.aws.crossplane.io: DBCluster DBInstance
resourcemanager.cnrm.cloud.google.com: Project
rollouts.kruise.io: Rollout
route.openshift.io: Route
route53.aws.crossplane.io: ResourceRecordSet
s3.aws.crossplane.io: Bucket
serving.knative.dev: Service
serving.kserve.io: InferenceService
snapshot.storage.k8s.io: VolumeSnapshot VolumeSnapshotContent
solr.apache.org: SolrCloud
source.toolkit.fluxcd.io: Bucket GitRepository HelmChart HelmRepository OCIRepository
sparkoperator.k8s.io: SparkApplication
spot.io: SpotDeployment
sql.cnrm.cloud.google.com: SQLDatabase SQLInstance
stacks.crossplane.io: ClusterStackInstall
storage.cnrm.cloud.google.com: StorageBucket StorageBucketAccessControl StorageDefaultObjectAccessControl
tower.ansible.com: AnsibleJob
trident.netapp.io: TridentBackendConfig TridentOrchestrator
work.karmada.io: ClusterResourceBinding ResourceBinding
zookeeper.pravega.io: ZookeeperCluster
`;

/** group/Kind, in the order of the groups. */
export const BUNDLED_KINDS: readonly string[] = BUNDLED.trim()
  .split('\n')
  .flatMap((line) => {
    const [group = '', kinds = ''] = line.split(': ');
    return kinds.split(' ').map((kind) => `${group}/${kind}`);
  });
