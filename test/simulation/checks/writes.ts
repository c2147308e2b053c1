// S4: nothing is written but what the plan has, and of it only what is ours. S10: nothing is forced or pruned. S9: no secret comes out.

import type { RunEvent } from '../../../src/run/events.ts';
import type { Application } from '../../../src/simulator/argocd/application.ts';
import type { Change, KubeObject } from '../../../src/simulator/cluster/object-store.ts';
import { merged } from '../../../src/simulator/cluster/patch.ts';
import { isSame } from '../../../src/simulator/cluster/same.ts';
import type { TransportRequest } from '../../../src/targets/transport.ts';
import type { End, Life } from '../life.ts';
import type { World } from '../seeded-world.ts';
import { type Accuse, operationIn, type Witness, type Write, writeOf } from '../witness.ts';

const HOLD = 'tiphys.dev/hold';
const RECORDS = ['tiphys-run-', 'tiphys-teardown-'];

interface Window {
  readonly kind: string;
  readonly duration: string;
  readonly applications?: readonly string[];
  readonly manualSync?: boolean;
}

/** The window that keeps Argo CD from syncing by itself; a year long, which nobody else has. */
export const isHold = ({ kind, duration }: Window): boolean =>
  kind === 'deny' && duration === '8784h';

export const windowsOf = (project: KubeObject | undefined): readonly Window[] =>
  (project?.spec?.syncWindows as readonly Window[] | undefined) ?? [];

export class Writes implements Witness {
  readonly #world: World;
  readonly #accuse: Accuse;
  readonly #project: (name: string) => KubeObject | undefined;
  readonly #application: (name: string) => Application | undefined;
  readonly #secrets = new Set<string>();
  readonly #allowed: ReadonlySet<Write['kind']>;
  /** Without Lease and record. */
  count = 0;
  /** Those of them that are about an Application. */
  ofApplications = 0;

  constructor(
    world: World,
    get: (kind: string, name: string) => KubeObject | undefined,
    accuse: Accuse,
    allowed: readonly Write['kind'][],
  ) {
    this.#allowed = new Set(allowed);
    this.#world = world;
    this.#project = (name) => get('AppProject', name);
    this.#application = (name) => get('Application', name) as Application | undefined;
    this.#accuse = accuse;
  }

  changed({ object }: Change): void {
    if (object.kind !== 'Secret') return;
    for (const value of Object.values((object.data ?? {}) as Record<string, string>)) {
      this.#secrets.add(value).add(atob(value));
    }
  }

  sent(_: Life, request: TransportRequest): void {
    const write = writeOf(request);
    if (!write) return;
    this.#search('a request', request.body);
    const { planned, platform } = this.#world;
    if (write.kind === 'other') {
      if (!this.#allowed.has('other')) this.#accuse('S4', `sent ${write.what}`);
      return;
    }
    if (write.kind === 'project') {
      this.count++;
      this.#onProject(write.project, write.body);
      return;
    }
    if ('name' in write) {
      const own = (prefix: string) => write.name.startsWith(`${prefix}${platform.metadata.name}`);
      const isOwn =
        write.kind === 'probe'
          ? this.#world.probing.size > 0 && write.name.startsWith('tiphys-probe-')
          : write.kind === 'lease'
            ? own('tiphys-')
            : RECORDS.some(own);
      if (!isOwn) this.#accuse('S4', `wrote the ${write.kind} ${write.name}`);
      return;
    }
    this.count++;
    this.ofApplications++;
    if (!planned.has(write.application))
      this.#accuse('S4', `${write.kind} of ${write.application}, which is not in the plan`);
    if (!this.#allowed.has(write.kind)) this.#accuse('S4', `${write.kind} of ${write.application}`);
    if (write.kind === 'sync') this.#onSync(write.application, write.body);
    // Whoever deletes an application may end what runs on it.
    if (write.kind === 'terminate' && !this.#allowed.has('delete'))
      this.#onTermination(write.application);
  }

  happened(_: Life, event: RunEvent): void {
    this.#search('an event', event);
  }

  ended(_: Life, end: End): void {
    if (end.kind === 'report') this.#search('a report', end.report);
    if (end.kind === 'refused') this.#search('an error', end.error.diagnostics);
  }

  #onSync(name: string, body: unknown): void {
    const { prune, strategy, dryRun, resources, syncOptions, retryStrategy } = body as {
      readonly prune?: boolean;
      readonly strategy?: unknown;
      readonly dryRun?: boolean;
      readonly resources?: unknown;
      readonly syncOptions?: { readonly items?: readonly string[] };
      readonly retryStrategy?: { readonly limit?: number };
    };
    if (prune) this.#accuse('S10', `asked to prune ${name}, which nobody allowed`);
    if (strategy !== undefined || dryRun || resources !== undefined)
      this.#accuse('S10', `asked for a sync of ${name} that is not a plain one`);
    if ((syncOptions?.items ?? []).some((option) => /Force|Replace|Prune/.test(option)))
      this.#accuse('S10', `asked for a sync of ${name} with options of its own`);
    if (retryStrategy?.limit !== 0) this.#accuse('S3', `let Argo CD repeat the sync of ${name}`);
  }

  /** One's own operation, or one that Argo CD began by itself. */
  #onTermination(name: string): void {
    const { operation } = this.#application(name) ?? {};
    if (operation && !operation.initiatedBy?.automated && operationIn(operation.info) === undefined)
      this.#accuse('S4', `ends an operation of somebody else on ${name}`);
  }

  /** Other people's windows, and everything else of the project, stay as they are. */
  #onProject(name: string, body: unknown): void {
    const now = this.#project(name);
    if (!now || ![...this.#world.reading.projects.values()].includes(name)) {
      this.#accuse('S4', `wrote the AppProject ${name}, which is not the plan's`);
      return;
    }
    const { metadata } = body as { readonly metadata?: { readonly resourceVersion?: string } };
    if (!metadata?.resourceVersion)
      this.#accuse('S4', `wrote the AppProject ${name} without comparing versions`);
    // Whoever compares with an older version is refused, so it may carry what was there then.
    if (metadata?.resourceVersion !== now.metadata.resourceVersion) return;
    const given = merged(now, body) as KubeObject;
    const others = (project: KubeObject) => {
      const { syncWindows: _, ...spec } = project.spec ?? {};
      const { [HOLD]: __, ...annotations } = project.metadata.annotations ?? {};
      const { metadata: _m, spec: _s, ...rest } = project;
      const { annotations: _a, ...others } = project.metadata;
      const windows = windowsOf(project).filter((window) => !isHold(window));
      return { spec, annotations, metadata: others, windows, ...rest };
    };
    if (!isSame(others(given), others(now)))
      this.#accuse('S4', `changed more of the AppProject ${name} than its hold`);
    for (const { applications = [], manualSync } of windowsOf(given).filter(isHold)) {
      if (manualSync !== true) this.#accuse('hold', `closed ${name} for requested syncs, too`);
      const foreign = applications.filter((one) => !this.#world.reading.gates.has(one));
      if (foreign.length > 0) this.#accuse('S4', `held ${foreign.join(', ')}, not in the plan`);
    }
  }

  #search(where: string, what: unknown): void {
    const text = JSON.stringify(what) ?? '';
    for (const secret of this.#secrets) {
      if (text.includes(secret)) this.#accuse('S9', `a secret is in ${where}`);
    }
  }
}
