// An AppProject in memory, a virtual clock, and a run that holds Applications on it.

import type { Projects, ProjectView } from '../../src/ports/app-projects.ts';
import type { Target } from '../../src/ports/target.ts';
import { HOLD_ANNOTATION, holdOf, holdWindow } from '../../src/run/hold.ts';
import { HoldWriter, type HoldWriterParts } from '../../src/session/hold/hold-writer.ts';
import { holdWrites } from '../../src/session/writes/hold-writes.ts';
import { FakeProjects, projectNamed } from './cluster.ts';
import { send } from './lease-world.ts';
import { VirtualClock } from './virtual-clock.ts';

export const app = (name: string, project = 'p') => ({ name, project });
export const apps = (...names: string[]) => names.map((name) => app(name));

type Free = Omit<HoldWriterParts, 'projects' | 'writes'>;
type MayWrite = (deadlineMs: number) => boolean;
type WriterFaults = Partial<Free> & { projects?: Projects; mayWrite?: MayWrite };

/** A writer that writes these AppProjects, as far as it may. */
export function writerOn(
  projects: Projects,
  { mayWrite, ...parts }: Free & { mayWrite: MayWrite },
): HoldWriter {
  const writes = holdWrites({ projects } as unknown as Target, {
    mayWrite: (deadlineMs = 0) => mayWrite(deadlineMs),
    send,
  });
  return new HoldWriter({ ...parts, projects, writes });
}

export class HoldWorld {
  readonly clock = new VirtualClock();
  readonly projects = new FakeProjects();
  readonly losses: unknown[] = [];
  readonly troubles: string[] = [];
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

  readonly writerOf = ({ projects, mayWrite, ...part }: WriterFaults = {}) =>
    writerOn(projects ?? { get: this.projects.api.get, update: this.update }, {
      platform: 'shop',
      run: 'r1',
      clock: this.clock,
      mayWrite: mayWrite ?? (() => this.mayWrite),
      leavesWindows: async () => false,
      onChange: (...change) => this.changes.push(change),
      onLost: (error) => this.losses.push(error),
      onTrouble: (message) => this.troubles.push(message),
      ...part,
    });

  /** A run that holds these. */
  readonly started = async (...names: string[]): Promise<HoldWriter> => {
    const writer = this.writerOf();
    writer.hold(apps(...names));
    await this.clock.until(writer.flush());
    return writer;
  };

  readonly held = (project = 'p', platform = 'shop') => {
    const view = this.projects.peek(project);
    return view && holdOf(view, platform)?.names;
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
