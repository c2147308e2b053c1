// List and watch of Applications: goes on where it stopped, lists again where it cannot, and never gives up before its
// signal is given. What it sees are hints.
import { TiphysError } from '../../errors.ts';
import type { Watch } from '../../run/target.ts';
import type { World } from '../retry.ts';
import type { KubernetesApi } from './api.ts';
import { listAll } from './list.ts';
import { paths } from './paths.ts';
import { type Seen, seenApplications } from './seen.ts';
import { followStream, type StreamEnd } from './watch-stream.ts';

const SHORTEST_PAUSE = 800;
const LONGEST_PAUSE = 30_000;

export async function watchApplications(
  api: KubernetesApi,
  world: World,
  namespaces: readonly string[],
  signal: AbortSignal,
): Promise<Watch> {
  const seen = seenApplications();
  const distinct = [...new Set(namespaces)];
  const versions = await Promise.all(
    distinct.map((namespace) => relist(api, namespace, seen, signal)),
  );
  distinct.forEach((namespace, at) => {
    void followNamespace({ api, world, seen, signal }, namespace, versions[at] ?? '');
  });
  return seen;
}

interface Following {
  readonly api: KubernetesApi;
  readonly world: World;
  readonly seen: Seen;
  readonly signal: AbortSignal;
}

async function followNamespace(following: Following, namespace: string, from: string) {
  const { api, world, seen, signal } = following;
  const parts = { api, clock: world.clock };
  const path = paths.applications(namespace);
  let version: string | undefined = from;
  let failures = 0;
  while (!signal.aborted) {
    const step: Step =
      version === undefined
        ? await listStep(following, namespace)
        : streamStep(await followStream(parts, path, version, seen, signal));
    version = step.version;
    if (step.good) failures = 0;
    if (step.goOn) continue;
    await world.clock.sleep(pauseAfter(failures, world.random), signal);
    failures += 1;
  }
}

interface Step {
  /** Undefined: it must be listed. */
  readonly version: string | undefined;
  /** The connection was good. */
  readonly good: boolean;
  /** No pause is needed. */
  readonly goOn: boolean;
}

/** Streams end as a matter of course, and one that is too old wants a list: neither is a failure. */
function streamStep({ kind, version, heard }: StreamEnd): Step {
  if (kind === 'expired') return { version: undefined, good: heard, goOn: heard };
  return { version, good: heard, goOn: kind === 'ended' && heard };
}

/** A good list is no proof that streams work: the pauses go on growing until one has said something. */
async function listStep({ api, seen, signal }: Following, namespace: string): Promise<Step> {
  try {
    const version = await relist(api, namespace, seen, signal);
    return { version, good: false, goOn: true };
  } catch {
    return { version: undefined, good: false, goOn: false };
  }
}

/** At least 0.8 s, at most a bound that doubles up to 30 s. */
function pauseAfter(failures: number, random: () => number): number {
  const bound = Math.min(LONGEST_PAUSE, 2 * SHORTEST_PAUSE * 2 ** failures);
  return SHORTEST_PAUSE + random() * (bound - SHORTEST_PAUSE);
}

/** The version that the list is of. */
async function relist(
  api: KubernetesApi,
  namespace: string,
  seen: Seen,
  signal: AbortSignal,
): Promise<string> {
  const { resourceVersion, items } = await listAll(
    api,
    paths.applications(namespace),
    {},
    { signal },
  );
  if (resourceVersion === undefined) throw unknownKind();
  seen.replace(namespace, items, resourceVersion);
  return resourceVersion;
}

export function unknownKind(): TiphysError {
  return new TiphysError([
    {
      code: 'argocd-not-found',
      message: 'The cluster does not know Applications: Argo CD is not installed.',
      hint: 'Install Argo CD, or choose another cluster with --context.',
    },
  ]);
}
