// Parents inside of parents on the simulated cluster: with and without Argo CD's check for nested Applications, with and without
// sync waves, by every engine. Up in order, again without a write, and down in reverse.
import { describe, expect, test } from 'vitest';
import { deploy } from '../../src/engines/embedded/run-deploy.ts';
import { CAUTIOUS } from '../../src/inventory/inventory.ts';
import { buildPlan } from '../../src/plan/build-plan.ts';
import { compile } from '../../src/plan/compile.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { holdEverything } from '../../src/rehearsal/hold-at-start.ts';
import { Rehearsal } from '../../src/rehearsal/rehearsal.ts';
import { populate } from '../../src/rehearsal/scenario.ts';
import { rehearseTeardown } from '../../src/rehearsal/teardown-in-rehearsal.ts';
import type { Report } from '../../src/report/run-report.ts';
import type { RunEvent } from '../../src/run/events.ts';
import { kindOf } from '../../src/simulator/cluster/served-kinds.ts';
import { connectOver } from '../../src/targets/connect.ts';
import { MiniController } from '../fakes/workflow-controller.ts';
import { API, REPOSITORY } from './rehearsed.ts';

const PLATFORM = `
apiVersion: tiphys.dev/v1alpha1
kind: Platform
metadata: {name: shop}
spec:
  root: shop-root
  gate: {dwell: 2s}
  timeouts: {sync: 30s, health: 2m}
  classes: {small: {expectedDuration: 20s}, large: {expectedDuration: 70s}}
  stacks:
    - name: web
      dependsOn: [stack:data]
      applications: [{name: site, class: small}]
    - name: data
      application: data-stack
      applications: [{name: operator, class: small}]
    - name: cluster
      parent: data
      application: cluster-stack
      applications: [{name: db, class: large, dependsOn: [operator]}, {name: cache, class: small}]
    - name: backups
      parent: cluster
      applications: [{name: backup, class: small, dependsOn: [db, cache]}]
`;
/** What each parent makes, wave after wave. With the check, some come later than one sync may take. */
const WAVES = {
  'shop-root': ['data-stack', 'site'],
  'data-stack': ['operator', 'cluster-stack'],
  'cluster-stack': ['db', 'cache', 'backup'],
};
const compiled = compile({ file: 'platform.yaml', text: PLATFORM });
const UP = buildPlan(compiled, { action: 'deploy' });
const DOWN = buildPlan(compiled, { action: 'teardown' });
const never = () => new AbortController().signal;
const HOURS_MS = 4 * 3_600_000;

interface Given {
  readonly check: 'none' | 'documented';
  readonly waves: boolean;
  readonly engine: 'embedded' | 'agent' | 'pods';
}

class Nested {
  readonly #given: Given;
  readonly #rehearsal: Rehearsal;
  events: RunEvent[] = [];
  writes = 0;
  #runs = 0;

  constructor(given: Given) {
    this.#given = given;
    this.#rehearsal = new Rehearsal({
      ...{ seed: 7, faults: [], start: Date.UTC(2026, 0, 1), namespace: 'argocd' },
      pace: { settle: () => new Promise((resolve) => setImmediate(resolve)) },
      settings: { nested: given.check },
    });
    populate(this.#rehearsal, compiled.platform);
    if (given.waves) this.#addWaves();
    holdEverything(this.#rehearsal, compiled.platform);
    this.#rehearsal.onRequest(({ request: { method, path } }) => {
      if (path.includes('/proxy/') && method !== 'GET') this.writes++;
    });
  }

  #addWaves(): void {
    const { git } = this.#rehearsal;
    for (const [parent, names] of Object.entries(WAVES)) {
      const made = git.read(REPOSITORY, parent, git.head(REPOSITORY)) ?? [];
      expect(made.map(({ metadata }) => metadata.name).sort()).toEqual([...names].sort());
      const inWaves = made.map(({ metadata, ...object }) => {
        const wave = String(names.indexOf(metadata.name));
        const annotations = { ...metadata.annotations, 'argocd.argoproj.io/sync-wave': wave };
        return { ...object, metadata: { ...metadata, annotations } };
      });
      git.commit(REPOSITORY, parent, inWaves);
    }
  }

  async up(): Promise<Report> {
    this.events = [];
    this.writes = 0;
    return await this.#rehearsal.time.until(this.#deploy(), HOURS_MS);
  }

  async #deploy(): Promise<Report> {
    const name = `run-${++this.#runs}`;
    const { clock, transport, random } = this.#rehearsal.join(name);
    const transports = { kubernetes: transport, argocd: undefined };
    const target = await connectOver(transports, { namespace: 'argocd', clock, random });
    const { engine } = this.#given;
    if (engine !== 'embedded') {
      const place = { target, clock, events: this.events };
      const { report, messages } = await new MiniController(place, UP, name, engine).run();
      if (!report) throw new Error(messages.join('\n'));
      return report;
    }
    return await deploy({
      ...{ plan: UP, required: [], target, clock, concurrency: 20, keepHold: false },
      ...{ runId: name, holder: name, stop: never(), abort: never() },
      listen: (event) => this.events.push(event),
    });
  }

  async down() {
    this.events = [];
    const taking = rehearseTeardown({
      ...{ rehearsal: this.#rehearsal, seed: 7, policy: CAUTIOUS, plan: DOWN, whole: DOWN },
      ...{ deployment: UP, concurrency: 20, stuckAfter: 300, stop: never(), abort: never() },
      listen: (event) => this.events.push(event),
    });
    return await this.#rehearsal.time.until(taking, HOURS_MS);
  }

  get applications(): string[] {
    const { objects } = this.#rehearsal;
    return objects.list(kindOf(API, 'Application')).map(({ metadata }) => metadata.name);
  }
}

/** Each node asks only when all that it depends on, directly or behind joins, was through. */
function expectOrder(plan: Plan, events: readonly RunEvent[], asks: RunEvent['type']): void {
  const nodes = new Map(plan.nodes.map((node) => [node.id, node]));
  const before = (id: string): string[] =>
    (nodes.get(id)?.dependsOn ?? []).flatMap((other) =>
      nodes.get(other)?.application ? [other] : before(other),
    );
  const first = (type: RunEvent['type'], id: string) =>
    events.findIndex((event) => event.type === type && 'node' in event && event.node === id);
  const through = plan.action === 'deploy' ? 'gate.opened' : 'node.finished';
  for (const { id } of plan.nodes) {
    const asked = first(asks, id);
    if (asked === -1) continue;
    for (const other of before(id)) {
      const isThrough = first(through, other);
      expect([id, other, isThrough !== -1 && isThrough < asked]).toEqual([id, other, true]);
    }
  }
}

const CASES = (['none', 'documented'] as const).flatMap((check) =>
  [true, false].flatMap((waves) =>
    (['embedded', 'agent', 'pods'] as const).map((engine): Given => ({ check, waves, engine })),
  ),
);

describe.each(CASES)('check $check, waves $waves, $engine', (given) => {
  test('comes up in order, is left alone by the next run, and goes in reverse', async () => {
    const nested = new Nested(given);
    expect(nested.applications).toEqual(['shop-root']);
    const report = await nested.up();
    expect(report.nodes.filter(({ outcome }) => outcome !== 'healthy')).toEqual([]);
    expect(report.exitStatus).toBe(0);
    expectOrder(UP, nested.events, 'node.sync-requested');
    const again = await nested.up();
    expect([again.exitStatus, nested.writes]).toEqual([0, 0]);
    const { report: gone } = await nested.down();
    expect(gone.exitStatus).toBe(0);
    expect(nested.applications).toEqual([]);
    expectOrder(DOWN, nested.events, 'node.delete-requested');
    const requested = nested.events.flatMap((event) =>
      event.type === 'node.delete-requested' ? [event.node] : [],
    );
    expect(requested).toHaveLength(8);
    expect(requested.slice(-1)).toEqual(['open:platform']);
  });
});
