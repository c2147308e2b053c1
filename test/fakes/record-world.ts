// ConfigMaps in memory, a virtual clock, and runs that are recorded there.

import type { RunEvent } from '../../src/run/events.ts';
import { readRun } from '../../src/session/record/history.ts';
import { Recorder } from '../../src/session/record/recorder.ts';
import { FakeStore } from './cluster.ts';
import { VirtualClock } from './virtual-clock.ts';

export const PLAN = `sha256:${'0123456789abcdef'.repeat(4)}`;

export class RecordWorld {
  readonly clock = new VirtualClock();
  readonly store = new FakeStore(this.clock.monotonic);
  readonly problems: string[] = [];
  owns = true;

  readonly recorderOf = (run = 'r1', part?: string) =>
    new Recorder({
      ...(part === undefined ? {} : { part }),
      platform: 'shop',
      run,
      plan: PLAN,
      store: this.store.api,
      clock: this.clock,
      mayWrite: () => this.owns,
      onProblem: (message) => this.problems.push(message),
    });

  /** A run with these events, from its beginning to its end. */
  readonly record = async (
    events: readonly RunEvent[],
    run = 'r1',
    part?: string,
  ): Promise<boolean> => {
    const recorder = this.recorderOf(run, part);
    for (const event of events) recorder.append(event);
    return await this.clock.until(recorder.close());
  };

  readonly warning = (message: string, run = 'r1'): RunEvent => {
    return { type: 'run.warning', time: this.#time(), run, message };
  };

  readonly finished = (run = 'r1', exitStatus = 0): RunEvent => ({
    type: 'run.finished',
    time: this.#time(),
    run,
    exitStatus,
    counts: { healthy: 1, unchanged: 0, failed: 0, skipped: 0, removed: 0 },
    held: [],
  });

  /** What is read of a run: the texts of warnings, the types of other events. */
  readonly messages = async (run = 'r1') => {
    const history = await readRun(this.store.api, 'shop', run);
    return history?.events.map((event) =>
      event.type === 'run.warning' ? event.message : event.type,
    );
  };

  #time(): string {
    return new Date(this.clock.now()).toISOString();
  }
}
