// A Kubernetes that has nothing but itself, on a port: enough for phase 0, and for a deployment to see that there is no Argo CD.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

const condition = { type: 'Ready', status: 'True' };
const NODE = {
  metadata: { name: 'node1' },
  status: {
    conditions: [condition],
    allocatable: { cpu: '8', memory: '16Gi', pods: '110' },
    nodeInfo: { kubeletVersion: 'v1.36.4', containerRuntimeVersion: 'containerd://2' },
  },
};
const POD = {
  metadata: { name: 'coredns-1' },
  status: { phase: 'Running', conditions: [condition] },
};

const POLICIES = { resources: [{ kind: 'ValidatingAdmissionPolicy' }] };

const list = (...items: object[]) => ({ metadata: { resourceVersion: '1' }, items });

function answerTo({ method, url = '' }: IncomingMessage): object {
  if (method === 'POST') return { status: { allowed: true } };
  if (url.startsWith('/version')) return { gitVersion: 'v1.36.4' };
  if (url === '/apis/admissionregistration.k8s.io/v1') return POLICIES;
  if (url.startsWith('/api/v1/nodes')) return list(NODE);
  if (url.startsWith('/api/v1/namespaces/kube-system/pods')) return list(POD);
  return list();
}

export interface EmptyCluster {
  readonly kubeconfig: string;
  /** What was sent that is no question: METHOD PATH. */
  readonly writes: readonly string[];
  readonly close: () => void;
}

export async function emptyCluster(): Promise<EmptyCluster> {
  const writes: string[] = [];
  const server = createServer((request, response) => {
    const { method, url = '' } = request;
    const isQuestion = method === 'GET' || url.includes('/selfsubjectaccessreviews');
    if (!isQuestion) writes.push(`${method} ${url}`);
    response.writeHead(method === 'POST' ? 201 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answerTo(request)));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const name = 'empty';
  const kubeconfig = JSON.stringify({
    ...{ apiVersion: 'v1', kind: 'Config', 'current-context': name },
    clusters: [{ name, cluster: { server: `http://127.0.0.1:${port}` } }],
    users: [{ name, user: { token: 'any' } }],
    contexts: [{ name, context: { cluster: name, user: name } }],
  });
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { kubeconfig, writes, close };
}
