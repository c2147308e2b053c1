// A platform on the simulated cluster, and what a deployment asks of Argo CD there.
import { deploy } from '../../src/engines/embedded/run-deploy.ts';
import { buildPlan } from '../../src/plan/build-plan.ts';
import { compile } from '../../src/plan/compile.ts';
import { holdEverything } from '../../src/rehearsal/hold-at-start.ts';
import { parseFaults } from '../../src/rehearsal/parse-fault.ts';
import { Rehearsal, type RehearsalParts } from '../../src/rehearsal/rehearsal.ts';
import { populate } from '../../src/rehearsal/scenario.ts';
import type { Report } from '../../src/report/run-report.ts';
import type { RunEvent } from '../../src/run/events.ts';
import type { KubeObject } from '../../src/simulator/cluster/object-store.ts';
import { connectOver } from '../../src/targets/connect.ts';
import type { Transport } from '../../src/targets/transport.ts';

export const REPOSITORY = 'https://git.example/platform.git';
export const API = 'argoproj.io/v1alpha1';
const HOUR_MS = 3_600_000;

interface Given {
  /** Of the platform file. */
  readonly spec: object;
  readonly faults?: readonly string[];
  readonly settings?: RehearsalParts['settings'];
  /** Argo CD has synced everything by itself before, and the faults have begun. */
  readonly isDeployed?: boolean;
}

export class Rehearsed {
  readonly rehearsal: Rehearsal;
  readonly events: RunEvent[] = [];
  /** Applications of the sync requests that were sent. */
  readonly syncs: string[] = [];
  /** What they asked for. */
  readonly asked: unknown[] = [];
  /** `normal` or `hard`, each time that one was asked for. */
  readonly refreshes: string[] = [];
  readonly #compiled: ReturnType<typeof compile>;
  readonly #isDeployed: boolean;
  #runs = 0;

  constructor({ spec, faults = [], settings = {}, isDeployed = false }: Given) {
    const document = { apiVersion: 'tiphys.dev/v1alpha1', kind: 'Platform', spec };
    const text = JSON.stringify({ ...document, metadata: { name: 'shop' } });
    this.#compiled = compile({ file: 'platform.yaml', text });
    const { platform } = this.#compiled;
    const names = platform.stacks.flatMap(({ applications }) => applications);
    this.rehearsal = new Rehearsal({
      seed: 7,
      faults: parseFaults(
        faults,
        names.map(({ address }) => address.name),
      ),
      pace: { settle: () => new Promise((resolve) => setImmediate(resolve)) },
      start: Date.UTC(2026, 0, 1),
      namespace: 'argocd',
      settings,
    });
    populate(this.rehearsal, platform);
    this.#isDeployed = isDeployed;
    if (!isDeployed) holdEverything(this.rehearsal, platform);
  }

  async deploy({ strict = false, most = 4 * HOUR_MS } = {}): Promise<Report> {
    const { time } = this.rehearsal;
    if (this.#isDeployed && this.#runs === 0) await time.advance(300_000);
    return await time.until(this.#run(strict), most);
  }

  async #run(strict: boolean): Promise<Report> {
    const { rehearsal } = this;
    const { clock, transport, random } = rehearsal.join(`tiphys-${++this.#runs}`);
    const { signal } = new AbortController();
    const transports = { kubernetes: this.#noting(transport), argocd: undefined };
    const target = await connectOver(transports, { namespace: 'argocd', clock, random });
    return await deploy({
      plan: buildPlan(this.#compiled, { action: 'deploy' }),
      ...{ required: [], target, clock, concurrency: 20, keepHold: false, strict },
      ...{ runId: `run-${this.#runs}`, holder: `here-${this.#runs}` },
      listen: (event) => this.events.push(event),
      ...{ stop: signal, abort: signal },
    });
  }

  #noting(transport: Transport): Transport {
    return {
      ...transport,
      send: (request) => {
        const sync = /\/applications\/([^/?]+)\/sync/.exec(request.path)?.[1];
        if (sync !== undefined && request.method === 'POST') {
          this.syncs.push(sync);
          this.asked.push(request.body);
        }
        const refresh = /[?&]refresh=(\w+)/.exec(request.path)?.[1];
        if (refresh !== undefined) this.refreshes.push(refresh);
        return transport.send(request);
      },
    };
  }

  /** What kept it waiting, each once. */
  waits(node: string): string[] {
    const all = this.events.flatMap((event) =>
      event.type === 'node.waiting' && event.node === node ? [event.unmet.message] : [],
    );
    return [...new Set(all)];
  }

  get(kind: string, name: string): KubeObject {
    const object = this.rehearsal.objects.get(API, kind, 'argocd', name);
    if (!object) throw new Error(`no ${kind} ${name}`);
    return object;
  }

  change(kind: string, name: string, next: (object: KubeObject) => KubeObject): void {
    this.rehearsal.objects.update(this.get(kind, name), next);
  }

  /** Adds manifests to what Git has of an application. */
  commit(name: string, ...more: readonly KubeObject[]): void {
    const { git } = this.rehearsal;
    const before = git.read(REPOSITORY, name, git.head(REPOSITORY)) ?? [];
    git.commit(REPOSITORY, name, [...before, ...more]);
  }
}
