// Runs of a platform as Workflows: the rights of the project's own manifest in the scratch namespace, the executor's image,
// and what came of a run.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { KubernetesObject, V1ObjectMeta, V1Pod } from '@kubernetes/client-node';
import { loadAll } from 'js-yaml';
import { ACCOUNTS } from '../../../src/ports/argocd-accounts.ts';
import type { Account } from '../argocd.ts';
import { tokenFile } from '../config.ts';
import { executorImage, SHIPPED } from '../executor-image.ts';
import { hasImage } from '../images.ts';
import { waitFor } from '../run.ts';
import type { Scratch } from './scratch.ts';

/** Its tag tells what was built: others may test another state of the program on the same stack. */
export const EXECUTOR = `localhost/executor:${digestOf(SHIPPED)}`;

function digestOf(paths: readonly string[]): string {
  const hash = createHash('sha256');
  const files = paths.filter((path) => existsSync(path)).flatMap(filesBelow);
  for (const file of files) hash.update(file).update(readFileSync(file));
  return hash.digest('hex').slice(0, 12);
}

function filesBelow(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  const below = readdirSync(path, { recursive: true, encoding: 'utf8' }).sort();
  return below.map((one) => join(path, one)).filter((one) => statSync(one).isFile());
}

/** For `tiphys deploy` and `tiphys teardown`. */
export const BY_WORKFLOW = ['--engine', 'argo-workflows', '--image', EXECUTOR];
export const SHAPES = ['agent', 'pods'] as const;
export type Shape = (typeof SHAPES)[number];

/** Each way to run a plan, with the arguments that ask for it. */
export const ENGINES = [
  ['embedded', [] as string[]],
  ['argo-workflows by agent', [...BY_WORKFLOW, '--nodes', 'agent']],
  ['argo-workflows by pods', [...BY_WORKFLOW, '--nodes', 'pods']],
] as const;

/** The pod in which a node is in work, once its program runs: its own, or the agent's. */
export async function podOf(
  { stack, namespace }: Scratch,
  node: string,
  shape: Shape,
): Promise<string> {
  const isIt = ({ metadata, spec }: V1Pod) =>
    shape === 'agent'
      ? metadata?.labels?.['workflows.argoproj.io/component'] === 'agent'
      : spec?.containers.some(({ args }) => args?.includes(node));
  return await waitFor(`the pod of ${node} to run`, async () => {
    const { items } = await stack.core.listNamespacedPod({ namespace });
    const found = items.find(
      (pod) =>
        isIt(pod) &&
        pod.status?.phase === 'Running' &&
        pod.metadata?.deletionTimestamp === undefined &&
        pod.status.containerStatuses?.some(({ name, ready }) => name === 'main' && ready),
    );
    return found?.metadata?.name;
  });
}

let loaded: Promise<void> | undefined;

/** Once for a suite, unless one before it has. */
export function loadExecutor({ stack: { config } }: Scratch): Promise<void> {
  loaded ??= hasImage(config, EXECUTOR).then((isThere) =>
    isThere ? undefined : executorImage(config, EXECUTOR),
  );
  return loaded;
}

interface Named {
  namespace?: string;
  name: string;
}

/** Where the Jobs of its probes run. */
export const probesOf = ({ name }: Pick<Scratch, 'name'>): string => `${name}-tiphys-probes`;

/** `workflows/*rights.yaml` for Workflows of the scratch namespace, and the tokens where pods look for them. */
export async function allowRuns(scratch: Scratch): Promise<void> {
  await applyRights(scratch, ['rights.yaml', 'teardown-rights.yaml']);
  await giveTokens(scratch);
}

/** The same of what starts runs; all of it is in the scratch namespace. */
export async function allowEvents(scratch: Scratch): Promise<void> {
  await applyRights(scratch, ['event-rights.yaml']);
}

async function applyRights(scratch: Scratch, files: readonly string[]): Promise<void> {
  const { namespace, name } = scratch;
  const texts = await Promise.all(files.map((file) => readFile(`workflows/${file}`, 'utf8')));
  const given = texts.flatMap((text) => loadAll(text)) as (KubernetesObject & {
    roleRef?: Named & { kind: string };
    subjects?: Named[];
    spec?: { policyName?: string };
  })[];
  const places = new Map([
    ['argo', namespace],
    ['argo-events', namespace],
    ['tiphys-probes', probesOf(scratch)],
  ]);
  const own = (one: Named) => {
    const place = places.get(one.namespace ?? '');
    return place === undefined ? one : { ...one, namespace: place };
  };
  for (const object of given) {
    const metadata = own(object.metadata as Named);
    // Those of Argo CD's namespace are beside the ones of other tests.
    const unique = (one: Named) =>
      metadata.namespace === namespace ? one : { ...one, name: `${name}-${one.name}` };
    await scratch.apply({
      ...object,
      // What is in no namespace must not get that of the scratch.
      metadata: { ...unique(metadata), namespace: metadata.namespace } as V1ObjectMeta,
      ...(object.roleRef && { roleRef: unique(object.roleRef) }),
      ...(object.subjects && { subjects: object.subjects.map(own) }),
      ...(object.spec?.policyName && {
        spec: { ...object.spec, policyName: unique({ name: object.spec.policyName }).name },
      }),
    });
  }
}

/** Of whom the stack has a token; that of deployments and teardowns is one account there. */
const TOKENS: Readonly<Record<string, Account>> = {
  [ACCOUNTS.validate.secret]: 'reader',
  [ACCOUNTS.deploy.secret]: 'tiphys',
  [ACCOUNTS.teardown.secret]: 'tiphys',
};

/** The same Secrets for all: the last that needs them takes them away, for others may test on the same stack. */
async function giveTokens(scratch: Scratch): Promise<void> {
  const { stack, namespace } = scratch;
  const secrets: KubernetesObject[] = [];
  for (const [name, account] of Object.entries(TOKENS)) {
    const token = (await readFile(tokenFile(stack.config, account), 'utf8')).trim();
    const metadata = { name, namespace: 'argocd' };
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata, stringData: { token } };
    await stack.apply(secret as KubernetesObject);
    secrets.push(secret);
  }
  const list = ['get', 'serviceaccounts', '-A', '--field-selector=metadata.name=tiphys-run'];
  const namespaces = ['-o', 'jsonpath={.items[*].metadata.namespace}'];
  scratch.afterwards(async () => {
    const users = (await stack.run('kubectl', ...list, ...namespaces)).trim().split(/\s+/);
    const others = users.filter((user) => user !== '' && user !== namespace && user !== 'argo');
    if (others.length === 0) for (const secret of secrets) await stack.remove(secret);
  });
}

/** environment.yaml beside the platform file, so that Workflows run in the scratch namespace. */
export async function environmentFor(scratch: Scratch): Promise<void> {
  const { namespace, name, stack } = scratch;
  const folder = join(stack.config.state, 'platforms', name);
  const file = {
    ...{ name: 'test', domain: 'example.org', gitRepository: 'file:///none', gitRevision: 'main' },
    workflowsNamespace: namespace,
    probes: { namespace: probesOf(scratch), image: EXECUTOR },
  };
  await writeFile(`${folder}/environment.yaml`, JSON.stringify(file));
}
