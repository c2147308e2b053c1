// What Applications deploy: from Argo CD's cache for all of them, rendered anew only where the last operation had hooks.
import { TiphysError } from '../../errors.ts';
import type { ReadApplication } from '../../import/application-object.ts';
import { isHook } from '../../import/hooks.ts';
import type { ApplicationMaterial, KubernetesObject } from '../../import/material.ts';
import type { OnProgress } from '../../import/read-progress.ts';
import type { ImportReads } from '../../ports/import-reads.ts';
import { mapConcurrently } from '../map-concurrently.ts';
import { PARTIAL_OR_SILENT, type ReadProblems } from './read-problems.ts';

/** Requests at a time. */
const CONCURRENCY = 16;
/** So many in a row without an answer: Argo CD is down, and to ask for the others would take hours. */
const SILENT_MAX = 2 * CONCURRENCY;

interface Reading {
  readonly problems: ReadProblems;
  readonly signal: AbortSignal;
  readonly progress: OnProgress;
}

export async function readContents(
  applications: readonly ReadApplication[],
  imports: Pick<ImportReads, 'objects' | 'manifests'>,
  reading: Reading,
): Promise<readonly ApplicationMaterial[]> {
  const managed = await readEach(applications, 'managed resources', imports.objects, reading);
  const hooked = applications.filter(({ hasHooks }) => hasHooks);
  const rendered = await readEach(hooked, 'manifests of hooks', imports.manifests, reading);
  return applications.map((application) =>
    withContent(application, managed.get(application), rendered.get(application)),
  );
}

const LOST: Readonly<Record<string, string>> = {
  'managed resources': 'Only the names of what it deploys are known.',
  'manifests of hooks': 'Its hooks are not known.',
};

type Read = (address: Address) => Promise<readonly KubernetesObject[]>;
type Address = Parameters<ImportReads['objects']>[0];

async function readEach(
  applications: readonly ReadApplication[],
  stage: string,
  read: Read,
  { problems, signal, progress }: Reading,
): Promise<ReadonlyMap<ReadApplication, readonly KubernetesObject[]>> {
  const found = new Map<ReadApplication, readonly KubernetesObject[]>();
  let [done, silent] = [0, 0];
  const total = applications.length;
  const lost = LOST[stage] ?? '';
  await mapConcurrently(applications, { concurrency: CONCURRENCY, signal }, async (application) => {
    const { name, project } = application.material;
    const address = { name, project, namespace: application.namespace };
    const ask = async () => {
      try {
        const objects = await read(address);
        silent = 0;
        found.set(application, objects);
      } catch (error) {
        silent = error instanceof TiphysError && error.isPassing ? silent + 1 : 0;
        throw error;
      }
    };
    if (silent < SILENT_MAX) await problems.attempt(name, lost, ask, PARTIAL_OR_SILENT);
    else problems.all.push({ subject: name, message: `Argo CD stopped answering. ${lost}` });
    progress({ stage, done: ++done, total });
  });
  return found;
}

/** Hooks are rendered again at each sync: those in the cluster are of an older one. */
function withContent(
  { material }: ReadApplication,
  managed: readonly KubernetesObject[] | undefined,
  rendered: readonly KubernetesObject[] | undefined,
): ApplicationMaterial {
  if (!managed && !rendered) return material;
  const hooks = rendered?.filter(isHook) ?? managed?.filter(isHook) ?? [];
  const others = (managed ?? rendered ?? []).filter((one) => !isHook(one));
  const objects = [...others, ...hooks];
  // Argo CD lists things, and shows none of them: it has not compared since it started.
  const isEmpty = objects.length === 0 && material.resources.length > 0;
  return isEmpty ? material : { ...material, objects, content: 'manifests' };
}
