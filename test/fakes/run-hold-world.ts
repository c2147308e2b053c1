// The hold of a run with three Applications on two AppProjects, all of which sync by themselves.

import type { ApplicationAddress } from '../../src/model/platform.ts';
import type { PlanNode } from '../../src/plan/plan.ts';
import type { Applications } from '../../src/ports/argocd-applications.ts';
import type { Target } from '../../src/ports/target.ts';
import type { WriteResult } from '../../src/ports/write-result.ts';
import type { EventBody } from '../../src/run/events.ts';
import { HOLD_ANNOTATION, holdOf, holdWindow } from '../../src/run/hold.ts';
import { RunHold } from '../../src/session/hold/run-hold.ts';
import type { RunHoldParts } from '../../src/session/hold/run-hold-parts.ts';
import { holdWrites } from '../../src/session/writes/hold-writes.ts';
import { FakeArgocd } from './argocd.ts';
import { projectNamed } from './cluster.ts';
import { send } from './lease-world.ts';
import { planFrom } from './run-world.ts';
import { VirtualClock } from './virtual-clock.ts';

const NAMES = ['a', 'b', 'x'];

export class RunHoldWorld {
  readonly clock = new VirtualClock();
  readonly argocd = new FakeArgocd(this.clock);
  readonly plan = planFrom({
    argocd: { project: 'p' },
    timeouts: { sync: '1m' },
    stacks: [
      {
        name: 's',
        applications: [{ name: 'a' }, { name: 'b' }, { name: 'x', argocd: { project: 'q' } }],
      },
    ],
  });
  readonly stop = new AbortController();
  readonly lost = new AbortController();
  readonly losses: unknown[] = [];
  readonly troubles: string[] = [];
  readonly events: EventBody[] = [];
  /** Whose refresh was asked for, and whose operation was terminated. */
  readonly refreshed: string[] = [];
  readonly terminated: string[] = [];
  /** How long the answer to a write of an AppProject takes. */
  writeMs = 0;
  mayWrite = true;
  refreshFails: Error | undefined;
  terminate: Applications['terminate'] = async () => ({ kind: 'done' });

  constructor() {
    for (const name of ['p', 'q']) this.argocd.projects.put(projectNamed(name));
    for (const name of NAMES) this.argocd.add(name, { automated: true });
  }

  node(name: string): PlanNode {
    const node = this.plan.nodes.find(({ application }) => application === name);
    if (!node) throw new Error(`no ${name}`);
    return node;
  }

  /** An operation that Argo CD has begun by itself, or that it has ended. */
  operates(name: string, isGoingOn = true): void {
    const operation = { infos: new Map<string, string>(), automated: true, username: '' };
    this.argocd.change(name, { operation: isGoingOn ? operation : undefined });
  }

  held(project: string): string {
    const view = this.argocd.projects.peek(project);
    return ((view && holdOf(view, 'shop')?.names) ?? []).join(' ');
  }

  leftOver(project: string, ...names: string[]): void {
    const annotations = new Map([[HOLD_ANNOTATION, 'shop/r0']]);
    this.argocd.projects.put({
      ...projectNamed(project),
      windows: [holdWindow(names)],
      annotations,
    });
  }

  holdOf(part: Partial<RunHoldParts> = {}): RunHold {
    const { target } = this.argocd;
    return new RunHold({
      plan: this.plan,
      run: { id: 'r1', platform: 'shop', plan: this.plan.hash },
      projects: target.projects,
      applications: { ...target.applications, refresh: (address) => this.#refresh(address) },
      found: new Map(),
      looksDone: () => false,
      watch: this.argocd.watch,
      watchProjects: async () => false,
      clock: this.clock,
      writes: holdWrites(this.#target(), { mayWrite: () => this.mayWrite, send }),
      emit: (event) => this.events.push(event),
      stop: this.stop.signal,
      lost: this.lost.signal,
      onLost: (error) => this.losses.push(error),
      onTrouble: (message) => this.troubles.push(message),
      leavesWindows: () => false,
      keep: false,
      ...part,
    });
  }

  #target(): Target {
    const { target } = this.argocd;
    const update: Target['projects']['update'] = async (...change) => {
      const result = await target.projects.update(...change);
      await this.clock.sleep(this.writeMs);
      return result;
    };
    const terminate = async (address: ApplicationAddress): Promise<WriteResult> => {
      this.terminated.push(address.name);
      return await this.terminate(address);
    };
    return {
      ...target,
      projects: { ...target.projects, update },
      applications: { ...target.applications, terminate },
    };
  }

  async #refresh({ name }: ApplicationAddress): Promise<undefined> {
    this.refreshed.push(name);
    if (this.refreshFails) throw this.refreshFails;
  }
}
