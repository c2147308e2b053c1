// A second cluster that Argo CD deploys to: started for one test, registered by a cluster Secret, gone afterwards.

import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CoreV1Api, KubeConfig, KubernetesObjectApi } from '@kubernetes/client-node';
import { type Config, kubeconfigFile } from '../config.ts';
import { forgetEnded, kill, start, untilReady } from '../processes.ts';
import {
  SPOKE,
  SPOKE_CONTROLLERS,
  spokeAudit,
  spokeData,
  spokePrograms,
} from '../programs/spoke.ts';
import { waitFor } from '../run.ts';
import { AuditLog } from './audit.ts';
import type { Scratch } from './scratch.ts';

/** As the audit log of the second cluster names Argo CD: it has the certificate of its controller. */
export const ARGOCD_USER = 'argocd-application-controller';

/** The contexts of the kubeconfig: Argo CD's own cluster, and the second one. */
export const HUB = 'tiphys-stack';
export const SPOKE_CONTEXT = 'spoke';

interface Kubeconfig {
  readonly contexts: readonly { readonly context: { readonly user: string } }[];
  readonly clusters: readonly [
    {
      readonly cluster: { readonly server: string; readonly 'certificate-authority-data': string };
    },
  ];
  readonly users: readonly [
    {
      readonly user: {
        readonly 'client-certificate-data': string;
        readonly 'client-key-data': string;
      };
    },
  ];
}

export class Spoke {
  /** As destinations call it. */
  readonly server = SPOKE;
  /** With both contexts; the first one is Argo CD's own cluster. */
  readonly kubeconfig: string;
  readonly core: CoreV1Api;
  readonly objects: KubernetesObjectApi;
  readonly audit: AuditLog;

  private constructor(config: Config, kubeconfig: string) {
    this.kubeconfig = kubeconfig;
    const clients = new KubeConfig();
    clients.loadFromFile(kubeconfig);
    clients.setCurrentContext(SPOKE_CONTEXT);
    this.core = clients.makeApiClient(CoreV1Api);
    this.objects = KubernetesObjectApi.makeApiClient(clients);
    this.audit = new AuditLog(config, this.core, spokeAudit(config));
  }

  static async create(scratch: Scratch): Promise<Spoke> {
    const { config } = scratch.stack;
    scratch.afterwards(() => end(config));
    const kubeconfig = await writeKubeconfigs(scratch);
    const programs = spokePrograms(config);
    // The controllers end where there is no API server yet.
    for (const program of programs) {
      await start(config, program);
      await untilReady(config, [program]);
    }
    const spoke = new Spoke(config, kubeconfig);
    await waitFor('the namespaces of the second cluster', () =>
      spoke.core.readNamespace({ name: 'default' }).then(
        () => true,
        () => false,
      ),
    );
    await register(scratch);
    return spoke;
  }

  async namespaces(): Promise<string[]> {
    const { items } = await this.core.listNamespace();
    return items.flatMap(({ metadata }) => metadata?.name ?? []);
  }
}

async function end(config: Config): Promise<void> {
  for (const { name } of spokePrograms(config).reverse()) await kill(config, name);
  await forgetEnded(config);
  await rm(spokeData(config), { recursive: true, force: true });
  await rm(spokeAudit(config), { force: true });
}

const read = async (config: Config, user?: string): Promise<Kubeconfig> =>
  JSON.parse(await readFile(kubeconfigFile(config, user), 'utf8'));

/** The same users, for the other address. Returns the file with both contexts. */
async function writeKubeconfigs({ stack: { config }, name }: Scratch): Promise<string> {
  const elsewhere = (given: Kubeconfig) => [
    { name: SPOKE_CONTEXT, cluster: { ...given.clusters[0].cluster, server: SPOKE } },
  ];
  const controllers = await read(config, 'controller-manager');
  const user = controllers.contexts[0]?.context.user;
  const own = {
    ...controllers,
    'current-context': SPOKE_CONTEXT,
    clusters: elsewhere(controllers),
    contexts: [{ name: SPOKE_CONTEXT, context: { cluster: SPOKE_CONTEXT, user } }],
  };
  const secret = { mode: 0o600 };
  await writeFile(kubeconfigFile(config, SPOKE_CONTROLLERS), JSON.stringify(own), secret);
  const admin = await read(config);
  const both = {
    ...admin,
    clusters: [...admin.clusters, ...elsewhere(admin)],
    contexts: [
      ...admin.contexts,
      { name: SPOKE_CONTEXT, context: { cluster: SPOKE_CONTEXT, user: 'admin' } },
    ],
  };
  const file = join(config.state, `${name}.kubeconfig`);
  await writeFile(file, JSON.stringify(both), secret);
  return file;
}

/** As `argocd cluster add` does it. */
async function register(scratch: Scratch): Promise<void> {
  const { clusters, users } = await read(scratch.stack.config, ARGOCD_USER);
  const [{ user }] = users;
  const tlsClientConfig = {
    caData: clusters[0].cluster['certificate-authority-data'],
    certData: user['client-certificate-data'],
    keyData: user['client-key-data'],
  };
  await scratch.apply({
    ...{ apiVersion: 'v1', kind: 'Secret' },
    metadata: {
      ...{ name: `${scratch.name}-cluster`, namespace: 'argocd' },
      labels: { 'argocd.argoproj.io/secret-type': 'cluster' },
    },
    stringData: { name: 'spoke', server: SPOKE, config: JSON.stringify({ tlsClientConfig }) },
  } as never);
}
