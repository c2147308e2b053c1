// AppProjects through argocd-server: an update is refused where somebody wrote meanwhile.
import {
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
  try {
    const next = { ...given, apiVersion: API, kind: 'AppProject' };
    return ok(objects.replace(withMetadata(next, { namespace })));
  } catch (error) {
    if (!(error instanceof WriteRefused)) throw error;
    return refuse(CODE.aborted, error.message);
  }
}
