// A platform that is deployed in the rehearsal, to be torn down: an operator that serves its instances' finalizers, parents
// that heal themselves, a volume that stays, and others' things that nobody may touch.
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { deploy } from '../../../src/engines/embedded/run-deploy.ts';
import { type TeardownRequest, teardown } from '../../../src/engines/embedded/run-teardown.ts';
import { approvedBy, isUnderWay } from '../../../src/engines/teardown/approved-inventory.ts';
import { takeInventory } from '../../../src/engines/teardown/take-inventory.ts';
import { CAUTIOUS, type Inventory, type Policy } from '../../../src/inventory/inventory.ts';
import { buildPlan } from '../../../src/plan/build-plan.ts';
import { compile } from '../../../src/plan/compile.ts';
import type { Target } from '../../../src/ports/target.ts';
import { Rehearsal } from '../../../src/rehearsal/rehearsal.ts';
import { populate } from '../../../src/rehearsal/scenario.ts';
import type { Report, ReportNode } from '../../../src/report/run-report.ts';
import type { RunEvent } from '../../../src/run/events.ts';
import type { KubeObject, Objects } from '../../../src/simulator/cluster/object-store.ts';
import type { Participant } from '../../../src/simulator/participant.ts';
import { connectOver } from '../../../src/targets/connect.ts';
import type { DestinationWay } from '../../../src/targets/destinations.ts';
import type { Transport } from '../../../src/targets/transport.ts';

const FILE = 'test/goldens/fixtures/shop.yaml';
export const REPOSITORY = 'https://git.example/platform.git';
export const API = 'argoproj.io/v1alpha1';
const never = () => new AbortController().signal;

const compiled = compile({ file: FILE, text: readFileSync(FILE, 'utf8') });
export const deployment = buildPlan(compiled, { action: 'deploy' });
export const whole = buildPlan(compiled, { action: 'teardown' });

export const CLAIM = {
  ...{ apiVersion: 'v1', kind: 'PersistentVolumeClaim' },
  metadata: { name: 'data', annotations: { 'argocd.argoproj.io/sync-options': 'Delete=false' } },
};
const DEFINITION = {
  ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
  metadata: { name: 'databases.example.com' },
  spec: { group: 'example.com', names: { kind: 'Database', plural: 'databases' } },
};
const OPERATOR = {
  ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'operator' } },
  spec: { replicas: 1, template: { metadata: { labels: { app: 'operator' } } } },
};
export const DATABASE = {
  ...{ apiVersion: 'example.com/v1', kind: 'Database' },
  metadata: { name: 'main', finalizers: ['example.com/cleanup'] },
};

export type Folders = Readonly<Record<string, readonly KubeObject[]>>;
const FOLDERS: Folders = { operator: [DEFINITION, OPERATOR], db: [DATABASE, CLAIM] };

const NOTHING_TO_DO = {
  ...{ exitStatus: 0, nodes: [] as readonly ReportNode[], held: [], warnings: [] },
};

/** A cluster that Argo CD does not run in. */
export const ELSEWHERE = 'https://elsewhere.example:6443';

/** Lets these Applications deploy to that other cluster; parents have Argo CD's own namespace. */
export function sendElsewhere(names: readonly string[]): (rehearsal: Rehearsal) => void {
  return send((name) => (names.includes(name) ? ELSEWHERE : undefined));
}

/** Lets each Application deploy to the cluster of that server or name; undefined: Argo CD's own. */
export function send(to: (name: string) => string | undefined): (rehearsal: Rehearsal) => void {
  return ({ git, objects }) => {
    const sent = (manifest: KubeObject): KubeObject => {
      const { name } = manifest.metadata;
      const isParent = ['shop-root', 'data-stack'].includes(name);
      const called = to(name) ?? 'https://kubernetes.default.svc';
      const cluster = called.startsWith('https:') ? { server: called } : { name: called };
      const destination = { ...cluster, namespace: isParent ? 'argocd' : 'platform' };
      return { ...manifest, spec: { ...manifest.spec, destination } };
    };
    const root = objects.get(API, 'Application', 'argocd', 'shop-root');
    if (root) objects.update(root, sent);
    for (const folder of ['shop-root', 'data-stack']) {
      const manifests = git.read(REPOSITORY, folder, git.head(REPOSITORY)) ?? [];
      git.commit(REPOSITORY, folder, manifests.map(sent));
    }
  };
}

type Torn = Pick<Report, 'exitStatus' | 'nodes' | 'held' | 'leftovers' | 'warnings'>;

type Before = (rehearsal: Rehearsal) => void;

const SETTLED_MS = 1_800_000;

/** How one process reaches the cluster. */
interface Process {
  readonly target: Target;
  readonly participant: Participant;
}

type Way = (transport: Transport) => Transport;

export class DeployedShop {
  readonly rehearsal: Rehearsal;
  /** Destinations that the environment file names a context for, and the cluster that this context reaches. */
  contexts: ReadonlyMap<string, string> = new Map();
  /** Stands between every process and those clusters. */
  wayThere: Way = (transport) => transport;

  private constructor(rehearsal: Rehearsal) {
    this.rehearsal = rehearsal;
  }

  /** `before` is called when nothing is deployed yet. */
  static async create(
    folders: Folders = FOLDERS,
    before: Before = () => {},
  ): Promise<DeployedShop> {
    const shop = DeployedShop.#prepared(folders, before);
    expect((await shop.until(shop.deploy('up'))).exitStatus).toBe(0);
    return shop;
  }

  /** The same, brought up by Argo CD without a run: far cheaper, where only what comes afterwards matters. */
  static async synced(
    folders: Folders = FOLDERS,
    before: Before = () => {},
  ): Promise<DeployedShop> {
    const shop = DeployedShop.#prepared(folders, before);
    await shop.rehearsal.time.advance(SETTLED_MS);
    expect(shop.#unhealthy()).toEqual([]);
    return shop;
  }

  static #prepared(folders: Folders, before: Before): DeployedShop {
    const settle = () => new Promise<void>((done) => setImmediate(done));
    const start = Date.UTC(2026, 0, 1);
    const rehearsal = new Rehearsal({
      ...{ seed: 1, faults: [], start, namespace: 'argocd', pace: { settle } },
    });
    populate(rehearsal, compiled.platform);
    for (const [folder, manifests] of Object.entries(folders)) {
      rehearsal.git.commit(REPOSITORY, folder, manifests);
    }
    before(rehearsal);
    const shop = new DeployedShop(rehearsal);
    for (const objects of [rehearsal.objects, rehearsal.cluster(ELSEWHERE)])
      shop.#serveFinalizers(objects);
    return shop;
  }

  /** The operator takes the finalizer off, as long as it is there. */
  #serveFinalizers(objects: Objects): void {
    const { time } = this.rehearsal;
    const serve = () => {
      const database = objects.get('example.com/v1', 'Database', 'platform', 'main');
      const operator = objects.get('apps/v1', 'Deployment', 'platform', 'operator');
      if (!operator || database?.metadata.deletionTimestamp === undefined) return;
      objects.update(database, (now) => ({
        ...now,
        metadata: { ...now.metadata, finalizers: [] },
      }));
    };
    objects.onChange(() => time.after(3_000, serve));
  }

  async deploy(by: string): Promise<Report> {
    const { target, participant } = await this.connect(by);
    return await deploy({
      ...{ plan: deployment, required: [], target, clock: participant.clock, runId: by },
      ...{ holder: by, concurrency: 50, keepHold: false, listen: () => {} },
      ...{ stop: never(), abort: never() },
    });
  }

  async connect(
    name: string,
    way: (transport: Transport, participant: Participant) => Transport = (transport) => transport,
  ): Promise<Process> {
    const participant = this.rehearsal.join(name);
    const { clock, random } = participant;
    const options = { namespace: 'argocd', argocdTokenFile: undefined, clock, random };
    const kubernetes = way(participant.transport, participant);
    const ways = [...this.contexts].map(([called, reached]): [string, DestinationWay] => {
      const transport = this.wayThere(this.rehearsal.reach(participant, reached));
      return [called, { context: `to-${reached}`, transport }];
    });
    const transports = { kubernetes, argocd: undefined, destinations: new Map(ways) };
    return { target: await connectOver(transports, options), participant };
  }

  async look(policy: Partial<Policy> = {}, process?: Process): Promise<Inventory> {
    const { target, participant } = process ?? (await this.connect('planner'));
    const request = { plan: whole, whole, policy: { ...CAUTIOUS, ...policy }, target };
    const { clock } = participant;
    return await takeInventory({ ...request, clock, concurrency: 5, signal: never() });
  }

  /** As the command does it: looks, and goes on only if that is what was approved. */
  async takeDown(
    approved: Inventory,
    by: string | Promise<Process>,
    part: Partial<TeardownRequest> = {},
    policy: Partial<Policy> = {},
  ): Promise<Torn> {
    const process = await (typeof by === 'string' ? this.connect(by) : by);
    const { target, participant } = process;
    const { clock, name } = participant;
    const now = await this.look(policy, process);
    const expected = { hash: approved.hash, inventory: undefined };
    const isOver = now.applications.length === 0;
    if (isOver && !(await isUnderWay(expected, now, target.store))) return NOTHING_TO_DO;
    const carried = await approvedBy(expected, now, target.store);
    return await teardown({
      ...{ plan: whole, whole, deployment, approved: carried, target, clock, runId: name },
      ...{ holder: name, concurrency: 50, stuckAfter: 120, unsafe: new Set<string>() },
      ...{ listen: (_: RunEvent) => {}, stop: never(), abort: never(), ...part },
    });
  }

  /** Looks, approves and tears down. */
  async down(part: Partial<TeardownRequest> = {}, policy: Partial<Policy> = {}): Promise<Torn> {
    const approved = await this.look(policy);
    return await this.takeDown(approved, 'down', part, policy);
  }

  async until<T>(task: Promise<T>): Promise<T> {
    return await this.rehearsal.time.until(task);
  }

  names(): string[] {
    return this.#applications().map(({ metadata }) => metadata.name);
  }

  #applications(): KubeObject[] {
    return this.rehearsal.objects
      .all()
      .filter(({ apiVersion, kind }) => apiVersion === API && kind === 'Application');
  }

  #unhealthy(): string[] {
    const isHealthy = ({ status }: KubeObject) =>
      (status as { readonly health?: { readonly status?: string } }).health?.status === 'Healthy';
    return this.#applications().flatMap((one) => (isHealthy(one) ? [] : one.metadata.name));
  }

  /** What is in the platform's namespace, but for what Kubernetes puts there. */
  inNamespace(name = 'platform'): string[] {
    return this.rehearsal.objects
      .all()
      .filter(({ metadata }) => metadata.namespace === name)
      .map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  }

  exists(kind: string, name: string): boolean {
    const all = this.rehearsal.objects.all();
    return all.some((one) => one.kind === kind && one.metadata.name === name);
  }

  /** The Applications that are deleted through argocd-server from now on, in order. */
  deletions(): string[] {
    const names: string[] = [];
    this.rehearsal.onRequest(({ request }) => {
      const [, name] = /\/api\/v1\/applications\/([^/?]+)\?/.exec(request.path) ?? [];
      if (request.method === 'DELETE' && name) names.push(name);
    });
    return names;
  }
}
