// What is evidence, from kinds to custom resources: a provider, a dependent, and what has to come of the pair.
import type { ApplicationMaterial, KubernetesObject } from '../../src/import/material.ts';
import type { ProposedEdge } from '../../src/import/proposal.ts';
import { definition, deployment, ingress, object } from './import-objects.ts';

export interface EvidenceCase {
  readonly kind: string;
  readonly strength: ProposedEdge['strength'];
  readonly status: ProposedEdge['status'];
  readonly provider: readonly KubernetesObject[];
  readonly providerMore?: Partial<ApplicationMaterial>;
  readonly dependent: readonly KubernetesObject[];
  readonly dependentMore?: Partial<ApplicationMaterial>;
  /** Where nobody provides it, somebody is asked. */
  readonly asks?: boolean;
}

const at = { destination: { cluster: 'in-cluster', namespace: 'shared' } };
const store = object('external-secrets.io/v1', 'ClusterSecretStore', 'vault');
const secret = object('v1', 'Secret', 'login', { metadata: { namespace: 'shared' } });
const reads = { envFrom: [{ secretRef: { name: 'login' } }] };

export const OBJECT_CASES: Readonly<Record<string, EvidenceCase>> = {
  'a kind whose definition the other ships': {
    kind: 'crd',
    strength: 'hard',
    status: 'written',
    provider: [definition('light.example', 'Lamp')],
    dependent: [object('light.example/v1', 'Lamp', 'desk')],
    asks: true,
  },
  'a kind that a Crossplane Provider installs': {
    kind: 'crd-at-runtime',
    strength: 'hard',
    status: 'written',
    provider: [
      object('pkg.crossplane.io/v1', 'Provider', 'p', {
        spec: { package: 'xpkg.example.org/org/provider-aws-s3:v1' },
      }),
    ],
    dependent: [object('s3.aws.upbound.io/v1', 'Bucket', 'b')],
    asks: true,
  },
  'the configuration that the family of a Crossplane Provider has': {
    kind: 'crd-at-runtime',
    strength: 'hard',
    status: 'written',
    provider: [
      object('pkg.crossplane.io/v1', 'Provider', 'p', {
        spec: { package: 'xpkg.example.org/org/provider-family-aws:v1' },
      }),
    ],
    dependent: [object('aws.upbound.io/v1beta1', 'ProviderConfig', 'default')],
    asks: true,
  },
  'a kind that a package of an operator brings along': {
    kind: 'crd-at-runtime',
    strength: 'hard',
    status: 'written',
    provider: [
      object('operators.coreos.com/v1alpha1', 'Subscription', 's', {
        spec: { name: 'grafana-operator' },
      }),
      definition('operators.coreos.com', 'Subscription'),
    ],
    dependent: [object('grafana.integreatly.org/v1beta1', 'GrafanaFolder', 'f')],
    asks: true,
  },
  'a kind that the version of an operator owns': {
    kind: 'crd-at-runtime',
    strength: 'hard',
    status: 'written',
    provider: [
      object('operators.coreos.com/v1alpha1', 'ClusterServiceVersion', 'lamps.v1', {
        spec: {
          customresourcedefinitions: { owned: [{ name: 'lamps.light.example', kind: 'Lamp' }] },
        },
      }),
      definition('operators.coreos.com', 'ClusterServiceVersion'),
    ],
    dependent: [object('light.example/v1', 'Lamp', 'desk')],
    asks: true,
  },
  'a kind that a composite definition makes': {
    kind: 'crd-at-runtime',
    strength: 'hard',
    status: 'written',
    provider: [
      object('apiextensions.crossplane.io/v1', 'CompositeResourceDefinition', 'x', {
        spec: { group: 'light.example', names: { kind: 'XLamp' }, claimNames: { kind: 'Lamp' } },
      }),
      definition('apiextensions.crossplane.io', 'CompositeResourceDefinition'),
    ],
    dependent: [object('light.example/v1', 'Lamp', 'desk')],
    asks: true,
  },
  'a kind that a template of constraints makes': {
    kind: 'crd-at-runtime',
    strength: 'hard',
    status: 'written',
    provider: [
      object('templates.gatekeeper.sh/v1', 'ConstraintTemplate', 'dark', {
        spec: { crd: { spec: { names: { kind: 'NoDarkness' } } } },
      }),
      definition('templates.gatekeeper.sh', 'ConstraintTemplate'),
    ],
    dependent: [object('constraints.gatekeeper.sh/v1beta1', 'NoDarkness', 'all')],
    asks: true,
  },
  'a kind of a chart that another controller installs': {
    kind: 'crd-at-runtime',
    strength: 'hard',
    status: 'written',
    provider: [
      object('helm.toolkit.fluxcd.io/v2', 'HelmRelease', 'velero', {
        spec: { chart: { spec: { chart: 'velero' } } },
      }),
      definition('helm.toolkit.fluxcd.io', 'HelmRelease'),
    ],
    dependent: [object('velero.io/v1', 'Schedule', 'daily')],
    asks: true,
  },
  'a kind that a value switches on': {
    kind: 'crd-by-values',
    strength: 'hard',
    status: 'written',
    provider: [definition('monitoring.coreos.com', 'ServiceMonitor')],
    dependent: [],
    dependentMore: {
      content: 'unknown',
      values: [{ metrics: { serviceMonitor: { enabled: true } } }],
    },
    asks: true,
  },
  'a kind that a known chart uses': {
    kind: 'crd-by-values',
    strength: 'hard',
    status: 'written',
    provider: [definition('ceph.rook.io', 'CephCluster')],
    dependent: [],
    dependentMore: { content: 'unknown', charts: [{ name: 'rook-ceph-cluster' }] },
    asks: true,
  },
  'an IngressClass': {
    kind: 'ingress-class',
    strength: 'soft',
    status: 'written',
    provider: [object('networking.k8s.io/v1', 'IngressClass', 'nginx')],
    dependent: [ingress('web', { ingressClassName: 'nginx' })],
    asks: true,
  },
  'an IngressClass by annotation': {
    kind: 'ingress-class',
    strength: 'soft',
    status: 'written',
    provider: [object('networking.k8s.io/v1', 'IngressClass', 'nginx')],
    dependent: [ingress('web', {}, { 'kubernetes.io/ingress.class': 'nginx' })],
    asks: true,
  },
  'an IngressClass by a value': {
    kind: 'ingress-class',
    strength: 'soft',
    status: 'written',
    provider: [object('networking.k8s.io/v1', 'IngressClass', 'nginx')],
    dependent: [],
    dependentMore: {
      content: 'unknown',
      values: [{ ingress: { enabled: true, className: 'nginx' } }],
    },
    asks: true,
  },
  'a StorageClass': {
    kind: 'storage-class',
    strength: 'soft',
    status: 'written',
    provider: [object('storage.k8s.io/v1', 'StorageClass', 'fast')],
    dependent: [
      object('v1', 'PersistentVolumeClaim', 'disk', { spec: { storageClassName: 'fast' } }),
    ],
    asks: true,
  },
  'a PriorityClass': {
    kind: 'named-resource',
    strength: 'soft',
    status: 'written',
    provider: [object('scheduling.k8s.io/v1', 'PriorityClass', 'first')],
    dependent: [deployment('web', {}, { priorityClassName: 'first' })],
    asks: true,
  },
  'a store of secrets': {
    kind: 'secret-store',
    strength: 'soft',
    status: 'written',
    provider: [definition('external-secrets.io', 'ClusterSecretStore'), store],
    dependent: [
      object('external-secrets.io/v1', 'ExternalSecret', 'login', {
        spec: { secretStoreRef: { kind: 'ClusterSecretStore', name: 'vault' } },
      }),
    ],
    asks: true,
  },
  'a Secret': {
    kind: 'secret',
    strength: 'soft',
    status: 'written',
    provider: [secret],
    providerMore: at,
    dependent: [deployment('web', reads)],
    dependentMore: at,
    asks: true,
  },
  'a Secret that may be missing': {
    kind: 'secret',
    strength: 'eventual',
    status: 'reported',
    provider: [secret],
    providerMore: at,
    dependent: [deployment('web', { envFrom: [{ secretRef: { name: 'login', optional: true } }] })],
    dependentMore: at,
  },
  'a Secret that a Certificate leads to': {
    kind: 'secret',
    strength: 'soft',
    status: 'written',
    provider: [
      definition('cert-manager.io', 'Certificate'),
      object('cert-manager.io/v1', 'Certificate', 'c', { spec: { secretName: 'login' } }),
    ],
    providerMore: at,
    dependent: [
      deployment('web', {}, { volumes: [{ name: 'v', secret: { secretName: 'login' } }] }),
    ],
    dependentMore: at,
    asks: true,
  },
  'a ConfigMap': {
    kind: 'secret',
    strength: 'soft',
    status: 'written',
    provider: [object('v1', 'ConfigMap', 'settings')],
    providerMore: at,
    dependent: [
      deployment('web', {}, { volumes: [{ name: 'v', configMap: { name: 'settings' } }] }),
    ],
    dependentMore: at,
    asks: true,
  },
  'a custom resource that a field names': {
    kind: 'named-resource',
    strength: 'soft',
    status: 'written',
    provider: [
      definition('k8s.mariadb.com', 'MariaDB'),
      object('k8s.mariadb.com/v1', 'MariaDB', 'main'),
    ],
    providerMore: at,
    dependent: [
      object('k8s.mariadb.com/v1', 'Database', 'shop', { spec: { mariaDbRef: { name: 'main' } } }),
    ],
    dependentMore: at,
    asks: true,
  },
  'the Kafka that a label names': {
    kind: 'named-resource',
    strength: 'soft',
    status: 'written',
    provider: [
      object('kafka.strimzi.io/v1', 'Kafka', 'main'),
      definition('kafka.strimzi.io', 'KafkaTopic'),
      definition('kafka.strimzi.io', 'Kafka'),
    ],
    providerMore: at,
    dependent: [
      object('kafka.strimzi.io/v1', 'KafkaTopic', 't', {
        metadata: { labels: { 'strimzi.io/cluster': 'main' } },
      }),
    ],
    dependentMore: at,
    asks: true,
  },
};
