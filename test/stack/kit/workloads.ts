// Manifests of stand-in workloads, for Git repositories and for direct use.

const IMAGE = 'localhost/standin:1';

interface Workload {
  readonly name: string;
  readonly replicas?: number;
  /** How long the pod takes to become ready, for example '5s'. */
  readonly readyAfter?: string;
  readonly labels?: Readonly<Record<string, string>>;
}

/** A Deployment that answers HTTP on port 8080 with its name. */
export function deployment({ name, replicas = 1, readyAfter = '0s', labels = {} }: Workload) {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, labels },
    spec: {
      replicas,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name, ...labels } },
        spec: {
          terminationGracePeriodSeconds: 1,
          containers: [
            {
              ...standin('serve', `--body=${name}`, `--ready-after=${readyAfter}`),
              ports: [{ containerPort: 8080 }],
              readinessProbe: { httpGet: { path: '/readyz', port: 8080 }, periodSeconds: 1 },
            },
          ],
        },
      },
    },
  };
}

/** A Service in front of the Deployment of that name. */
export function service(name: string) {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name },
    spec: { selector: { app: name }, ports: [{ port: 80, targetPort: 8080 }] },
  };
}

export function configMap(name: string, data: Record<string, string>) {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data };
}

/** A pod that runs the stand-in once. */
export function pod(name: string, ...args: string[]) {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: { restartPolicy: 'Never', containers: [standin(...args)] },
  };
}

/** The same, run by Argo CD before it syncs anything else. */
export const preSyncPod = (name: string, ...args: string[]) => hook('PreSync', name, args);

/** The same, run by Argo CD when everything else is synced and Healthy. */
export const postSyncPod = (name: string, ...args: string[]) => hook('PostSync', name, args);

function hook(phase: string, name: string, args: readonly string[]) {
  const annotations = { 'argocd.argoproj.io/hook': phase };
  return { ...pod(name, ...args), metadata: { name, annotations } };
}

/** A Job that runs the stand-in, or waits to be resumed. */
export function job(name: string, suspend: boolean, ...args: string[]) {
  const { spec } = pod(name, ...args);
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name },
    spec: { suspend, template: { spec } },
  };
}

export const clusterKind = (group: string) => customKind(group, 'Cluster');

/** A kind in that group, with a status of its own. */
export function customKind(group: string, kind: string) {
  const singular = kind.toLowerCase();
  const plural = `${singular}s`;
  const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const schema = { type: 'object', properties: { spec: anything, status: anything } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}`, namespace: '' },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, singular, kind },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: { openAPIV3Schema: schema },
        },
      ],
    },
  };
}

/** A container; the image is on the node and nowhere else. The command is named because Workflows insists. */
export function standin(...args: string[]) {
  const pull = 'Never';
  return { name: 'main', image: IMAGE, imagePullPolicy: pull, command: ['/bin/standin'], args };
}
