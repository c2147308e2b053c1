// An AppProject in memory, a virtual clock, and a run that holds Applications on it.

import type { Projects, ProjectView } from '../../src/ports/app-projects.ts';
import { HOLD_ANNOTATION, holdOf, holdWindow } from '../../src/run/hold.ts';
import { HoldKeeper, type KeeperParts } from '../../src/session/hold/hold-keeper.ts';
import { FakeProjects, projectNamed } from './cluster.ts';
import { VirtualClock } from './virtual-clock.ts';

export const app = (name: string, project = 'p') => ({ name, project });
export const apps = (...names: string[]) => names.map((name) => app(name));

export class HoldWorld {
  readonly clock = new VirtualClock();
  readonly projects = new FakeProjects();
  readonly losses: unknown[] = [];
  readonly changes: (readonly [string, readonly string[]])[] = [];
  /** When writes were sent. */
  readonly sent: number[] = [];
  mayWrite = true;

  constructor() {
    this.projects.put(projectNamed('p'));
  }

  readonly update: Projects['update'] = (...change) => {
    this.sent.push(this.clock.monotonic());
    return this.projects.api.update(...change);
  };

  readonly keeperOf = (part: Partial<KeeperParts> = {}) =>
    new HoldKeeper({
      platform: 'shop',
      run: 'r1',
      projects: { get: this.projects.api.get, update: this.update },
      clock: this.clock,
      mayWrite: () => this.mayWrite,
      leavesWindows: async () => false,
      onChange: (...change) => this.changes.push(change),
      onLost: (error) => this.losses.push(error),
      ...part,
    });

  /** A run that holds these. */
  readonly started = async (...names: string[]): Promise<HoldKeeper> => {
    const keeper = this.keeperOf();
    keeper.hold(apps(...names));
    await this.clock.until(keeper.flush());
    return keeper;
  };

  readonly held = (project = 'p') => {
    const view = this.projects.peek(project);
    return view && holdOf(view)?.names;
  };

  /** Somebody else writes it. */
  readonly edit = (part: Partial<ProjectView>, name = 'p') =>
    this.projects.put({ ...projectNamed(name), ...this.projects.peek(name), ...part });

  readonly leftOver = (annotation: string | undefined, ...names: string[]) =>
    this.edit({
      windows: [holdWindow(names)],
      annotations: new Map(annotation === undefined ? [] : [[HOLD_ANNOTATION, annotation]]),
    });
}
