// A node that waits for the end of the operation that it has asked for.
import { awaitOperation } from '../../src/node/sync-operation.ts';
import { syncTime } from '../../src/node/sync-time.ts';
import type { ApplicationView, OperationState } from '../../src/ports/application-view.ts';
import { operationState } from './application.ts';
import { NodeWorld, nodeOf, request, running } from './node-world.ts';

export const OURS = 'run/app:a/1';

/** As Argo CD shows an operation that it works on. */
export const underWay = (id: string | undefined, part: Partial<OperationState> = {}) => ({
  operation: request(id),
  operationState: running(id, part),
});

/** As it shows one that has ended. */
export const over = (id: string | undefined, part: Partial<OperationState> = {}) => ({
  operation: undefined,
  operationState: operationState({ ...request(id), ...part }),
});

export class OperationWorld extends NodeWorld {
  /** When Argo CD was asked to end it, and to look again. */
  readonly terminated: number[] = [];
  readonly refreshed: number[] = [];
  reads = 0;

  constructor(part: ConstructorParameters<typeof NodeWorld>[0] = underWay(OURS), node = nodeOf()) {
    super(part, node);
    this.applications.get = async (address) => {
      this.reads++;
      return await this.honest.get(address);
    };
    this.applications.refresh = async (address) => {
      this.refreshed.push(this.clock.monotonic());
      return await this.honest.refresh(address);
    };
    this.applications.terminate = async () => {
      this.terminated.push(this.clock.monotonic());
      return { kind: 'done' };
    };
  }

  /** `before`: in what it differs from what is there now. */
  start(before?: Partial<ApplicationView>) {
    const { context } = this;
    const view = before && { ...this.view, ...before };
    return awaitOperation(context, { number: 1, superseded: 0 }, syncTime(context), view);
  }

  run(before?: Partial<ApplicationView>) {
    return this.timed(this.start(before));
  }
}
