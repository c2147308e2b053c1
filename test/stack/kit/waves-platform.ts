// A platform that orders itself: an Application of Applications in sync waves, and two PreSync Jobs that wait. The second one waits for what
// comes in a later wave, so that the platform never comes up from nothing. Each folder of `source` is built by Kustomize into
// the folder of `rendered` that Argo CD reads.

import { join } from 'node:path';
import type { KubernetesObject } from '@kubernetes/client-node';
import { expect } from 'vitest';
import { child, memberName } from './family.ts';
import type { Application } from './objects.ts';
import type { Files } from './repository.ts';
import type { Scratch } from './scratch.ts';
import { WAIT_IMAGE } from './wait-image.ts';
import { deployment, service } from './workloads.ts';

/** Application -> its sync wave. */
const WAVES = { db: 0, cache: 0, queue: 0, api: 1, gateway: 2, web: 3, worker: 3 } as const;
export const MEMBERS = Object.keys(WAVES);
/** The Jobs of these. */
const WAITS = { api: 'wait-for-db', gateway: 'wait-for-web' } as const;
/** What the parent and these are called in Git. */
export const PARENT = 'parent';

const RBAC = 'rbac.authorization.k8s.io';
const HOOK = 'argocd.argoproj.io/hook';
const POLICY = 'argocd.argoproj.io/hook-delete-policy';

const hook = (policy: string, wave = 0) => ({
  [HOOK]: 'PreSync',
  [POLICY]: policy,
  'argocd.argoproj.io/sync-wave': String(wave),
});

export class WavesPlatform {
  readonly #scratch: Scratch;

  constructor(scratch: Scratch) {
    this.#scratch = scratch;
  }

  name(suffix: string): string {
    return memberName(this.#scratch, suffix);
  }

  /** Commits it, and lets the ServiceAccount `default` of every namespace of it look at everything. */
  async create(): Promise<void> {
    const { stack, name } = this.#scratch;
    await this.#scratch.repository.commit(this.#files());
    await this.render();
    const binding = {
      apiVersion: `${RBAC}/v1`,
      kind: 'ClusterRoleBinding',
      metadata: { name: `${name}-look` },
      roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: 'view' },
      subjects: [{ kind: 'ServiceAccount', name: 'default', namespace: this.name('gateway') }],
    };
    await stack.apply(binding);
    this.#scratch.afterwards(async () => {
      await this.#scratch.removeApplications(name);
      await stack.remove(binding);
      await this.#dropHooks();
      const namespaces = MEMBERS.map((suffix) => this.name(suffix));
      const options = ['--ignore-not-found', '--wait=false'];
      await stack.run('kubectl', 'delete', 'namespace', ...namespaces, ...options);
    });
  }

  /**
   * Where a test ends early, a hook is still running. Argo CD has put a finalizer on it, and takes it off when the sync ends: of an Application
   * that is gone, never. Its namespace could not be deleted.
   */
  async #dropHooks(): Promise<void> {
    for (const [suffix, name] of Object.entries(WAITS)) {
      const metadata = { name, namespace: this.name(suffix) };
      await this.#scratch.stack.dropFinalizers({ apiVersion: 'batch/v1', kind: 'Job', metadata });
    }
  }

  /** As docs/lint.md has it for a platform that is stuck: no automated sync, and then no sync. Nothing begins again. */
  async end(...suffixes: string[]): Promise<void> {
    const { stack } = this.#scratch;
    const patch = JSON.stringify({ spec: { syncPolicy: { automated: null } } });
    for (const suffix of suffixes) {
      const target = ['--namespace=argocd', 'patch', 'application', this.name(suffix)];
      await stack.run('kubectl', ...target, '--type=merge', '--patch', patch);
    }
    for (const suffix of suffixes) {
      await stack.argocd.request('DELETE', `applications/${this.name(suffix)}/operation`);
      await stack.application(this.name(suffix), 'its sync to end', isIdle);
    }
    for (const suffix of suffixes) {
      const now = await stack.argocd.application(this.name(suffix), 'hard');
      expect([suffix, now.operation, now.status?.operationState?.phase]).toEqual([
        suffix,
        undefined,
        expect.stringMatching(/^(Failed|Error)$/),
      ]);
    }
  }

  #files(): Files {
    const members = MEMBERS.map((suffix) => [suffix, this.#manifests(suffix)] as const);
    const children = Object.entries(WAVES).map(([suffix, wave]) => this.#child(suffix, wave));
    return Object.fromEntries(
      [...members, [PARENT, children] as const].flatMap(([folder, manifests]) => [
        [`source/${folder}/manifests.yaml`, manifests],
        [`source/${folder}/kustomization.yaml`, 'resources: [manifests.yaml]\n'],
      ]),
    );
  }

  #child(suffix: string, wave: number): object {
    const { metadata, spec, ...kind } = child(this.#scratch, suffix, wave);
    const source = { ...spec.source, path: `rendered/${suffix}` };
    const destination = { ...spec.destination, namespace: this.name(suffix) };
    const syncPolicy = { ...spec.syncPolicy, syncOptions: ['CreateNamespace=true'] };
    return { ...kind, metadata, spec: { ...spec, source, destination, syncPolicy } };
  }

  #manifests(suffix: string): object[] {
    const own = [deployment({ name: suffix }), service(suffix)];
    if (suffix === 'api') return [...own, ...this.#waitOfApi()];
    if (suffix === 'gateway') return [...own, this.#waitOfGateway()];
    return own;
  }

  /** With rights of its own, which only read; in time, since what it waits for comes first. */
  #waitOfApi(): object[] {
    const metadata = { name: `${this.#scratch.name}-wait`, annotations: hook('HookSucceeded', -1) };
    const account = { name: 'wait', annotations: hook('HookSucceeded', -1) };
    const subject = { kind: 'ServiceAccount', name: 'wait', namespace: this.name('api') };
    const roleRef = { apiGroup: RBAC, kind: 'ClusterRole', name: metadata.name };
    const rule = {
      apiGroups: ['apps'],
      resources: ['deployments'],
      verbs: ['get', 'list', 'watch'],
    };
    const namespace = `--namespace=${this.name('db')}`;
    const command = ['kubectl', 'wait', '--for=condition=Available', 'deployment/db', namespace];
    return [
      { apiVersion: 'v1', kind: 'ServiceAccount', metadata: account },
      { apiVersion: `${RBAC}/v1`, kind: 'ClusterRole', metadata, rules: [rule] },
      {
        apiVersion: `${RBAC}/v1`,
        kind: 'ClusterRoleBinding',
        metadata,
        roleRef,
        subjects: [subject],
      },
      waitJob(WAITS.api, [...command, '--timeout=60s'], { serviceAccountName: 'wait' }),
    ];
  }

  /** For ever: the wave of what it waits for comes when this Application is Healthy. */
  #waitOfGateway(): object {
    const status = `kubectl rollout status deployment/web -n ${this.name('web')} --timeout=10s`;
    return waitJob(WAITS.gateway, ['sh', '-c', `until ${status}; do sleep 2; done`]);
  }

  /** Builds what Argo CD reads, and commits it. */
  async render(): Promise<void> {
    const { repository, stack } = this.#scratch;
    const files: Record<string, string> = {};
    for (const folder of [...MEMBERS, PARENT]) {
      const source = join(repository.directory, 'source', folder);
      files[`rendered/${folder}/manifests.yaml`] = await stack.run('kubectl', 'kustomize', source);
    }
    await repository.commit(files);
  }

  /** The one that makes the others; it syncs by itself, as they do. */
  async begin(): Promise<string> {
    const options = { path: `rendered/${PARENT}`, automated: { selfHeal: true } };
    return this.#scratch.application(PARENT, options);
  }
}

const isIdle = ({ operation, status }: Application) =>
  operation === undefined && /^(Failed|Error)$/.test(status?.operationState?.phase ?? '');

function waitJob(name: string, command: readonly string[], pod: object = {}): KubernetesObject {
  const container = { name: 'wait', image: WAIT_IMAGE, imagePullPolicy: 'Never', command };
  const spec = {
    restartPolicy: 'Never',
    terminationGracePeriodSeconds: 1,
    ...pod,
    containers: [container],
  };
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, annotations: hook('BeforeHookCreation') },
    spec: { backoffLimit: 20, template: { spec } },
  } as KubernetesObject;
}
