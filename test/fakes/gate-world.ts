// A node at its gate, just after an operation of its own.
import type { GateWait } from '../../src/node/gate-look.ts';
import { passGate } from '../../src/node/pass-gate.ts';
import { timeUntil } from '../../src/node/sync-time.ts';
import type { ApplicationView } from '../../src/ports/application-view.ts';
import { operationState, resource } from './application.ts';
import { NodeWorld, nodeOf, request } from './node-world.ts';

export const ID = 'run/app:a/1';
export const health = (status: string, lastTransition = 't1') => ({
  status,
  message: '',
  lastTransition,
});
/** It, and what it manages. */
export const bad = (status: string) => ({
  health: health(status),
  resources: [resource({ name: 'b', health: { status, message: '' } })],
});

export class GateWorld extends NodeWorld {
  /** When each comparison was asked for. */
  readonly asked: number[] = [];
  readonly end = this.second;

  /** Just after an operation of ours. */
  constructor(part: Partial<ApplicationView> = {}, node = nodeOf()) {
    super({}, node);
    const state = operationState({ ...request(ID), startedAt: this.end - 2, finishedAt: this.end });
    this.change({ operationState: state, reconciledAt: this.end, ...part });
    this.applications.refresh = async (address) => {
      this.asked.push(this.clock.monotonic());
      return await this.honest.refresh(address);
    };
  }

  start(part: Partial<GateWait> = {}) {
    const operation = { id: ID, finishedAt: this.end, revisions: ['rev-1'] };
    const wait = { uid: 'uid-a', operation, laterThan: this.end, time: timeUntil(300_000) };
    return passGate(this.context, { ...wait, ...part });
  }

  run(part: Partial<GateWait> = {}) {
    return this.timed(this.start(part));
  }
}

/** Where none was needed. */
export const WITHOUT = { operation: undefined };
