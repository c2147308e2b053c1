// List and watch of Applications and AppProjects: continues where it stopped, lists again where it cannot, and never gives
// up before its signal is given. What it sees are hints.
import { TiphysError } from '../../errors.ts';
import type { Watch } from '../../ports/application-watch.ts';
import type { KubernetesApi } from './api.ts';
import { listAll } from './list.ts';
import { onlyNamed, paths, withQuery } from './paths.ts';
import { seenApplications } from './seen.ts';
import { followStream, type StreamEnd, type StreamEvents } from './watch-stream.ts';

const SHORTEST_PAUSE = 800;
const LONGEST_PAUSE = 30_000;

export async function watchApplications(
  api: KubernetesApi,
  namespaces: readonly string[],
  signal: AbortSignal,
): Promise<Omit<Watch, 'follow'>> {
  const seen = seenApplications();
  const followings = [...new Set(namespaces)].map((namespace): Following => {
    const replace = (items: readonly unknown[], version: string) =>
      seen.replace(namespace, items, version);
    const events = { observe: seen.observe, remove: seen.remove, replace };
    return { api, path: paths.applications(namespace), events, signal };
  });
  const versions = await Promise.all(followings.map(relist));
  followings.forEach((following, at) => {
    void follow(following, versions[at] ?? '');
  });
  return seen;
}

/** Calls at each change of what is at that path. False where it may not be listed. */
export async function watchFor(
  api: KubernetesApi,
  path: string,
  changed: () => void,
  signal: AbortSignal,
): Promise<boolean> {
  const events = { observe: changed, remove: changed, replace: changed };
  return await followWhereAllowed({ api, path, events, signal });
}

/** The same of one object in a collection. */
export function watchOne(
  api: KubernetesApi,
  collection: string,
  name: string,
  changed: () => void,
  signal: AbortSignal,
): Promise<boolean> {
  return watchFor(api, withQuery(collection, onlyNamed(name)), changed, signal);
}

/** False where it may not be listed, or it is not served. */
export async function followWhereAllowed(following: Following): Promise<boolean> {
  try {
    void follow(following, await relist(following));
    return true;
  } catch (error) {
    if (!(error instanceof TiphysError)) throw error;
    return false;
  }
}

export interface Following {
  readonly api: KubernetesApi;
  readonly path: string;
  readonly events: StreamEvents & {
    readonly replace: (items: readonly unknown[], version: string) => void;
  };
  readonly signal: AbortSignal;
}

async function follow(following: Following, from: string) {
  const { api, path, events, signal } = following;
  const { clock, random } = api.world;
  let version: string | undefined = from;
  let failures = 0;
  while (!signal.aborted) {
    const step: Step =
      version === undefined
        ? await listStep(following)
        : streamStep(await followStream(api, path, version, events, signal));
    version = step.version;
    if (step.good) failures = 0;
    if (step.goOn) continue;
    await clock.sleep(pauseAfter(failures, random), signal);
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

/** A good list is no proof that streams work: the pauses grow until one has said something. */
async function listStep(following: Following): Promise<Step> {
  try {
    const version = await relist(following);
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
async function relist({ api, path, events, signal }: Following): Promise<string> {
  const { resourceVersion, items } = await listAll(api, path, {}, { signal });
  if (resourceVersion === undefined) throw unknownKind();
  events.replace(items, resourceVersion);
  return resourceVersion;
}

export function unknownKind(): TiphysError {
  const message = 'Argo CD is not installed: the cluster has no Application resource.';
  const hint = 'Install Argo CD, or choose another cluster with --context.';
  return new TiphysError([{ code: 'argocd-not-found', message, hint }]);
}
