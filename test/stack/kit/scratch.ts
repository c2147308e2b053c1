// What one test has for itself: a namespace, an AppProject, a Git repository, Applications. All of it is removed after
// the test.

import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { KubernetesObject } from '@kubernetes/client-node';
import type { Application, AppProject } from './objects.ts';
import { Repository } from './repository.ts';
import type { Stack } from './stack.ts';

export interface ApplicationOptions {
  /** Directory in the scratch repository. */
  readonly path: string;
  /** In place of that directory of the scratch repository: several. */
  readonly sources?: readonly object[];
  readonly project?: string;
  readonly automated?: { readonly prune?: boolean; readonly selfHeal?: boolean };
  readonly syncOptions?: readonly string[];
  /** Deleting the Application deletes what it deployed. */
  readonly cascade?: boolean;
  readonly annotations?: Readonly<Record<string, string>>;
}

const ARGOCD = 'argocd';
const TRACKING_ID = 'argocd.argoproj.io/tracking-id';
/** Longer than Argo CD takes from one object of a sync to the next. */
const SYNC_ENDS_MS = 3_000;
const IN_CLUSTER = 'https://kubernetes.default.svc';

export class Scratch {
  readonly stack: Stack;
  /** Unique; the name of the namespace and of the first AppProject. */
  readonly name: string;
  readonly repository: Repository;
  #cleanups: (() => Promise<void>)[] = [];
  #projects = 0;

  private constructor(stack: Stack, name: string, repository: Repository) {
    this.stack = stack;
    this.name = name;
    this.repository = repository;
  }

  static async create(stack: Stack): Promise<Scratch> {
    const name = `test-${randomBytes(4).toString('hex')}`;
    const directory = join(stack.config.state, 'repositories', name);
    const scratch = new Scratch(stack, name, await Repository.create(directory));
    scratch.afterwards(() => rm(directory, { recursive: true, force: true }));
    await scratch.#namespace();
    if (stack.config.argocd !== 'none') await scratch.project();
    return scratch;
  }

  get namespace(): string {
    return this.name;
  }

  /** Work for after the test; the last is done first. */
  afterwards(cleanup: () => Promise<void>): void {
    this.#cleanups.push(cleanup);
  }

  async cleanUp(): Promise<void> {
    for (const cleanup of this.#cleanups.splice(0).reverse()) await cleanup();
  }

  /** Applies the object, in the scratch namespace unless it names one, and removes it after the test. */
  async apply<T extends KubernetesObject>(object: T): Promise<T> {
    const metadata = { namespace: this.namespace, ...object.metadata };
    const applied = await this.stack.apply({ ...object, metadata });
    if (metadata.namespace !== this.namespace) {
      this.afterwards(() => this.stack.remove({ ...object, metadata }));
    }
    return applied;
  }

  /** One more AppProject; the first is there from the start and has the scratch's name. */
  async project(spec: Partial<AppProject['spec']> = {}): Promise<string> {
    const name = this.#projects === 0 ? this.name : `${this.name}-${this.#projects + 1}`;
    this.#projects += 1;
    const project = {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'AppProject',
      metadata: { name, namespace: ARGOCD },
      spec: {
        sourceRepos: ['*'],
        destinations: [{ server: '*', namespace: '*' }],
        clusterResourceWhitelist: [{ group: '*', kind: '*' }],
        ...spec,
      },
    };
    await this.stack.apply(project);
    this.afterwards(async () => {
      await this.removeApplications(name);
      await this.stack.remove(project);
    });
    return name;
  }

  /** An Application of the scratch repository, deployed to the scratch namespace. Returns its unique name. */
  async application(suffix: string, options: ApplicationOptions): Promise<string> {
    const name = `${this.name}-${suffix}`;
    const application: Application = {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: {
        name,
        namespace: ARGOCD,
        ...(options.annotations ? { annotations: options.annotations } : {}),
        ...(options.cascade ? { finalizers: ['resources-finalizer.argocd.argoproj.io'] } : {}),
      },
      spec: {
        project: options.project ?? this.name,
        ...(options.sources ? { sources: options.sources } : { source: this.#source(options) }),
        destination: { server: IN_CLUSTER, namespace: this.namespace },
        ...(options.automated || options.syncOptions
          ? {
              syncPolicy: {
                ...(options.automated ? { automated: options.automated } : {}),
                ...(options.syncOptions ? { syncOptions: options.syncOptions } : {}),
              },
            }
          : {}),
      },
    };
    await this.stack.apply(application);
    return name;
  }

  #source({ path }: ApplicationOptions): object {
    return { repoURL: this.repository.url, path, targetRevision: 'main' };
  }

  /**
   * All of a project, also those that an ApplicationSet or another Application made. Without their finalizers: what
   * they deployed goes with the namespace. Again, until none is left: a parent that heals itself makes its children anew,
   * and one whose sync was in progress when it went still makes those that were to come.
   */
  async removeApplications(project: string): Promise<void> {
    let made = false;
    for (let last = Date.now(); !made || Date.now() - last < SYNC_ENDS_MS; ) {
      const all = await this.stack.applications();
      const ours = all.filter(({ spec }) => spec.project === project);
      if (ours.length === 0 && !made) return;
      if (ours.length === 0) await setTimeout(500);
      else last = Date.now();
      made ||= ours.some(({ metadata }) => metadata?.annotations?.[TRACKING_ID] !== undefined);
      for (const application of ours) {
        await this.stack.dropFinalizers(application);
        await this.stack.remove(application);
      }
    }
  }

  /** It is not waited for: that takes seconds, and the next test has another one. */
  async #namespace(): Promise<void> {
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: this.name } };
    await this.stack.apply(namespace);
    this.afterwards(async () => {
      await this.stack.objects.delete(namespace);
    });
  }
}
