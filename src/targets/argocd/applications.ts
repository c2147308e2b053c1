// Applications through argocd-server, which checks rights and windows, resolves revisions and keeps operations apart.
import { TiphysError } from '../../errors.ts';
import type { ApplicationAddress } from '../../model/platform.ts';
import type { Applications } from '../../ports/argocd-applications.ts';
import type { ImportReads } from '../../ports/import-reads.ts';
import { culprit } from '../application/culprit.ts';
import { liveResources } from '../application/live.ts';
import { managedObjects } from '../application/managed.ts';
import { predictedObjects } from '../application/predicted.ts';
import { renderedObjects, wantedObjects } from '../application/rendered.ts';
import { applicationView } from '../application/view.ts';
import { escaped } from '../kubernetes/paths.ts';
import type { Patience } from '../retry.ts';
import type { ArgocdApi, ReadRequest } from './api.ts';
import type { Right } from './can-i.ts';
import { Refreshes } from './refreshes.ts';
import { syncWindows } from './windows.ts';

/** Argo CD answers when its controller has taken the refresh up. */
const REFRESH = { budget: 15_000, deadline: 15_000 };
/** From a cache; where it is not filled, for want of a comparison, waiting does not help. */
const LIVE = { budget: 20_000, deadline: 20_000 };

/** The repo-server renders the source anew, which takes as long as Helm or Kustomize do. */
const RENDER = { budget: 90_000, deadline: 90_000 };

/** What is asked about one Application. */
function questions(api: ArgocdApi, argocdNamespace: string) {
  const question = (address: ApplicationAddress, below: string, verb: string) => ({
    path: `/applications/${escaped(address.name)}${below}`,
    // Always with the project: without it Argo CD gives one answer for what is missing and what is forbidden.
    query: { project: address.project, appNamespace: address.namespace },
    what: `the Application "${address.name}"`,
    right: rightOn(address, verb, argocdNamespace),
  });
  /** Of an Application that must be there. */
  const readPart = async <T>(asked: ReadRequest, map: (given: unknown) => T): Promise<T> => {
    const found = await api.read(asked, (given) => ({ part: map(given) }));
    if (!found) throw gone(asked.what);
    return found.part;
  };
  const part = <T>(
    address: ApplicationAddress,
    below: string,
    map: (given: unknown) => T,
    patience?: Partial<Patience>,
  ) => readPart({ ...question(address, below, 'get'), ...(patience && { patience }) }, map);
  return { question, part };
}

/** What an import asks beside what runs do. */
export function argocdImports(
  api: ArgocdApi,
  argocdNamespace: string,
): Pick<ImportReads, 'objects' | 'manifests'> {
  const { part } = questions(api, argocdNamespace);
  return {
    objects: (address) => part(address, '/managed-resources', wantedObjects, LIVE),
    manifests: (address) => part(address, '/manifests', renderedObjects, RENDER),
  };
}

export function argocdApplications(
  api: ArgocdApi,
  argocdNamespace: string,
): Omit<Applications, 'list'> {
  const { question, part } = questions(api, argocdNamespace);
  const refreshes = new Refreshes(async (address, refresh) => {
    const asked = question(address, '', 'get');
    const query = { ...asked.query, refresh };
    try {
      return await api.read({ ...asked, query, patience: REFRESH }, applicationView);
    } catch (cause) {
      // It is asked for, if not done: what is read next shows whether it still is to come.
      if (!isDeadline(cause)) throw cause;
      return 'late';
    }
  });
  return {
    get: (address) => api.read(question(address, '', 'get'), applicationView),
    refresh: (address) => refreshes.refresh(address),
    liveResources: (address) => part(address, '/managed-resources', liveResources, LIVE),
    managedObjects: (address) => part(address, '/managed-resources', managedObjects, LIVE),
    predictedObjects: (address) => part(address, '/managed-resources', predictedObjects, LIVE),
    culprit: (address) => part(address, '/resource-tree', culprit, LIVE),
    syncWindows: (address) => part(address, '/syncwindows', syncWindows),
    requestSync: (address, { infos, prune, syncOptions }, long) => {
      const { query: _, ...asked } = question(address, '/sync', 'sync');
      const body = {
        name: address.name,
        appNamespace: address.namespace,
        project: address.project,
        prune,
        infos: [...infos].map(([name, value]) => ({ name, value })),
        syncOptions: { items: syncOptions },
        retryStrategy: { limit: 0 },
      };
      return api.write({ ...asked, method: 'POST', body, long });
    },
    remove: (address) => {
      const asked = question(address, '', 'delete');
      const query = { ...asked.query, cascade: 'true', propagationPolicy: 'foreground' };
      return api.write({ ...asked, query, method: 'DELETE' });
    },
    terminate: (address) =>
      api.write({ ...question(address, '/operation', 'sync'), method: 'DELETE' }),
  };
}

/** Outside Argo CD's namespace, the namespace is part of the object. */
function rightOn(address: ApplicationAddress, verb: string, argocdNamespace: string): Right {
  const { project, namespace, name } = address;
  const object =
    namespace === argocdNamespace ? `${project}/${name}` : `${project}/${namespace}/${name}`;
  return { resource: 'applications', verb, object };
}

function isDeadline(cause: unknown): boolean {
  const failure = cause instanceof TiphysError ? cause.cause : undefined;
  return failure instanceof Error && 'kind' in failure && failure.kind === 'deadline';
}

function gone(what: string): TiphysError {
  const hint = 'It was deleted, or moved to another project; check with `argocd app get`.';
  const message = `${what[0]?.toUpperCase()}${what.slice(1)} no longer exists.`;
  return new TiphysError([{ code: 'application-missing', message, hint }]);
}
