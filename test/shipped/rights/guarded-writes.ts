// Writes to Applications, as the policy tiphys-guard judges them: who writes, and what an Application shows before.
import { readFileSync } from 'node:fs';
import { loadAll } from 'js-yaml';
import { type Attempt, judged, type Policy } from './policies.ts';

export const GUARD = loadAll(readFileSync('workflows/guard.yaml', 'utf8')) as Policy[];
const account = (name: string) => `system:serviceaccount:argocd:${name}`;
export const SERVER = account('argocd-server');
export const CONTROLLER = account('argocd-application-controller');
export const GENERATOR = account('argocd-applicationset-controller');
/** The AppProject. */
export const PARAMS = {
  metadata: {
    name: 'platform',
    labels: { 'tiphys.dev/guard': 'true' },
    annotations: {
      'guard.tiphys.dev/platform': 'reference',
      'guard.tiphys.dev/break-glass': 'alice bob@example.com',
    },
  },
};
export const SOURCE = {
  repoURL: 'https://git.example.com/a.git',
  path: 'a',
  targetRevision: 'main',
};

export const synced = (revision: string, source: object = SOURCE) => ({ revision, source });
export const state = (result: object, more: object = {}) => ({
  ...{ operation: { sync: {} }, phase: 'Succeeded', syncResult: result },
  ...more,
});

/** Deployed at r1, and Git is at r2. */
export const STATUS = {
  history: [synced('r0'), synced('r1')],
  operationState: state(synced('r1')),
  sync: { status: 'OutOfSync', revision: 'r2', comparedTo: { source: SOURCE } },
};
export const SYNCED_AT_R2 = { ...STATUS.sync, status: 'Synced' };

export interface Shown {
  readonly metadata: object;
  readonly spec: object;
  readonly status?: object;
}

export function application(more: object = {}, project = 'platform'): Shown {
  return { metadata: { name: 'db', namespace: 'argocd' }, spec: { project }, ...more };
}

export const withStatus = (part: object) => application({ status: { ...STATUS, ...part } });
export const BEFORE = withStatus({});

export const by = (username: string, sync: object = synced('r2')) => ({
  operation: { initiatedBy: { username }, sync },
});
export const automated = (sync: object, more: object = {}) => ({
  operation: { initiatedBy: { automated: true }, sync, ...more },
});

/** As Argo CD writes it: the state of the last operation goes. */
export function requesting(operation: object, before: Shown = BEFORE) {
  const { operationState: _, ...status } = (before.status ?? {}) as Record<string, unknown>;
  return { ...before, status, ...operation };
}

export function attempt(user: string, object: object, more: Partial<Attempt> = {}) {
  const [judgement] = judged(GUARD, {
    ...{ user, operation: 'UPDATE', resource: 'applications', object },
    ...{ oldObject: BEFORE, params: PARAMS, ...more },
  });
  return judgement ?? { messages: [], audited: [] };
}

export const refused = (...args: Parameters<typeof attempt>) => attempt(...args).messages;
