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
export function preSyncPod(name: string, ...args: string[]) {
  const annotations = { 'argocd.argoproj.io/hook': 'PreSync' };
  return { ...pod(name, ...args), metadata: { name, annotations } };
}

/** A container; the image is on the node and nowhere else. The command is named because Workflows insists. */
export function standin(...args: string[]) {
  const pull = 'Never';
  return { name: 'main', image: IMAGE, imagePullPolicy: pull, command: ['/bin/standin'], args };
}
