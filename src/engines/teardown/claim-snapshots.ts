// Snapshots of claims, taken before the claims are deleted. Each run takes its own: an earlier one may be older than the
// data. A resumed run has the id of the earlier one, and so finds its snapshots.
import { nameOf } from '../../inventory/fate.ts';
import { type Inventory, reachedAs, type SnapshottedClaim } from '../../inventory/inventory.ts';
import {
  deadlineIn,
  isOver,
  type NodeContext,
  read,
  reporter,
  sleep,
} from '../../node/node-context.ts';
import { renderResource } from '../../ports/application-view.ts';
import type { Named } from '../../ports/cluster-objects.ts';
import type { Cluster } from '../../ports/target.ts';
import { type Leftover, leftover } from '../../run/leftover.ts';

const SNAPSHOT_POLL_MS = 2_000;

type Approved = Pick<Inventory, 'snapshots' | 'clusters'>;

export class ClaimSnapshots {
  readonly #target: Pick<Cluster, 'at'>;
  readonly #approved: Approved;
  readonly #taken = new Map<SnapshottedClaim, Leftover>();

  constructor(target: Pick<Cluster, 'at'>, approved: Approved) {
    this.#target = target;
    this.#approved = approved;
  }

  /** They stay, as announced. */
  get taken(): Leftover[] {
    return [...this.#taken.values()];
  }

  /** What another process of that run has taken. */
  async find(run: string): Promise<Leftover[]> {
    const found = await Promise.all(
      this.#approved.snapshots.map(async (claim) => {
        const place = placeOf(claim, run);
        return (await this.#get(claim, place))?.ready ? [this.#takenOf(claim, place)] : [];
      }),
    );
    return found.flat();
  }

  #get({ cluster = '' }: SnapshottedClaim, place: Named) {
    return this.#target.at(cluster).snapshots.get(place);
  }

  #takenOf(claim: SnapshottedClaim, place: Named): Leftover {
    const resource = { group: GROUP, kind: 'VolumeSnapshot', ...place };
    const why = `the snapshot of ${renderResource(nameOf(claim))}`;
    return leftover(resource, why, true, reachedAs(this.#approved, claim.cluster ?? ''));
  }

  /** Resolves when all claims of the node have snapshots; returns the problem if that is impossible. */
  async ensure(context: NodeContext): Promise<string | undefined> {
    const claims = this.#approved.snapshots.filter(({ node }) => node === context.node.id);
    const problems = await Promise.all(claims.map((claim) => this.#ensure(context, claim)));
    return problems.find((problem) => problem !== undefined);
  }

  async #ensure(context: NodeContext, claim: SnapshottedClaim): Promise<string | undefined> {
    const { node, session, emit, writes } = context;
    const place = placeOf(claim, session.identity.id);
    const text = renderResource(nameOf(claim));
    const deadline = deadlineIn(context, node.timeouts.health);
    const report = reporter(context);
    for (;;) {
      const found = await read(context, deadline, () => this.#get(claim, place));
      if (found?.ready) {
        this.#taken.set(claim, this.#takenOf(claim, place));
        return undefined;
      }
      if (isOver(context, deadline)) {
        return `the snapshot ${place.name} of ${text} is not ready${found?.error ? `: ${found.error}` : ''}`;
      }
      if (!found) {
        const result = await writes.createSnapshot(claim.cluster ?? '', place, claim.name);
        if (result.kind === 'refused' && result.reason !== 'conflict') {
          return `cannot take a snapshot of ${text}: ${result.message}`;
        }
        const { name } = place;
        emit({ type: 'node.snapshot-requested', node: node.id, claim: nameOf(claim), name });
      }
      report({ condition: 'saved', message: `the snapshot of ${text} is not ready` });
      await sleep(context, SNAPSHOT_POLL_MS);
    }
  }
}

const GROUP = 'snapshot.storage.k8s.io';

/** A name has at most 253 characters. */
const placeOf = ({ namespace, name }: SnapshottedClaim, run: string) => ({
  namespace,
  name: `${name.slice(0, 220)}-${run}`,
});
