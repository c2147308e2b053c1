// The deletion of one Application with one object, against an Argo CD in memory.
import type { Removal } from '../../src/node/removal.ts';
import { removeApplication } from '../../src/node/remove-node.ts';
import type { ApplicationView } from '../../src/ports/application-view.ts';
import type { PresentObject } from '../../src/ports/cluster-objects.ts';
import type { WriteResult } from '../../src/ports/write-result.ts';
import { NodeWorld } from './node-world.ts';

/** Being deleted since long, with a finalizer. */
export const present = (part: Partial<PresentObject> = {}): PresentObject => ({
  ...{ uid: 'uid-s', finalizers: ['x/hold'], deletingSince: 60 },
  ...part,
});

export const SECRET = { group: '', kind: 'Secret', namespace: 'data', name: 's' };

export class RemovalWorld extends NodeWorld {
  /** When each deletion was asked for. */
  readonly requests: number[] = [];
  readonly cleared: string[] = [];
  /** When a refresh was asked for. */
  readonly refreshed: number[] = [];
  present: PresentObject | undefined;
  isGone = false;
  reads = 0;
  prepared = 0;
  /** Answers of the next requests. */
  readonly answers: WriteResult[] = [];

  constructor(part: Partial<ApplicationView> = {}) {
    super(part);
    const read = async () => (this.isGone ? undefined : this.view);
    this.applications.get = async () => {
      this.reads++;
      return await read();
    };
    this.watch.last = () => (this.isGone ? undefined : this.view);
    this.applications.remove = async () => {
      this.requests.push(this.clock.monotonic());
      const answer = this.answers.shift() ?? { kind: 'done' };
      if (answer.kind === 'done') this.change({ deleting: true });
      return answer;
    };
    this.applications.refresh = async () => {
      this.refreshed.push(this.clock.monotonic());
      return await read();
    };
    this.objects.get = async () => this.present;
    this.objects.prepareFinalizerRemoval = async (_, uid) => async () => {
      this.cleared.push(uid);
      return { kind: 'done' };
    };
  }

  /** Both are gone after so many milliseconds. */
  goesAfter(application: number, object = application): void {
    void this.clock.sleep(object).then(() => {
      this.present = undefined;
    });
    void this.clock.sleep(application).then(() => {
      this.isGone = true;
      this.change({});
    });
  }

  start(part: Partial<Removal> = {}) {
    const { context } = this;
    return removeApplication(context, {
      uid: 'uid-a',
      resources: [SECRET],
      servedBy: () => [],
      cluster: '',
      objects: { ...this.argocd.target.objects, ...this.objects },
      prepare: async () => {
        this.prepared++;
        return undefined;
      },
      stuckAfter: 60,
      unsafe: false,
      ...part,
    });
  }

  run(part: Partial<Removal> = {}) {
    return this.clock.until(this.start(part));
  }

  get asked(): number {
    return this.events.filter(({ type }) => type === 'node.delete-requested').length;
  }
}
