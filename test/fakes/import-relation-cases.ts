// What is evidence, from routes to annotations: a provider, a dependent, and what has to come of the pair.
import type { EvidenceCase } from './import-object-cases.ts';
import { definition, deployment, ingress, object } from './import-objects.ts';

const at = { destination: { cluster: 'in-cluster', namespace: 'shared' } };
const service = object('v1', 'Service', 'db', { metadata: { namespace: 'data' } });
const issuer = object('cert-manager.io/v1', 'ClusterIssuer', 'letters');
const certManager = [definition('cert-manager.io', 'ClusterIssuer'), issuer];
const gateway = object('gateway.networking.k8s.io/v1', 'Gateway', 'edge', {
  metadata: { namespace: 'edge' },
});
const roleOf = (group: string) =>
  object('rbac.authorization.k8s.io/v1', 'ClusterRole', 'r', {
    rules: [
      {
        apiGroups: [group],
        resources: ['lamps', 'lamps/status', 'clusters/status'],
        verbs: ['update'],
      },
    ],
  });

const guard = { apiGroups: ['light.example'], operations: ['CREATE'], resources: ['lamps'] };
const waits = (script: string) => ({ command: ['sh', '-c', script] });
const waiting = 'until nc -z db.data.svc 5432; do sleep 1; done';
const noRights = { serviceAccountName: 'none', restartPolicy: 'Never' };

export const RELATION_CASES: Readonly<Record<string, EvidenceCase>> = {
  'a Service that an init container waits for': {
    kind: 'init-container',
    strength: 'soft',
    status: 'written',
    provider: [service],
    dependent: [deployment('web', {}, { initContainers: [{ name: 'w', ...waits(waiting) }] })],
    asks: true,
  },
  'a Service that a Job waits for': {
    kind: 'wait-job',
    strength: 'soft',
    status: 'written',
    provider: [service],
    dependent: [
      object('v1', 'ServiceAccount', 'none'),
      object('batch/v1', 'Job', 'wait', {
        spec: {
          template: { spec: { ...noRights, containers: [{ name: 'w', ...waits(waiting) }] } },
        },
      }),
    ],
    asks: true,
  },
  'the Gateway of a route': {
    kind: 'gateway',
    strength: 'soft',
    status: 'written',
    provider: [definition('gateway.networking.k8s.io', 'Gateway'), gateway],
    dependent: [
      object('gateway.networking.k8s.io/v1', 'HTTPRoute', 'web', {
        spec: { parentRefs: [{ name: 'edge', namespace: 'edge' }] },
      }),
    ],
    asks: true,
  },
  'the issuer of a Certificate': {
    kind: 'issuer',
    strength: 'soft',
    status: 'written',
    provider: certManager,
    dependent: [
      object('cert-manager.io/v1', 'Certificate', 'c', {
        spec: { issuerRef: { kind: 'ClusterIssuer', name: 'letters' } },
      }),
    ],
    asks: true,
  },
  'the issuer of an Ingress': {
    kind: 'issuer-annotation',
    strength: 'eventual',
    status: 'reported',
    provider: certManager,
    dependent: [
      ingress(
        'web',
        { tls: [{ secretName: 't' }] },
        { 'cert-manager.io/cluster-issuer': 'letters' },
      ),
    ],
    asks: true,
  },
  'a namespace of somebody else': {
    kind: 'namespace',
    strength: 'hard',
    status: 'written',
    provider: [object('v1', 'Namespace', 'team')],
    dependent: [object('v1', 'ConfigMap', 'c', { metadata: { namespace: 'team' } })],
    asks: true,
  },
  'its own namespace, which somebody else happens to make': {
    kind: 'namespace',
    strength: 'hard',
    status: 'suggested',
    provider: [],
    providerMore: at,
    dependent: [deployment('web')],
    dependentMore: { ...at, createsNamespace: false },
    asks: true,
  },
  'the operator of a kind': {
    kind: 'operator',
    strength: 'soft',
    status: 'written',
    provider: [roleOf('postgresql.cnpg.io'), deployment('operator')],
    dependent: [object('postgresql.cnpg.io/v1', 'Cluster', 'db')],
    asks: true,
  },
  'the operator of a kind whose health nobody looks at': {
    kind: 'operator',
    strength: 'eventual',
    status: 'reported',
    provider: [roleOf('light.example'), deployment('operator')],
    dependent: [object('light.example/v1', 'Lamp', 'desk')],
    asks: true,
  },
  'the definitions of an operator': {
    kind: 'operator',
    strength: 'soft',
    status: 'written',
    provider: [definition('light.example', 'Lamp')],
    dependent: [roleOf('light.example'), deployment('operator')],
  },
  'a webhook': {
    kind: 'webhook',
    strength: 'hard',
    status: 'written',
    provider: [
      object('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration', 'w', {
        webhooks: [{ failurePolicy: 'Fail', rules: [guard] }],
      }),
    ],
    dependent: [object('light.example/v1', 'Lamp', 'desk')],
    asks: true,
  },
  'a Service in a workload': {
    kind: 'dns',
    strength: 'soft',
    status: 'suggested',
    provider: [service],
    dependent: [
      deployment('web', { env: [{ name: 'DB', value: 'db.data.svc.cluster.local:5432' }] }),
    ],
    asks: true,
  },
  'a Service without svc': {
    kind: 'dns',
    strength: 'soft',
    status: 'suggested',
    provider: [service],
    dependent: [deployment('web', { env: [{ name: 'DB', value: 'http://db.data:5432/x' }] })],
  },
  'a Service in a resource with a health check': {
    kind: 'dns',
    strength: 'soft',
    status: 'written',
    provider: [service],
    dependent: [
      object('external-secrets.io/v1', 'ClusterSecretStore', 's', {
        spec: { provider: { vault: { server: 'http://db.data.svc:8200' } } },
      }),
    ],
    asks: true,
  },
  'a Service in a resource that is Healthy without it': {
    kind: 'dns',
    strength: 'soft',
    status: 'suggested',
    provider: [definition('external-secrets.io', 'ExternalSecret'), service],
    dependent: [
      object('external-secrets.io/v1', 'ExternalSecret', 's', {
        spec: { target: { template: { data: { url: 'db://u:p@db.data.svc:5432/shop' } } } },
      }),
    ],
    asks: true,
  },
  'the configuration of a Provider': {
    kind: 'named-resource',
    strength: 'soft',
    status: 'written',
    provider: [object('aws.upbound.io/v1beta1', 'ProviderConfig', 'default')],
    dependent: [
      object('s3.aws.upbound.io/v1beta1', 'Bucket', 'b', {
        spec: { providerConfigRef: { name: 'default' } },
      }),
    ],
    asks: true,
  },
  'a kind of an API server': {
    kind: 'crd',
    strength: 'hard',
    status: 'written',
    provider: [
      object('apiregistration.k8s.io/v1', 'APIService', 'v1.light.example', {
        spec: { group: 'light.example', service: { name: 'lamps', namespace: 'base' } },
      }),
    ],
    dependent: [object('light.example/v1', 'Lamp', 'desk')],
    asks: true,
  },
  'a RuntimeClass': {
    kind: 'named-resource',
    strength: 'soft',
    status: 'written',
    provider: [object('node.k8s.io/v1', 'RuntimeClass', 'gpu')],
    dependent: [deployment('web', {}, { runtimeClassName: 'gpu' })],
    asks: true,
  },
  'a Service that takes telemetry': {
    kind: 'telemetry-dns',
    strength: 'eventual',
    status: 'reported',
    provider: [object('v1', 'Service', 'otel', { metadata: { namespace: 'data' } })],
    dependent: [deployment('web', { args: ['--push=http://otel.data.svc:4317'] })],
    asks: true,
  },
  'a chart that is served from inside': {
    kind: 'source',
    strength: 'hard',
    status: 'written',
    provider: [service],
    dependent: [],
    dependentMore: { sources: [{ repoURL: 'http://db.data.svc:8080', chart: 'shop' }] },
    asks: true,
  },
  'a resource that an annotation names': {
    kind: 'depends-on',
    strength: 'soft',
    status: 'written',
    provider: [service],
    dependent: [
      object('v1', 'ConfigMap', 'c', {
        metadata: {
          annotations: { 'config.kubernetes.io/depends-on': '/namespaces/data/Service/db' },
        },
      }),
    ],
    asks: true,
  },
};
