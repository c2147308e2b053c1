// What befalls the simulated cluster at its time: restarts, pushes to Git, windows, and things done by other people.

import type { Account } from '../simulator/argocd/answers.ts';
import {
  API,
  type Application,
  applicationsIn,
  asApplication,
  type OperationState,
  sourceOf,
  withRefresh,
  withStatus,
} from '../simulator/argocd/application.ts';
import { begin } from '../simulator/argocd/auto-sync.ts';
import type { Controller } from '../simulator/argocd/controller.ts';
import type { History } from '../simulator/cluster/object-history.ts';
import { type KubeObject, type Objects, withMetadata } from '../simulator/cluster/object-store.ts';
import { kindOf } from '../simulator/cluster/served-kinds.ts';
import type { Watch } from '../simulator/cluster/watch-server.ts';
import type { Git } from '../simulator/git.ts';
import type { VirtualTime } from '../simulator/virtual-time.ts';
import { TransportFailure } from '../targets/transport.ts';
import type { Fault } from './fault.ts';
import type { Faults } from './faults.ts';

/** What can be befallen. */
interface Place {
  readonly faults: Faults;
  readonly time: VirtualTime;
  readonly objects: Objects;
  readonly history: History;
  readonly git: Git;
  readonly controller: Controller;
  readonly watches: Set<Watch>;
  readonly namespace: string;
  readonly accounts: Map<string, Account>;
  readonly denied: Set<string>;
}

/** False: there was nothing that it could happen to. */
type FaultAction = (place: Place, fault: Fault) => unknown;

const SECOND = 1_000;
const RESTART_SECONDS = 15;

export function scheduleFaults(place: Place): void {
  const { faults, time } = place;
  for (const subject of ['app', 'argocd', 'git', 'watch', 'project', 'token'] as const) {
    for (const fault of faults.all(subject)) {
      const action = FAULT_ACTIONS[`${subject} ${fault.effect}`];
      if (!action) continue;
      time.after((fault.at ?? 0) * SECOND, () => {
        if (action(place, fault) !== false) faults.note(fault);
      });
    }
  }
}

const FAULT_ACTIONS: Readonly<Record<string, FaultAction>> = {
  'argocd restart': ({ controller, time }, fault) => {
    controller.stop();
    time.after((fault.for ?? RESTART_SECONDS) * SECOND, () => controller.start());
  },
  /** Its end is half written: no time, no result. */
  'argocd orphans': ({ objects, controller, time }) => {
    controller.stop();
    let orphans = 0;
    for (const { operation, ...application } of applicationsIn(objects)) {
      const state = application.status?.operationState;
      if (!operation || state?.phase !== 'Running') continue;
      const { syncResult: _, ...left } = state;
      const operationState: OperationState = { ...left, phase: 'Succeeded' };
      objects.update(application, () => withStatus(application, { operationState }));
      orphans++;
    }
    time.after(RESTART_SECONDS * SECOND, () => controller.start());
    return orphans > 0;
  },
  'argocd refreshes-all': ({ objects, time }, fault) => {
    for (let second = 0; second < (fault.for ?? 10); second++) {
      time.after(second * SECOND, () => refreshAll(objects));
    }
  },
  'token expires': ({ accounts, objects, namespace, time }, fault) => {
    const [[, account] = []] = [...accounts];
    accounts.clear();
    time.after((fault.for ?? 0) * SECOND, () => {
      const secret = objects.get('v1', 'Secret', namespace, 'tiphys-argocd-token');
      if (!account || !secret) return;
      const next = `rehearsal-${secret.metadata.resourceVersion}`;
      accounts.set(next, account);
      objects.update(secret, (now) => ({ ...now, data: { token: btoa(next) } }));
    });
  },
  'token loses-rights': ({ accounts, denied }) => {
    denied.add('patch appprojects');
    for (const [token, { username }] of accounts) {
      accounts.set(token, { username, may: (_, verb) => verb === 'get' });
    }
  },
  'git unreachable': ({ git, time }, fault) => {
    git.reachable = false;
    time.after((fault.for ?? 60) * SECOND, () => {
      git.reachable = true;
    });
  },
  'git moves': moveGit,
  'git busy': (place, fault) => {
    const { every = 240, for: lasts = Number.POSITIVE_INFINITY } = fault;
    const end = place.time.now + lasts * SECOND;
    const again = () => {
      if (place.time.now >= end) return;
      moveGit(place);
      place.time.after(every * SECOND, again);
    };
    again();
  },
  'watch closes': ({ watches }) => onEach(watches, (watch) => watch.end()),
  /** Those that are open have ended with the connection. */
  'watch refused': ({ watches }) => onEach(watches, (watch) => watch.end()),
  'watch breaks': ({ watches }) => {
    const reset = new TransportFailure('unreachable', 'connection reset');
    return onEach(watches, (watch) => watch.cut(reset));
  },
  'watch expires': ({ watches, history, objects }) => {
    history.compact(objects.version);
    return onEach(watches, (watch) => watch.end());
  },
  'watch silent': ({ watches }) => onEach(watches, (watch) => watch.freeze()),
  'app recreated': onApplication(({ objects }, object) => {
    objects.update(object, (now) => withMetadata(now, { finalizers: [] }));
    objects.remove(object);
    const { uid: _, resourceVersion: __, deletionTimestamp: ___, ...metadata } = object.metadata;
    const { status: ____, operation: _____, ...rest } = object;
    objects.create({ ...rest, metadata } as KubeObject);
  }),
  'app synced-by-others': onApplication(({ controller, git }, application) => {
    if (application.operation) return false;
    const revision = git.head(sourceOf(application).repoURL);
    begin(controller, application, { sync: { revision }, initiatedBy: { username: 'somebody' } });
  }),
  'app deleted': onApplication(({ objects }, application) => objects.remove(application)),
  'app changed': onApplication(({ git }, application) => {
    const { repoURL, path = '' } = sourceOf(application);
    const manifests = git.read(repoURL, path, git.head(repoURL));
    if (!manifests) return false;
    git.commit(repoURL, path, manifests.map(changed));
  }),
  'project closed': ({ objects, time }, fault) => {
    const window = { kind: 'deny', schedule: '* * * * *', duration: '1h', applications: ['*'] };
    changeProjects(objects, (windows) => [...windows, window]);
    time.after((fault.for ?? 60) * SECOND, () =>
      changeProjects(objects, (windows) =>
        windows.filter((one) => (one as typeof window).schedule !== window.schedule),
      ),
    );
  },
  'project hold-removed': ({ objects }) => {
    const all = objects.list(kindOf(API, 'AppProject')).flatMap(windowsOf);
    changeProjects(objects, () => []);
    return all.some((window) => (window as { readonly kind?: string }).kind === 'deny');
  },
};

/** False: there is no such Application. */
function onApplication(act: (place: Place, application: Application) => unknown): FaultAction {
  return (place, { name = '' }) => {
    const object = place.objects.get(API, 'Application', place.namespace, name);
    return object ? act(place, asApplication(object)) : false;
  };
}

/** A commit that changes nothing of what is deployed. */
function moveGit({ git, objects }: Place): void {
  const repositories = applicationsIn(objects).map((one) => sourceOf(one).repoURL);
  for (const repository of new Set(repositories)) git.move(repository);
}

/** As a person changes a manifest: another label. */
function changed(manifest: KubeObject): KubeObject {
  const { labels } = manifest.metadata;
  return withMetadata(manifest, { labels: { ...labels, changes: `${labels?.changes ?? ''}x` } });
}

/** False: there are none. */
function onEach(watches: Set<Watch>, act: (watch: Watch) => void): boolean {
  const some = [...watches];
  for (const watch of some) act(watch);
  watches.clear();
  return some.length > 0;
}

const windowsOf = ({ spec }: KubeObject): readonly unknown[] =>
  (spec?.syncWindows as readonly unknown[] | undefined) ?? [];

function changeProjects(
  objects: Objects,
  change: (windows: readonly unknown[]) => readonly unknown[],
): void {
  for (const project of objects.list(kindOf(API, 'AppProject'))) {
    objects.update(project, (now) => {
      return { ...now, spec: { ...now.spec, syncWindows: change(windowsOf(now)) } };
    });
  }
}

function refreshAll(objects: Objects): void {
  for (const application of applicationsIn(objects))
    objects.update(application, (now) => withRefresh(now, 'normal'));
}
