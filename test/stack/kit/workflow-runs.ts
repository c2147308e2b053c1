// Runs of a platform as Workflows: the rights of the project's own manifest in the scratch namespace, the executor's image,
// and what came of a run.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { KubernetesObject } from '@kubernetes/client-node';
import { loadAll } from 'js-yaml';
import { tokenFile } from '../config.ts';
import { executorImage } from '../executor-image.ts';
import type { Scratch } from './scratch.ts';

export const EXECUTOR = 'localhost/executor:test';

/** For `tiphys deploy`. */
export const BY_WORKFLOW = ['--engine', 'argo-workflows', '--image', EXECUTOR];

/** Once for a suite. */
export async function loadExecutor(scratch: Scratch): Promise<void> {
  await executorImage(scratch.stack.config, EXECUTOR);
}

interface Named {
  namespace?: string;
  name: string;
}

/** `workflows/rights.yaml` for Workflows of the scratch namespace, and the token where pods look for it. */
export async function allowRuns(scratch: Scratch): Promise<void> {
  const { stack, namespace, name } = scratch;
  const given = loadAll(await readFile('workflows/rights.yaml', 'utf8')) as (KubernetesObject & {
    roleRef?: Named;
    subjects?: Named[];
  })[];
  const own = (one: Named) => (one.namespace === 'argo' ? { ...one, namespace } : one);
  for (const object of given) {
    const metadata = own(object.metadata as Named);
    // Those of Argo CD's namespace are beside the ones of other tests.
    const unique = (one: Named) =>
      metadata.namespace === namespace ? one : { ...one, name: `${name}-${one.name}` };
    await scratch.apply({
      ...object,
      metadata: unique(metadata),
      ...(object.roleRef && { roleRef: unique(object.roleRef) }),
      ...(object.subjects && { subjects: object.subjects.map(own) }),
    });
  }
  await scratch.apply({
    ...{ apiVersion: 'v1', kind: 'Secret' },
    metadata: { name: 'tiphys-argocd-token', namespace: 'argocd' },
    stringData: { token: (await readFile(tokenFile(stack.config), 'utf8')).trim() },
  } as KubernetesObject);
}

/** environment.yaml beside the platform file, so that Workflows run in the scratch namespace. */
export async function environmentFor({ namespace, name, stack }: Scratch): Promise<void> {
  const folder = join(stack.config.state, 'platforms', name);
  const file = {
    ...{ name: 'test', domain: 'example.org', gitRepository: 'file:///none', gitRevision: 'main' },
    workflowsNamespace: namespace,
  };
  await writeFile(`${folder}/environment.yaml`, JSON.stringify(file));
}
