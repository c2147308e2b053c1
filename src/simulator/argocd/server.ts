// argocd-server: the part of its API that is used, with its rights, windows and refusals.

import type { Reader } from '../cluster/object-history.ts';
import type { KubeObject, Objects } from '../cluster/object-store.ts';
import type { RestAnswer } from '../cluster/rest.ts';
import { kindOf } from '../cluster/served-kinds.ts';
import type { Git } from '../git.ts';
import { type Account, CODE, denied, ok, refuse, type ServerRequest } from './answers.ts';
import {
  API,
  type Application,
  asApplication,
  BACKGROUND,
  FINALIZER,
  isDone,
  REFRESH,
  withStatus,
} from './application.ts';
import { begin } from './auto-sync.ts';
import type { Controller } from './controller.ts';
import { ManifestError, resolve } from './desired.ts';
import { canSync, isActive, windowsOf } from './project-windows.ts';
import { answerProject } from './server-projects.ts';
import { managedResources, resourceTree, withHealth } from './server-views.ts';

export interface ServerParts {
  readonly objects: Objects;
  readonly reader: Reader;
  readonly controller: Controller;
  readonly git: Git;
  readonly namespace: string;
  readonly now: () => number;
  readonly version: () => string;
  readonly accountOf: (token: string | undefined) => Account | undefined;
}

export class Server {
  readonly #parts: ServerParts;

  constructor(parts: ServerParts) {
    this.#parts = parts;
  }

  handle(request: ServerRequest): RestAnswer {
    const { method, path } = request;
    if (path === '/api/version') return ok({ Version: `v${this.#parts.version()}+rehearsal` });
    const account = this.#parts.accountOf(request.token);
    if (path === '/api/v1/session/userinfo') {
      return ok(account ? { loggedIn: true, username: account.username, iss: 'argocd' } : {});
    }
    if (!account)
      return refuse(CODE.unauthenticated, 'invalid session: account tiphys does not have token');
    const [, , , first = '', name = '', ...below] = path.split('/').map(decodeURIComponent);
    if (first === 'account' && name === 'can-i') {
      const [resource = '', verb = '', ...object] = below;
      return ok({ value: account.may(resource, verb, object.join('/')) ? 'yes' : 'no' });
    }
    if (first === 'projects') return answerProject(this.#parts, request, account, name);
    if (first !== 'applications') return refuse(CODE.notFound, 'Not Found');
    if (name === '') return this.#list(account);
    return this.#application(request, account, name, `${method} ${below.join('/')}`);
  }

  #list(account: Account): RestAnswer {
    const { objects, namespace } = this.#parts;
    const items = objects
      .list(kindOf(API, 'Application'), namespace)
      .filter((object) =>
        account.may('applications', 'get', rightOf(asApplication(object), namespace)),
      );
    return ok({ metadata: { resourceVersion: String(objects.version) }, items });
  }

  #application(request: ServerRequest, account: Account, name: string, asked: string): RestAnswer {
    const { objects, reader, namespace: own } = this.#parts;
    const body = (request.body ?? {}) as { project?: string; appNamespace?: string };
    const project = request.query.get('project') || body.project;
    const namespace = request.query.get('appNamespace') || body.appNamespace || own;
    const from = asked === 'GET ' ? reader : objects;
    const object = from.get(API, 'Application', namespace, name);
    const application = object && asApplication(object);
    const verb = VERBS[asked] ?? 'get';
    const place = namespace === own ? name : `${namespace}/${name}`;
    // Without the project nobody is told what exists.
    if (!project && !application) return denied();
    if (!account.may('applications', verb, `${project ?? application?.spec.project}/${place}`))
      return denied();
    if (!application) {
      return refuse(CODE.notFound, `applications.argoproj.io "${name}" not found`);
    }
    if (project && project !== application.spec.project) {
      return refuse(CODE.notFound, `application "${name}" not found in project "${project}"`);
    }
    return this.#answer(request, account, application, asked);
  }

  #answer(
    request: ServerRequest,
    account: Account,
    application: Application,
    asked: string,
  ): RestAnswer {
    const { controller, objects } = this.#parts;
    switch (asked) {
      case 'GET ':
        return ok(withHealth(application, controller.managed(application)));
      case 'GET syncwindows':
        return this.#windows(application);
      case 'GET managed-resources':
        return ok(managedResources(controller.managed(application)));
      case 'GET resource-tree':
        return ok(resourceTree(controller.managed(application)));
      case 'POST sync':
        return this.#sync(request, account, application);
      case 'DELETE operation':
        return this.#terminate(application);
      case 'DELETE ': {
        this.#markFinalizer(application, request.query);
        const now = objects.current(application);
        if (now) objects.remove(now);
        return ok({});
      }
      default:
        return refuse(CODE.notFound, 'Not Found');
    }
  }

  /** `GET ?refresh=`: marks it; the answer is given when the mark is gone. */
  askRefresh(request: ServerRequest): Application | undefined {
    const kind = request.query.get('refresh');
    const name = /^\/api\/v1\/applications\/([^/]+)$/.exec(request.path)?.[1];
    if (request.method !== 'GET' || !kind || name === undefined) return undefined;
    if (this.handle(request).status !== 200) return undefined;
    const namespace = request.query.get('appNamespace') || this.#parts.namespace;
    const { objects } = this.#parts;
    const object = objects.get(API, 'Application', namespace, decodeURIComponent(name));
    const marked = object && objects.update(object, (now) => withAnnotation(now, REFRESH, kind));
    return marked && asApplication(marked);
  }

  #markFinalizer(application: Application, query: URLSearchParams): void {
    const cascade = query.get('cascade') !== 'false';
    const policy = query.get('propagationPolicy');
    const name = policy === 'background' ? BACKGROUND : FINALIZER;
    this.#parts.objects.update(application, (now) => {
      const others = (now.metadata.finalizers ?? []).filter((one) => !one.startsWith(FINALIZER));
      const finalizers = cascade ? [...others, name] : others;
      return { ...now, metadata: { ...now.metadata, finalizers } };
    });
  }

  #windows(application: Application): RestAnswer {
    const { controller, now } = this.#parts;
    const windows = windowsOf(controller.project(application), application);
    const shown = windows.map(({ kind, schedule, duration, manualSync = false }) => ({
      kind,
      schedule,
      duration,
      manualSync,
    }));
    const active = shown.filter((_, at) =>
      isActive(windows[at] as (typeof windows)[number], now()),
    );
    return ok({
      ...(active.length > 0 ? { activeWindows: active } : {}),
      ...(shown.length > 0 ? { assignedWindows: shown } : {}),
      canSync: canSync(windows, true, now()),
    });
  }

  #sync({ body }: ServerRequest, { username }: Account, application: Application): RestAnswer {
    const { controller, git, now } = this.#parts;
    const asked = (body ?? {}) as SyncBody;
    const name = application.metadata.name;
    if (!canSync(windowsOf(controller.project(application), application), true, now())) {
      return refuse(CODE.denied, 'cannot sync: blocked by sync window');
    }
    if (application.metadata.deletionTimestamp !== undefined) {
      return refuse(CODE.precondition, 'application is deleting');
    }
    let revision: string;
    try {
      revision = asked.revision || resolve(git, application);
    } catch (error) {
      if (!(error instanceof ManifestError)) throw error;
      return refuse(CODE.precondition, `error resolving repo revision: ${error.message}`);
    }
    if (application.operation)
      return refuse(CODE.precondition, 'another operation is already in progress');
    begin(controller, application, {
      sync: {
        revision,
        ...(asked.prune ? { prune: true } : {}),
        syncOptions: asked.syncOptions?.items ?? application.spec.syncPolicy?.syncOptions ?? [],
        syncStrategy: { hook: {} },
      } as NonNullable<Application['operation']>['sync'] & object,
      info: asked.infos ?? [],
      initiatedBy: { username },
      retry: asked.retryStrategy ?? {},
    });
    const current = this.#parts.objects.get(
      API,
      'Application',
      application.metadata.namespace,
      name,
    );
    return ok(current);
  }

  #terminate(application: Application): RestAnswer {
    const state = application.status?.operationState;
    if (!application.operation || !state || isDone(state.phase)) {
      return refuse(CODE.invalid, 'Unable to terminate operation. No operation is in progress');
    }
    this.#parts.objects.update(application, (now) =>
      withStatus(asApplication(now), { operationState: { ...state, phase: 'Terminating' } }),
    );
    return ok({});
  }
}

interface SyncBody {
  readonly revision?: string;
  readonly prune?: boolean;
  readonly infos?: readonly { readonly name: string; readonly value: string }[];
  readonly syncOptions?: { readonly items?: readonly string[] };
  readonly retryStrategy?: { readonly [key: string]: unknown };
}

const VERBS: Readonly<Record<string, string>> = {
  'POST sync': 'sync',
  'DELETE operation': 'sync',
  'DELETE ': 'delete',
};

function rightOf({ metadata, spec }: Application, own: string): string {
  const place =
    metadata.namespace === own ? metadata.name : `${metadata.namespace}/${metadata.name}`;
  return `${spec.project}/${place}`;
}

function withAnnotation(object: KubeObject, key: string, value: string): KubeObject {
  const annotations = { ...object.metadata.annotations, [key]: value };
  return { ...object, metadata: { ...object.metadata, annotations } };
}
