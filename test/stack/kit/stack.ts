// The stack as suites see it: clients, the audit log, and the levers for fault tests.

import { readFileSync } from 'node:fs';
import {
  AppsV1Api,
  CoreV1Api,
  CustomObjectsApi,
  KubeConfig,
  type KubernetesObject,
  KubernetesObjectApi,
  PatchStrategy,
} from '@kubernetes/client-node';
import type { Account } from '../argocd.ts';
import { type Config, kubeconfigFile, loadConfig, stackEnvironment, tokenFile } from '../config.ts';
import { Failure } from '../failure.ts';
import { image } from '../images.ts';
import { applyArguments, kubectl } from '../kubectl.ts';
import { killByName, logOf, restartByName } from '../names.ts';
import { run, type WaitOptions, waitFor } from '../run.ts';
import { ArgocdClient, ArgocdError } from './argocd-client.ts';
import { AuditLog } from './audit.ts';
import type { Application, AppProject } from './objects.ts';

const REMINDER_MS = 20_000;
/** Longer than Argo CD's own round, in which it sees what it has overlooked. */
const ROUND_MS = 240_000;

export class Stack {
  readonly config: Config;
  readonly kubeConfig = new KubeConfig();
  readonly core: CoreV1Api;
  readonly apps: AppsV1Api;
  readonly custom: CustomObjectsApi;
  readonly objects: KubernetesObjectApi;
  readonly audit: AuditLog;
  #argocd = new Map<Account, ArgocdClient>();

  constructor(config: Config) {
    this.config = config;
    this.kubeConfig.loadFromFile(kubeconfigFile(config));
    this.core = this.kubeConfig.makeApiClient(CoreV1Api);
    this.apps = this.kubeConfig.makeApiClient(AppsV1Api);
    this.custom = this.kubeConfig.makeApiClient(CustomObjectsApi);
    this.objects = KubernetesObjectApi.makeApiClient(this.kubeConfig);
    this.audit = new AuditLog(config, this.core);
  }

  /** Argo CD as the account `tiphys`. */
  get argocd(): ArgocdClient {
    return this.argocdAs('tiphys');
  }

  argocdAs(account: Account): ArgocdClient {
    const known = this.#argocd.get(account);
    if (known) return known;
    const client = new ArgocdClient(readFileSync(tokenFile(this.config, account), 'utf8'));
    this.#argocd.set(account, client);
    return client;
  }

  /**
   * Creates or changes the object. By kubectl, because the client drops the keys of known kinds that it has another name
   * for, such as x-kubernetes-preserve-unknown-fields. A new kind can be used afterwards.
   */
  async apply<T extends KubernetesObject>(object: T): Promise<T> {
    const args = [...applyArguments, '--field-manager=test', '--output=json', '-f', '-'];
    const applied = await kubectl(this.config, args, JSON.stringify(object));
    if (object.kind === 'CustomResourceDefinition') {
      const name = `crd/${object.metadata?.name}`;
      await waitFor(`${name} to be served`, () =>
        this.run('kubectl', 'wait', '--for=condition=Established', name).catch(() => false),
      );
    }
    return JSON.parse(applied);
  }

  /** Takes the finalizers off, so that a deletion needs nobody's work. */
  async dropFinalizers({ apiVersion, kind, metadata }: KubernetesObject): Promise<void> {
    const { name = '', namespace = '' } = metadata ?? {};
    const patch = { apiVersion, kind, metadata: { name, namespace, finalizers: null } };
    const how = PatchStrategy.MergePatch;
    await this.objects
      .patch(patch as never, undefined, undefined, 'test', undefined, how)
      .catch(ifMissing(undefined));
  }

  /** The object as it is now; undefined if it does not exist. */
  async read<T extends KubernetesObject>(object: T): Promise<T | undefined> {
    const { apiVersion, kind, metadata } = object;
    const header = { apiVersion, kind, metadata: { ...metadata, name: metadata?.name ?? '' } };
    return this.objects.read(header as never).catch(ifMissing(undefined)) as Promise<T | undefined>;
  }

  /** Deletes the object and waits until it is gone. One that does not exist is gone. */
  async remove(object: KubernetesObject): Promise<void> {
    await this.objects.delete(object).catch(ifMissing(undefined));
    const what = `${object.kind} ${object.metadata?.name} to be gone`;
    await waitFor(what, async () => (await this.read(object)) === undefined);
  }

  /** The Application once it is there and looks as wanted. */
  application(
    name: string,
    what: string,
    wanted: (application: Application) => boolean,
    options: WaitOptions = {},
  ): Promise<Application> {
    const ask = async () => {
      const application = await this.argocd.application(name).catch(ifAbsent);
      return application && wanted(application) && application;
    };
    return this.reminded(name, what, ask, options);
  }

  /**
   * Waits for something that Argo CD does to an Application. Its controller can overlook a change, or a request, until its own round:
   * it is asked to look again every 20 s, in turn in both ways, since the same request again changes nothing.
   */
  reminded<T>(
    name: string,
    what: string,
    ask: () => Promise<T | undefined | false>,
    options: WaitOptions = {},
  ): Promise<T> {
    let reminders = 0;
    const begin = performance.now();
    const reminding = async () => {
      const answer = await ask();
      if (answer !== undefined && answer !== false) return answer;
      if (performance.now() - begin > (reminders + 1) * REMINDER_MS) {
        reminders += 1;
        const kind = reminders % 2 === 1 ? 'hard' : 'normal';
        // The answer may take long, or never come: what matters is what is read next.
        this.argocd.request('GET', `applications/${name}?refresh=${kind}`).catch(() => undefined);
      }
      return undefined;
    };
    return waitFor(`Application ${name}: ${what}`, reminding, { timeoutMs: ROUND_MS, ...options });
  }

  /** Reads the object, lets it be changed and writes it back; again where somebody wrote meanwhile. */
  async change<T extends KubernetesObject>(object: T, change: (now: T) => void): Promise<void> {
    const what = `${object.kind} ${object.metadata?.name}`;
    await waitFor(`${what} to be changed`, async () => {
      const now = await this.read(object);
      if (!now) throw new Failure(`there is no ${what}`);
      change(now);
      return this.objects.replace(now).catch(ifConflict);
    });
  }

  /** As its administrator does. */
  changeProject(name: string, change: (project: AppProject) => void): Promise<void> {
    const metadata = { name, namespace: 'argocd' };
    const header = { apiVersion: 'argoproj.io/v1alpha1', kind: 'AppProject', metadata };
    return this.change(header as AppProject, change);
  }

  /** Every Application that there is. */
  async applications(): Promise<Application[]> {
    const argocd = { group: 'argoproj.io', version: 'v1alpha1', namespace: 'argocd' };
    const list = await this.custom.listNamespacedCustomObject({
      ...argocd,
      plural: 'applications',
    });
    const header = { apiVersion: 'argoproj.io/v1alpha1', kind: 'Application' };
    return list.items.map((item: Application) => ({ ...header, ...item }));
  }

  /** Ends a part of the stack as a crash would; it stays away until it is restarted. */
  kill(name: string): Promise<void> {
    return killByName(this.config, name);
  }

  restart(name: string): Promise<void> {
    return restartByName(this.config, name);
  }

  logs(name: string, lines = 50): Promise<string> {
    return logOf(this.config, name, lines);
  }

  image(directory: string, reference: string): Promise<void> {
    return image(this.config, directory, reference);
  }

  /** For child processes: KUBECONFIG, ARGOCD_SERVER, ARGOCD_TOKEN_FILE, and the stack's programs on PATH. */
  get env(): NodeJS.ProcessEnv {
    return { ...process.env, ...stackEnvironment(this.config, process.env) };
  }

  /** Runs a program with that environment: kubectl, helm, kubeseal, yq, git, … */
  run(program: string, ...args: string[]): Promise<string> {
    return run(program, args, { env: this.env });
  }
}

/** Somebody wrote meanwhile: it is read again. */
function ifConflict(error: unknown): undefined {
  if ((error as { code?: number }).code !== 409) throw error;
}

/** For `catch`: a 404 becomes the value, any other error stays one. */
function ifMissing<T>(value: T) {
  return (error: unknown): T => {
    if ((error as { code?: number }).code === 404) return value;
    throw error;
  };
}

/**
 * Argo CD answers 403 for an Application that does not exist, unless it is told the project, and 400 as long as argocd-server has not
 * seen the AppProject, which the test has only just created.
 */
function ifAbsent(error: unknown): undefined {
  if (!(error instanceof ArgocdError)) throw error;
  const isUnseen = error.status === 400 && /or the project does not exist/.test(error.message);
  if (![403, 404].includes(error.status) && !isUnseen) throw error;
}

let shared: Stack | undefined;

export function stack(): Stack {
  shared ??= new Stack(loadConfig(process.env));
  return shared;
}
