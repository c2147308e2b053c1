// The place inside a cluster: the ServiceAccount of the pod.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../ports/clock.ts';
import type { Access } from '../http/http-transport.ts';
import { type Credentials, keptAccess } from './credentials.ts';
import { isThere } from './kubeconfig.ts';
import { invalid } from './kubeconfig-file.ts';

export interface InCluster {
  readonly host: string;
  readonly port: string;
  /** Where the ServiceAccount is mounted. */
  readonly folder?: string;
}

const FOLDER = '/var/run/secrets/kubernetes.io/serviceaccount';

/** A ServiceAccount is mounted here. */
export const isInPod = (): Promise<boolean> => isThere(join(FOLDER, 'token'));

const serverOf = ({ host, port }: InCluster): string =>
  `https://${host.includes(':') ? `[${host}]` : host}:${port}`;

/** The same place for programs that are told of one by a kubeconfig. There is no secret in it: it says where the token is. */
export function inClusterKubeconfig(place: InCluster): string {
  const { folder = FOLDER } = place;
  const name = 'in-cluster';
  const cluster = {
    server: serverOf(place),
    'certificate-authority': join(folder, 'ca.crt'),
  };
  return JSON.stringify({
    ...{ apiVersion: 'v1', kind: 'Config', 'current-context': name },
    clusters: [{ name, cluster }],
    users: [{ name, user: { tokenFile: join(folder, 'token') } }],
    contexts: [{ name, context: { cluster: name, user: name } }],
  });
}

export function inClusterCredentials(place: InCluster, clock: Clock): Credentials {
  const { folder = FOLDER } = place;
  const server = serverOf(place);
  const { access, forget } = keptAccess(() => read(server, folder), clock);
  return { access, renew: forget, unsafe: undefined, address: { context: null, server } };
}

async function read(server: string, folder: string): Promise<Access> {
  try {
    const [token, ca] = await Promise.all(
      ['token', 'ca.crt'].map((name) => readFile(join(folder, name), 'utf8')),
    );
    const headers = { authorization: `Bearer ${(token ?? '').trim()}` };
    return { server, headers, tls: { ca, insecure: false }, proxy: undefined };
  } catch (error) {
    const message = `The pod has no ServiceAccount: ${(error as Error).message}.`;
    throw invalid(message, 'Mount its token, or pass a kubeconfig.', { cause: error });
  }
}
