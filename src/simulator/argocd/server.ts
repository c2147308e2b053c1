// argocd-server: the part of its API that is used, with its rights, windows and refusals.

import type { Reader } from '../cluster/object-history.ts';
import { isDeleting, withMetadata } from '../cluster/object-store.ts';
import type { RestAnswer } from '../cluster/rest.ts';
import { type Account, CODE, denied, ok, refuse, type ServerRequest } from './answers.ts';
import {
  API,
  type Application,
  applicationsIn,
  asApplication,
  BACKGROUND,
  FINALIZER,
  isDone,
  withRefresh,
  withStatus,
} from './application.ts';
import { begin } from './auto-sync.ts';
import type { Controller } from './controller.ts';
import { ManifestError, resolve, wantedOf } from './desired.ts';
import { isActive, maySync, type Window, windowsOf } from './project-windows.ts';
import { managedResources, resourceTree, withHealth } from './server-views.ts';

export interface ServerParts {
  readonly controller: Controller;
  /** Of what it shows. */
  readonly reader: Reader;
  readonly accountOf: (token: string | undefined) => Account | undefined;
}

/** The Application that a client asks for, or the answer instead. */
type Found =
  | { readonly application: Application; readonly refusal?: undefined }
  | { readonly refusal: RestAnswer };

export class Server {
  readonly #parts: ServerParts;

  constructor(parts: ServerParts) {
    this.#parts = parts;
  }

  handle(request: ServerRequest): RestAnswer {
    const { method, path } = request;
    const { controller, accountOf } = this.#parts;
    const { version } = controller.parts.settings();
    if (path === '/api/version') return ok({ Version: `v${version}+rehearsal` });
    const account = accountOf(request.token);
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
    if (first !== 'applications') return refuse(CODE.notFound, 'Not Found');
    if (name === '') return this.#list(account);
    const asked = `${method} ${below.join('/')}`;
    const found = this.#find(request, account, name, asked);
    return found.refusal ?? this.#answer(request, account, found.application, asked);
  }

  #list(account: Account): RestAnswer {
    const { objects, namespace } = this.#parts.controller.parts;
    const items = applicationsIn(objects).filter(
      ({ metadata, spec }) =>
        metadata.namespace === namespace &&
        account.may('applications', 'get', `${spec.project}/${metadata.name}`),
    );
    return ok({ metadata: { resourceVersion: String(objects.version) }, items });
  }

  #find(request: ServerRequest, account: Account, name: string, asked: string): Found {
    const { reader, controller } = this.#parts;
    const { objects, namespace: own } = controller.parts;
    const body = (request.body ?? {}) as { project?: string; appNamespace?: string };
    const project = request.query.get('project') || body.project;
    const namespace = request.query.get('appNamespace') || body.appNamespace || own;
    const from = asked === 'GET ' ? reader : objects;
    const object = from.get(API, 'Application', namespace, name);
    const application = object && asApplication(object);
    const verb = VERBS[asked] ?? 'get';
    const place = namespace === own ? name : `${namespace}/${name}`;
    // Without the project, it is not revealed what exists.
    if (!project && !application) return { refusal: denied() };
    if (!account.may('applications', verb, `${project ?? application?.spec.project}/${place}`))
      return { refusal: denied() };
    if (!application) {
      return { refusal: refuse(CODE.notFound, `applications.argoproj.io "${name}" not found`) };
    }
    if (project && project !== application.spec.project) {
      const message = `application "${name}" not found in project "${project}"`;
      return { refusal: refuse(CODE.notFound, message) };
    }
    return { application };
  }

  #answer(
    request: ServerRequest,
    account: Account,
    application: Application,
    asked: string,
  ): RestAnswer {
    const { controller } = this.#parts;
    const { objects } = controller.parts;
    switch (asked) {
      case 'GET ':
        return ok(withHealth(application, controller.managed(application)));
      case 'GET syncwindows':
        return this.#windows(application);
      case 'GET managed-resources':
        return ok(managedResources(application, controller.managed(application)));
      case 'GET manifests':
        return this.#manifests(application);
      case 'GET resource-tree':
        return ok(resourceTree(controller.managed(application)));
      case 'POST sync':
        return this.#sync(request, account, application);
      case 'DELETE operation':
        return this.#terminate(application);
      case 'DELETE ': {
        this.#markFinalizer(application, request.query);
        objects.remove(application);
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
    const account = this.#parts.accountOf(request.token);
    const called = decodeURIComponent(name);
    if (!account || this.#find(request, account, called, 'GET ').refusal) return undefined;
    const { objects, namespace: own } = this.#parts.controller.parts;
    const namespace = request.query.get('appNamespace') || own;
    const object = objects.get(API, 'Application', namespace, called);
    const marked = object && objects.update(object, (now) => withRefresh(now, kind));
    return marked && asApplication(marked);
  }

  #markFinalizer(application: Application, query: URLSearchParams): void {
    const cascade = query.get('cascade') !== 'false';
    const name = query.get('propagationPolicy') === 'background' ? BACKGROUND : FINALIZER;
    this.#parts.controller.parts.objects.update(application, (now) => {
      const others = (now.metadata.finalizers ?? []).filter((one) => !one.startsWith(FINALIZER));
      return withMetadata(now, { finalizers: cascade ? [...others, name] : others });
    });
  }

  #windows(application: Application): RestAnswer {
    const { controller } = this.#parts;
    const windows = windowsOf(controller, application);
    const active = windows.filter((one) => isActive(one, controller.parts.time.calendar));
    return ok({
      ...(active.length > 0 ? { activeWindows: active.map(shown) } : {}),
      ...(windows.length > 0 ? { assignedWindows: windows.map(shown) } : {}),
      canSync: maySync(controller, application, true),
    });
  }

  /** Rendered now, hooks included. */
  #manifests(application: Application): RestAnswer {
    const { git } = this.#parts.controller.parts;
    try {
      const wanted = wantedOf(git, application, resolve(git, application));
      return ok({ manifests: wanted.map(({ object }) => JSON.stringify(object)) });
    } catch (error) {
      if (!(error instanceof ManifestError)) throw error;
      return refuse(CODE.precondition, error.message);
    }
  }

  #sync({ body }: ServerRequest, { username }: Account, application: Application): RestAnswer {
    const { controller } = this.#parts;
    const { git, objects } = controller.parts;
    const asked = (body ?? {}) as SyncBody;
    if (!maySync(controller, application, true))
      return refuse(CODE.denied, 'cannot sync: blocked by sync window');
    if (isDeleting(application)) return refuse(CODE.precondition, 'application is deleting');
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
    return ok(objects.namesake(application));
  }

  #terminate(application: Application): RestAnswer {
    const state = application.status?.operationState;
    if (!application.operation || !state || isDone(state.phase)) {
      return refuse(CODE.invalid, 'Unable to terminate operation. No operation is in progress');
    }
    this.#parts.controller.parts.objects.update(application, (now) =>
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

const shown = ({ kind, schedule, duration, manualSync = false }: Window) => {
  return { kind, schedule, duration, manualSync };
};
