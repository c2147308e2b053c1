// AppProjects through argocd-server: an update is refused where somebody wrote meanwhile.
import {
  type Json,
  type KubeObject,
  type Objects,
  WriteRefused,
  withMetadata,
} from '../cluster/object-store.ts';
import type { RestAnswer } from '../cluster/rest.ts';
import { type Account, CODE, denied, ok, refuse, type ServerRequest } from './answers.ts';
import { API } from './application.ts';

export function answerProject(
  { objects, namespace }: { readonly objects: Objects; readonly namespace: string },
  { method, body }: ServerRequest,
  account: Account,
  name: string,
): RestAnswer {
  const verb = method === 'PUT' ? 'update' : 'get';
  if (!account.may('projects', verb, name)) return denied();
  const now = objects.get(API, 'AppProject', namespace, name);
  if (!now) return refuse(CODE.notFound, `appprojects.argoproj.io "${name}" not found`);
  if (method === 'GET') return ok(now);
  const given = (body as { project: KubeObject }).project;
  if (hasEqualWindows(given)) return refuse(CODE.exists, 'sync window already exists');
  try {
    const next = { ...given, apiVersion: API, kind: 'AppProject' };
    return ok(objects.replace(withMetadata(next, { namespace })));
  } catch (error) {
    if (!(error instanceof WriteRefused)) throw error;
    return refuse(CODE.aborted, error.message);
  }
}

/** Two that differ at most in `manualSync` and their description. */
function hasEqualWindows({ spec }: KubeObject): boolean {
  const windows = (spec?.syncWindows ?? []) as readonly Json[];
  const identities = windows.map(({ manualSync: _, description: __, ...identity }) =>
    JSON.stringify(Object.entries(identity).sort()),
  );
  return new Set(identities).size < identities.length;
}
