// The executor as a container: with a configuration, secrets and variables, to its end.
import { readFile } from 'node:fs/promises';
import type { V1Pod, V1PodSpec } from '@kubernetes/client-node';
import type { ExecutorReport } from '../../../src/executor/executor-report.ts';
import { tokenFile } from '../config.ts';
import { waitFor } from '../run.ts';
import type { Scratch } from './scratch.ts';
import { EXECUTOR } from './workflow-runs.ts';

interface Container {
  readonly action: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Seconds after which it is asked to end. */
  readonly endAfter?: number;
  /** The ConfigMap and the Secret that are mounted. */
  readonly config?: string;
  readonly secrets?: string;
  /** Another one than the usual. */
  readonly image?: string;
  /** Whose rights it has in the cluster; undefined: nobody's. */
  readonly serviceAccount?: string;
  /** A folder that it may write to, as Ansible needs it. */
  readonly writable?: string;
  readonly timeoutMs?: number;
}

export interface Executed {
  readonly status: number | undefined;
  readonly report: ExecutorReport;
  readonly log: string;
}

export async function execute(
  { namespace, stack }: Pick<Scratch, 'namespace' | 'stack'>,
  call: Container,
): Promise<Executed> {
  const name = `executor-${call.action}-${Math.random().toString(36).slice(2, 8)}`;
  const pod: V1Pod = {
    ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace } },
    spec: podSpec(call),
  };
  await stack.core.createNamespacedPod({ namespace, body: pod });
  const status = await waitFor(
    `${name} to end`,
    async () => {
      const now = await stack.core.readNamespacedPod({ name, namespace });
      return now.status?.containerStatuses?.[0]?.state?.terminated;
    },
    { timeoutMs: call.timeoutMs ?? 240_000 },
  );
  const log = await stack.core.readNamespacedPodLog({ name, namespace });
  const last = log.split('\n').find((line) => line.includes('"ExecutorReport"')) ?? '{}';
  return { status: status.exitCode, report: JSON.parse(last), log } as Executed;
}

function podSpec(call: Container): V1PodSpec {
  const { endAfter, serviceAccount, config = 'config', secrets = 'secrets' } = call;
  return {
    restartPolicy: 'Never',
    automountServiceAccountToken: serviceAccount !== undefined,
    ...(serviceAccount === undefined ? {} : { serviceAccountName: serviceAccount }),
    enableServiceLinks: false,
    ...(endAfter === undefined ? {} : { activeDeadlineSeconds: endAfter }),
    securityContext: { runAsNonRoot: true },
    containers: [container(call)],
    volumes: [
      { name: 'config', configMap: { name: config } },
      { name: 'secrets', secret: { secretName: secrets } },
      ...(call.writable ? [{ name: 'writable', emptyDir: { medium: 'Memory' } }] : []),
    ],
  };
}

function container({ action, environment = {}, writable, image = EXECUTOR }: Container) {
  return {
    ...{ name: 'main', image, imagePullPolicy: 'Never', args: [action] },
    env: Object.entries(environment).map(([key, value]) => ({ name: key, value })),
    securityContext: {
      ...{ readOnlyRootFilesystem: true, allowPrivilegeEscalation: false },
      capabilities: { drop: ['ALL'] },
    },
    volumeMounts: [
      { name: 'config', mountPath: '/config', readOnly: true },
      { name: 'secrets', mountPath: '/secrets', readOnly: true },
      ...(writable ? [{ name: 'writable', mountPath: writable }] : []),
    ],
  };
}

/** What is mounted: `config` with both files, `secrets` with the token of Argo CD. */
export async function mounts(scratch: Scratch, platform: object): Promise<void> {
  scratch.afterwards(() => forgetRuns(scratch));
  await mountConfig(scratch, 'config', {
    'environment.yaml': JSON.stringify(ENVIRONMENT),
    'dag.yaml': JSON.stringify({
      ...{ apiVersion: 'tiphys.dev/v1alpha1', kind: 'Platform', metadata: { name: scratch.name } },
      spec: { argocd: { project: scratch.name }, ...platform },
    }),
  });
  const token = await readFile(tokenFile(scratch.stack.config), 'utf8');
  await mountSecrets(scratch, 'secrets', { 'argocd-token': token.trim() });
}

export const ENVIRONMENT = {
  ...{ name: 'test', domain: 'example.org', gitRepository: 'file:///none', gitRevision: 'main' },
};

type Files = Readonly<Record<string, string>>;

export async function mountConfig(scratch: Scratch, name: string, data: Files): Promise<void> {
  await scratch.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data } as never);
}

export async function mountSecrets(
  scratch: Scratch,
  name: string,
  stringData: Files,
): Promise<void> {
  await scratch.apply({
    ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name } },
    stringData,
  } as never);
}

/** Lease and record stay in the cluster on purpose; a test leaves nothing. */
async function forgetRuns({ stack, name }: Scratch): Promise<void> {
  const remove = ['--namespace=argocd', 'delete', '--ignore-not-found'];
  await stack.run('kubectl', ...remove, 'lease', `tiphys-${name}`);
  await stack.run('kubectl', ...remove, 'configmap', '-l', `tiphys.dev/platform=${name}`);
}
