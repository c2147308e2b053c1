// Every version of one object that a watch shows.
import type { App } from './app.ts';
import type { Lab } from './lab.ts';
import { type Place, pathOf } from './paths.ts';

interface Event<T> {
  readonly type: string;
  readonly object: T;
}

export interface History<T> {
  readonly events: readonly Event<T>[];
  /** The next one that fits, those before it included. */
  readonly until: (what: string, fits: (event: Event<T>) => boolean) => Promise<Event<T>>;
  readonly stop: () => void;
}

interface Named {
  readonly metadata: { readonly name?: string };
}

/** From now on, or from a version on. */
export async function watch<T extends Named>(
  lab: Lab,
  place: Place,
  fits: (object: T) => boolean,
  from?: string,
): Promise<History<T>> {
  const list = await lab.kube('GET', `${pathOf(place)}?limit=1`);
  const version = from ?? list.body.metadata.resourceVersion;
  const stop = new AbortController();
  const events: Event<T>[] = [];
  const { lines, status } = await lab.world.kubernetes.stream({
    method: 'GET',
    path: `${pathOf(place)}?watch=1&resourceVersion=${version}&timeoutSeconds=120`,
    deadline: 20_000,
    signal: stop.signal,
  });
  if (status !== 200) throw new Error(`watch: status ${status}`);
  const follow = async () => {
    for await (const line of lines) {
      const event = JSON.parse(line) as Event<T>;
      if (event.type === 'ERROR' || fits(event.object)) events.push(event);
    }
  };
  // It ends with the signal, which shows as an error.
  void follow().catch(() => undefined);
  return {
    events,
    until: (what, wanted) => lab.until(what, async () => events.find(wanted)),
    stop: () => stop.abort(),
  };
}

/** Of one Application. */
export function watchApp(lab: Lab, name: string): Promise<History<App>> {
  const place = { apiVersion: 'argoproj.io/v1alpha1', kind: 'Application' };
  const namespace = lab.world.argocdNamespace;
  return watch<App>(lab, { ...place, namespace }, ({ metadata }) => metadata.name === name);
}
