// A node that asks for a sync, and an Argo CD that answers as a test says.
import { requestOperation } from '../../src/node/request-operation.ts';
import { syncTime } from '../../src/node/sync-time.ts';
import type { ApplicationView } from '../../src/ports/application-view.ts';
import type { SyncRequest } from '../../src/ports/argocd-applications.ts';
import type { RefusalReason, WriteResult } from '../../src/ports/write-result.ts';
import { NodeWorld, nodeOf } from './node-world.ts';

export const refusal = (reason: RefusalReason, message = 'no'): WriteResult => ({
  ...{ kind: 'refused', reason, message },
});

export class RequestWorld extends NodeWorld {
  readonly requests: (SyncRequest & { readonly at: number; readonly isLong: boolean })[] = [];
  /** Of the next requests; after them all are accepted. */
  readonly answers: WriteResult[] = [];
  reads = 0;

  constructor(part: Partial<ApplicationView> = {}, node = nodeOf()) {
    super(part, node);
    this.applications.get = async (address) => {
      this.reads++;
      return await this.honest.get(address);
    };
    this.applications.requestSync = async (_, asked, long) => {
      this.requests.push({ ...asked, at: this.clock.monotonic(), isLong: long !== undefined });
      return this.answers.shift() ?? { kind: 'done' };
    };
  }

  get times(): readonly number[] {
    return this.requests.map(({ at }) => at);
  }

  start(number = 1) {
    const { context } = this;
    const attempt = { number, superseded: 0 };
    return requestOperation(context, this.view, attempt, syncTime(context));
  }

  run(number = 1) {
    return this.timed(this.start(number));
  }
}
